"""The options that several commands share, and what reads them; nothing here loads numpy."""
