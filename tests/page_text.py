"""Pages as text, for tests of what they say."""

import html
import re

from inspector.pages.blocks import Page, Rank
from inspector.pages.report.page import report_page
from inspector.render import documents, terminal
from inspector.report.report import PerformanceReport

_WIDE = 10_000  # letters: no sentence is wrapped


def text(page: Page, rank: Rank = Rank.FOLDED) -> str:
    """Return a page as a terminal shows it, by default with all its sections."""
    return "\n".join(terminal.lines(page, terminal.Terminal(_WIDE, rank=rank)))


def report_text(report: PerformanceReport, rank: Rank = Rank.FOLDED) -> str:
    """Return the page of a report as text."""
    return text(report_page(report), rank)


def document(page: Page, form: str) -> str:
    """Return a page as "md" or "html"."""
    return documents.document(page, form).decode()


def words(body: str) -> str:
    """Return what a reader of HTML sees, in one line."""
    shown = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", body, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", shown)).split())
