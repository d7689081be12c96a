"""The text of a PDF, line by line as it is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from inspector.render.paper import Paper
from inspector.render.registry import export
from inspector.report.report import PerformanceReport


@contextmanager
def lines_drawn() -> Iterator[list[str]]:
    """Collect what is written on sheets meanwhile."""
    lines, write = list[str](), Paper.draw_text

    def noted(
        paper: Paper, x: float, y: float, text: str, *rest: object, **more: object
    ) -> float:
        lines.append(text)
        return write(paper, x, y, text, *rest, **more)

    with patch.object(Paper, "draw_text", noted):
        yield lines


def pdf_text(report: PerformanceReport) -> str:
    """Export a report as a PDF and return what was written on its sheets."""
    with lines_drawn() as lines:
        export(report, "pdf")
    return "\n".join(lines)
