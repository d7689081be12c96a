"""An improvement of a model as Markdown for a pull request, one HTML page, PDF or JSON."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from inspector import units
from inspector.errors import BadInput
from inspector.export.charts.improvement_plot import pareto_plot
from inspector.export.charts.palette import DARK, LIGHT
from inspector.export.charts.svg import inline_svg
from inspector.export.pages.improvement_rows import (
    HEAD,
    LAYER_HEAD,
    TARGET_HEAD,
    WORST_HEAD,
    accuracy_text,
    candidate_rows,
    cautions,
    facts,
    layer_rows,
    notable_prefix,
    target_rows,
)
from inspector.export.pages.markdown import code, quoted, table
from inspector.export.pages.model_diff_pages import PAGE_STYLE, colors
from inspector.export.registry import Subject, formats_of
from inspector.report.improvement import Candidate, Improvement, headline, notable_text


def improvement_markdown(improvement: Improvement) -> bytes:
    """Return the results for a pull request; GitHub's flavor, UTF-8."""
    return "\n".join([*_markdown(improvement), ""]).encode("utf-8", "backslashreplace")


def _markdown(improvement: Improvement) -> Iterator[str]:
    yield f"### {code(improvement.model)}"
    yield from ("", f"**{quoted(headline(improvement))}**", "")
    for text in cautions(improvement):
        yield from (quoted(text), "")
    if also := notable_text(improvement):
        yield from (quoted(f"{notable_prefix(improvement)} {also}"), "")
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
        yield f"<p>{notable_prefix(improvement)} {escape(also)}</p>"
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
        yield f"<tr><td>{escape(measure.name)}</td><td>{escape(accuracy_text(measure))}</td>"
        yield "</tr>"
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
    from inspector.export.charts.paper import ROOM, Column, Paper
    from inspector.export.pages.pdf import candidate_table

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
        paper.paragraph(f"{notable_prefix(improvement)} {also}", 9, "text")
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
    candidate_table(paper, improvement)
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


def improvement_file(improvement: Improvement, path: Path) -> bytes:
    """Return the results in the format of a file name. Raises BadInput: no such format."""
    check_suffix(path)
    forms = {each.suffix: each for each in formats_of(Subject.IMPROVEMENT)}
    return bytes(forms[path.suffix.lower()].writer(improvement))


def check_suffix(path: Path) -> None:
    """Raise BadInput unless results can be saved under this name."""
    suffixes = [each.suffix for each in formats_of(Subject.IMPROVEMENT)]
    if path.suffix.lower() not in suffixes:
        name = units.clip(path.name, 40)
        why = f"results cannot be saved as '{name}'"
        hint = f"Choose a name that ends in one of {', '.join(suffixes)}."
        raise BadInput(f"Could not save {name}", why, hint)
