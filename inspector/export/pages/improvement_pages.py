"""An improvement of a model as Markdown for a pull request, one HTML page, PDF or JSON."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from inspector import units
from inspector.comparison.improvement_conditions import subject_of
from inspector.errors import BadInput
from inspector.export.charts.improvement_plot import accuracy_name, pareto_plot
from inspector.export.charts.palette import DARK, LIGHT
from inspector.export.charts.svg import inline_svg
from inspector.export.pages.markdown import code, quoted, table
from inspector.export.pages.model_diff_pages import PAGE_STYLE, colors
from inspector.report.improvement import (
    Accuracy,
    Candidate,
    Improvement,
    change_text,
    headline,
    notable_text,
    to_json,
    value_text,
    verdict_text,
)
from inspector.report.sensitivity import decibels

HEAD = ("Candidate", "Size", "p50", "Latency", "Accuracy", "Verdict")
WORST_HEAD = ("Input", "Original", "Candidate", "Truth")
TARGET_HEAD = ("Device", "Original", "New model")
LAYER_HEAD, _MOST_LAYERS = ("Layer", "Operator", "SQNR", "SQNR drop"), 12


def candidate_rows(improvement: Improvement) -> Iterator[tuple[str, ...]]:
    """Yield a row of HEAD for the original and for each candidate."""
    for candidate in (improvement.original, *improvement.candidates):
        measure = candidate.measure(improvement.main)
        accuracy = accuracy_text(measure, bool(candidate.steps)) if measure else ""
        if not candidate.steps and not accuracy:
            accuracy = "reference"
        timed = candidate.latency
        verdict = verdict_text(improvement, candidate) if candidate.steps else ""
        p50 = units.duration(round(timed.p50_ns)) if timed else ""
        yield (
            candidate.name,
            units.size(candidate.size_bytes) if candidate.size_bytes else "",
            p50,
            latency_text(candidate),
            accuracy,
            verdict,
        )


def latency_text(candidate: Candidate) -> str:
    """Return the change of the latency with its interval: '−44% (−46% to −41%)'."""
    timed = candidate.latency
    if timed is None or timed.change is None:
        return ""
    text = f"{timed.change:+.1%}"
    if timed.low is not None and timed.high is not None:
        text += f" ({timed.low:+.1%} to {timed.high:+.1%})"
    return text.replace("-", "−")


def accuracy_text(measure: Accuracy, with_change: bool = True) -> str:
    """Return an accuracy with its inputs, and its change unless it is the original's."""
    change = change_text(measure) if with_change else ""
    count = units.plural(measure.count, "input") if measure.count else ""
    return ", ".join(filter(None, (value_text(measure), change, count)))


def _notable(improvement: Improvement) -> str:
    return "Also notable:" if improvement.best >= 0 else "Notable:"


def facts(improvement: Improvement) -> Iterator[tuple[str, str]]:
    """Yield what the results rest on: data, device, limit, versions."""
    yield "Model", f"{improvement.model}, SHA-256 {improvement.sha256}"
    yield "Device", improvement.device
    for name, data in (("Test", improvement.test), ("Calibration", improvement.calibration)):
        if data is not None:
            labeled = f", {data.labeled:,} with a label" if data.labeled else ""
            count = units.plural(data.inputs, "input")
            yield name, f"{data.folder}: {count}{labeled}, SHA-256 {data.digest}"
    if improvement.limit is not None and improvement.main:
        points = f"{100 * improvement.limit:.2f} points"
        yield "Limit", f"{accuracy_name(improvement)} may drop by at most {points}"
    if improvement.made_by:
        yield "Created with", ", ".join(improvement.made_by)


def target_rows(improvement: Improvement) -> list[tuple[str, str, str]]:
    """Return for each target the layers that it runs of the original and of the candidate."""
    candidate = subject_of(improvement)
    return [
        (each.target, each.before or "unknown", each.after_text)
        for each in (candidate.targets if candidate is not None else ())
    ]


def layer_rows(improvement: Improvement) -> list[tuple[str, str, str, str]]:
    """Return the layers that add most to the error of the best candidate, or the only one."""
    candidate = subject_of(improvement)
    worst = candidate.worst_layers if candidate is not None else ()
    return [
        (
            units.clip(each.name, 80),
            each.operator,
            decibels(each.sqnr_db),
            "" if each.drop_db is None else f"−{each.drop_db:.1f} dB",
        )
        for each in worst[:_MOST_LAYERS]
    ]


def cautions(improvement: Improvement) -> tuple[str, ...]:
    """Return sentences that belong beside the verdict on the best candidate."""
    candidate = subject_of(improvement)
    return candidate.cautions if candidate is not None else ()


