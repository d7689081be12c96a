"""The text of a PDF, line by line as it is drawn."""

from unittest.mock import patch

from inspector.export.pages.pdf import Paper
from inspector.export.registry import export
from inspector.report.report import PerformanceReport


def pdf_text(report: PerformanceReport) -> str:
    """Export a report as a PDF and return what was written on its sheets."""
    lines, write = list[str](), Paper.draw_text

    def noted(
        paper: Paper, x: float, y: float, text: str, *rest: object, **more: object
    ) -> float:
        lines.append(text)
        return write(paper, x, y, text, *rest, **more)  # type: ignore[arg-type]

    with patch.object(Paper, "draw_text", noted):
        export(report, "pdf")
    return "\n".join(lines)
