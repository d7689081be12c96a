"""Pages as the bytes of a document, by the id of its format: "md", "html" or "pdf"."""

from importlib import import_module

from inspector.pages.blocks import Page
from inspector.wording import catalog

_RENDERERS = {  # id: "module:function"; a terminal needs no fonts and no templates
    "md": "inspector.render.markdown:markdown",
    "html": "inspector.render.html:html",
    "pdf": "inspector.render.pdf:pdf",
}


def document(page: Page, form: str) -> bytes:
    """Return a page in the format with this id, in the language of the window or command."""
    module, _, name = _RENDERERS[form].partition(":")
    content: bytes = getattr(import_module(module), name)(page, catalog.current())
    return content