def improvement_markdown(improvement: Improvement) -> bytes:
    """Return the results for a pull request; GitHub's flavor, UTF-8."""
    return "\n".join([*_markdown(improvement), ""]).encode("utf-8", "backslashreplace")


def _markdown(improvement: Improvement) -> Iterator[str]:
    yield f"### {code(improvement.model)}"
    yield from ("", f"**{quoted(headline(improvement))}**", "")
    for text in cautions(improvement):
        yield from (quoted(text), "")
    if also := notable_text(improvement):
        yield from (quoted(f"{_notable(improvement)} {also}"), "")
    cells = (tuple(quoted(cell) for cell in row) for row in candidate_rows(improvement))
    yield from table(HEAD, "lrrrll", cells)
    if improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        yield from ("", f"Recipe: {code(' '.join(best.steps))}", "")
        yield from ("```sh", improvement.command(best), "```", "")
        yield from ("```python", improvement.code(best), "```", "")
        if best.worst:
            yield from ("<details><summary>Worst inputs</summary>", "")
            worst = (
                (code(w.file), quoted(w.original), quoted(w.candidate), quoted(w.truth))
                for w in best.worst
            )
            yield from table(WORST_HEAD, "llll", worst)
            yield "</details>"
    targets = target_rows(improvement)
    if targets:
        yield from ("", "<details><summary>Layers that other devices support</summary>", "")
        yield from table(TARGET_HEAD, "lrr", targets)
        yield "</details>"
    layers = layer_rows(improvement)
    if layers:
        yield from ("", "<details><summary>Layers with the largest errors</summary>", "")
        rows = ((code(row[0]), *map(quoted, row[1:])) for row in layers)
        yield from table(LAYER_HEAD, "llrr", rows)
        yield "</details>"
    yield ""
    yield from (f"- {name}: {quoted(text)}" for name, text in facts(improvement))
    yield from (f"- {quoted(note)}" for note in improvement.notes)


def improvement_html(improvement: Improvement) -> bytes:
    """Return one page that opens in any browser, light and dark, without scripts."""
    return "".join(_html(improvement)).encode("utf-8", "xmlcharrefreplace")


def _html(improvement: Improvement) -> Iterator[str]:
    title = escape(units.clip(improvement.model, 80))
    dark = f"@media (prefers-color-scheme:dark){{:root{{{colors(DARK)}}}}}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title><style>:root{{color-scheme:light dark;{colors(LIGHT)}}}"
    yield f"{dark}{PAGE_STYLE}{_STYLE}</style></head><body><main>"
    yield f"<h1>{escape(headline(improvement))}</h1>"
    yield from (f'<p class="w">{escape(text)}</p>' for text in cautions(improvement))
    if also := notable_text(improvement):
        yield f"<p>{_notable(improvement)} {escape(also)}</p>"
    drawing = pareto_plot(improvement)
    if drawing is not None:
        yield f"<section>{inline_svg(drawing)}</section>"
    yield (
        '<section><table class="c"><tr>'
        + "".join(f"<th>{head}</th>" for head in HEAD)
        + "</tr>"
    )
    for index, row in enumerate(candidate_rows(improvement)):
        best = ' class="best"' if index and index - 1 == improvement.best else ""
        yield f"<tr{best}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield "</table></section>"
    if improvement.best >= 0:
        yield from _best(improvement, improvement.candidates[improvement.best])
    targets = target_rows(improvement)
    if targets:
        yield "<section><p>Layers that other devices support, from the support tables of ONNX "
        yield "Runtime; nothing was run there</p><table><tr>"
        yield "".join(f"<th>{head}</th>" for head in TARGET_HEAD) + "</tr>"
        for target in targets:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in target) + "</tr>"
        yield "</table></section>"
    layers = layer_rows(improvement)
    if layers:
        yield "<section><p>Layers with the largest errors: the SQNR of their outputs, and the "
        yield "drop from the SQNR of their inputs</p><table><tr>"
        yield "".join(f"<th>{head}</th>" for head in LAYER_HEAD) + "</tr>"
        for cells in layers:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        yield "</table></section>"
    yield "<section><table>"
    for name, text in facts(improvement):
        yield f'<tr><td class="d">{escape(name)}</td><td>{escape(text)}</td></tr>'
    yield "</table>"
    yield "".join(f'<p class="d">{escape(note)}</p>' for note in improvement.notes)
    yield "</section></main></body></html>\n"


_STYLE = """
.best td{font-weight:600}
.w{color:var(--caution)}
.c td:nth-child(2),.c td:nth-child(3){white-space:nowrap}
pre{margin:6px 0;overflow-x:auto}
"""


