"""Export: a report becomes HTML, CSV, Markdown, JSON or a Chrome trace."""
