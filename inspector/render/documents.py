"""Pages as the bytes of a document, by the id of its format: "md", "html" or "pdf"."""

from inspector.pages.blocks import Page
from inspector.platform import plugins
from inspector.wording import catalog

_RENDERERS = {  # id: "module:function"; a terminal needs no fonts and no templates
    "md": "inspector.render.markdown:markdown",
    "html": "inspector.render.html:html",
    "pdf": "inspector.render.pdf:pdf",
}


def document(page: Page, form: str) -> bytes:
    """Return a page in the format with this id, in the language of the window or command."""
    content: bytes = plugins.load(_RENDERERS[form])(page, catalog.current())
    return content