def _best(improvement: Improvement, best: Candidate) -> Iterator[str]:
    yield f"<section><p>Recipe: <code>{escape(' '.join(best.steps))}</code></p>"
    for text in (improvement.command(best), improvement.code(best)):
        yield f"<pre><code>{escape(text)}</code></pre>"
    yield "</section><section><table>"
    for measure in best.accuracy:
        count = units.plural(measure.count, "input")
        yield f"<tr><td>{escape(measure.name)}</td><td>{escape(accuracy_text(measure))}</td>"
        yield f'<td class="d">{count}</td></tr>'
    yield "</table></section>"
    if best.worst:
        yield "<section><p>Worst inputs</p><table><tr>"
        yield "".join(f"<th>{head}</th>" for head in WORST_HEAD) + "</tr>"
        for w in best.worst:
            texts = (w.file, w.original, w.candidate, w.truth)
            yield "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in texts) + "</tr>"
        yield "</table></section>"


def improvement_pdf(improvement: Improvement) -> bytes:
    """Return the results on A4 sheets, with the plot as vectors."""
    from inspector.export.pages.pdf import ROOM, Column, Paper

    name = units.clip(improvement.model, 80)
    paper = Paper(f"{name}: improvement", name)
    paper.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))  # the same results, the same file
    paper.y += 16
    paper.draw_text(
        paper.l_margin, paper.y, paper.fitted(name, ROOM, 16, bold=True), 16, bold=True
    )
    paper.y += 6
    paper.paragraph(headline(improvement), 10, "text")
    for text in cautions(improvement):
        paper.paragraph(text, 8.5, "caution")
    if also := notable_text(improvement):
        paper.paragraph(f"{_notable(improvement)} {also}", 9, "text")
    drawing = pareto_plot(improvement)
    if drawing is not None:
        paper.y += 8
        paper.y += paper.drawing(drawing, paper.l_margin, ROOM)

    def table_of(
        title: str, about: str, columns: tuple[Column, ...], cells: Iterable[tuple[str, ...]]
    ) -> None:
        paper.heading(title, about)
        paper.table_head(columns)
        for row in cells:
            paper.table_row(columns, row)

    count = units.plural(len(improvement.candidates), "candidate")
    paper.heading("Candidates", count)
    columns = (
        Column(HEAD[0], 235), Column(HEAD[1], 70, "R"), Column(HEAD[2], 70, "R"),
        Column(HEAD[3], 140, "R"),
    )  # fmt: skip
    paper.table_head(columns)
    for *cells, accuracy, verdict in candidate_rows(improvement):
        paper.need(30)
        paper.table_row(columns, cells, with_rule=False)
        paper.paragraph(". ".join(filter(None, (accuracy, verdict))), 7.5)
        paper.y += 3
        paper.rule("hairline")
    if improvement.best >= 0:
        best = improvement.candidates[improvement.best]
        paper.heading("Recipe", " ".join(best.steps))
        paper.paragraph(improvement.command(best), 8, "text")
        if best.worst:
            wide = (Column(WORST_HEAD[0], 185), *(Column(head, 110) for head in WORST_HEAD[1:]))
            found = ((w.file, w.original, w.candidate, w.truth) for w in best.worst)
            table_of("Worst inputs", "largest changes first", wide, found)
    targets, layers = target_rows(improvement), layer_rows(improvement)
    if targets:
        wide = (Column(TARGET_HEAD[0], 255), *(Column(head, 130) for head in TARGET_HEAD[1:]))
        table_of("Layers that other devices support", "from the support tables", wide, targets)
    if layers:
        sides = ("L", "L", "R", "R")
        sizes = (265, 90, 80, 80)
        wide = tuple(map(Column, LAYER_HEAD, sizes, sides))
        table_of("Layers with the largest errors", "SQNR of their outputs", wide, layers)
    paper.heading("Data and software")
    for of, text in facts(improvement):
        paper.paragraph(f"{of}: {text}", 7.5)
    for note in improvement.notes:
        paper.paragraph(f"Note: {note}", 7.5)
    return bytes(paper.output())


WRITERS: dict[str, Callable[[Improvement], bytes]] = {
    ".html": improvement_html,
    ".pdf": improvement_pdf,
    ".md": improvement_markdown,
    ".json": to_json,
}


def improvement_file(improvement: Improvement, path: Path) -> bytes:
    """Return the results in the format of a file name. Raises BadInput: no such format."""
    check_suffix(path)
    return WRITERS[path.suffix.lower()](improvement)


def check_suffix(path: Path) -> None:
    """Raise BadInput unless results can be saved under this name."""
    if path.suffix.lower() not in WRITERS:
        name = units.clip(path.name, 40)
        why = f"results cannot be saved as '{name}'"
        hint = f"Choose a name that ends in one of {', '.join(WRITERS)}."
        raise BadInput(f"Could not save {name}", why, hint)
