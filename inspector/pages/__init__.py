"""What there is to say about a subject, as values in reading order: blocks without a layout.

One builder for each subject. Builders take results, never an engine, and know no surface;
`render` shows their pages in a terminal, in Markdown, HTML and PDF, `ui/widgets/page_view.py`
in the window.
"""
