"""Shows pages: in a terminal, as Markdown, as HTML and as PDF. A renderer knows no subject."""
