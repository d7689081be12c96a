"""Pages in a terminal, as Markdown, HTML and PDF, and files for programs.

A renderer of pages knows blocks and no subject; `registry.py` lists the formats of files.
"""
