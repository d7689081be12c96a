"""The differences between two models as Markdown for a pull request, and as one HTML page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from inspector import units
from inspector.comparison.change_groups import layer_rows, sqnr_text
from inspector.comparison.ci_conditions import Finding
from inspector.comparison.model_changes import ChangeGroup, ModelDiff, State
from inspector.export.charts.palette import DARK, LIGHT, Palette
from inspector.export.pages.markdown import code, quoted, table
from inspector.model.model import Model

MOST_GROUPS, MOST_LAYERS = 20, 10  # of a pull request's comment
MOST_PAGE_LAYERS = 200  # of one group on a page
MARKS = {State.NEW: "+", State.GONE: "−", State.CHANGED: "~", State.MOVED: "→", State.SAME: "="}


@dataclass(frozen=True, slots=True)
class AtAGlance:
    """What the window's first table says of two models.

    verdict: its sentence. rows: texts of A, of B and of the change by what they are about.
    latency: the verdict on the latencies with its interval, "" where one was not measured.
    """

    verdict: str
    rows: Mapping[str, tuple[str, str, str]]
    latency: str = ""


_GLANCE_HEAD = ("A", "B", "B compared with A")


def facts(model: Model) -> list[str]:
    """Return the facts on one of two models: name, layers, parameters, size, opset."""
    opset = next((str(o.version) for o in model.opsets if not o.domain), "none")
    return [
        f"{len(model.layers):,}",
        units.count(model.parameters),
        units.size(model.size_bytes),
        opset,
    ]


FACTS = ("Layers", "Parameters", "Size", "Opset")


def count_texts(diff: ModelDiff) -> list[str]:
    """Return the number of layers and weights by state, without states that none has."""
    layers = [f"{diff.counts[state.value]:,} {state.label}" for state in State
              if diff.counts[state.value]]  # fmt: skip
    if diff.counts["renamed"]:
        layers.append(f"{diff.counts['renamed']:,} renamed")
    names = {"new": "added", "gone": "removed"} | {
        name: name for name in ("changed", "same", "renamed", "folded")
    }
    weights = [f"{diff.weight_counts[name]:,} {text}" for name, text in names.items()
               if diff.weight_counts[name]]  # fmt: skip
    if diff.weight_counts["unknown"]:
        weights.append(f"{diff.weight_counts['unknown']:,} not readable")
    return [
        f"Layers: {', '.join(layers) or 'none'}",
        f"Weights: {', '.join(weights) or 'none'}",
    ]


def model_diff_markdown(
    diff: ModelDiff, findings: Sequence[Finding] = (), glance: AtAGlance | None = None
) -> bytes:
    """Return summary, what was measured, conditions and changes; GitHub's flavor, UTF-8."""
    lines = [*_markdown(diff, findings, glance), ""]
    return "\n".join(lines).encode("utf-8", "backslashreplace")


def _markdown(
    diff: ModelDiff, findings: Sequence[Finding], glance: AtAGlance | None
) -> Iterator[str]:
    first, other = diff.first, diff.other
    yield f"### {code(first.name)} and {code(other.name)}"
    yield from ("", f"**{quoted(diff.summary)}**", "")
    if glance is not None:
        yield from (quoted(glance.verdict), "")
        yield from table(
            ("", *_GLANCE_HEAD), "llll",
            ((quoted(name), *map(quoted, texts)) for name, texts in glance.rows.items()),
        )  # fmt: skip
        yield ""
        if glance.latency:
            yield from (quoted(glance.latency), "")
    rows = [("A", code(first.name), *facts(first)), ("B", code(other.name), *facts(other))]
    yield from table(("", "Model", *FACTS), "llrrrr", rows)
    yield ""
    yield from (f"- {text}" for text in count_texts(diff))
    if findings:
        yield ""
        yield from table(
            ("Condition", "Outcome", "Value"), "lll",
            ((code(f.condition.text), f.outcome.label, quoted(f.text)) for f in findings),
        )  # fmt: skip
    if not diff.groups:
        return
    yield ""
    shown = diff.groups[:MOST_GROUPS]
    yield from table(
        ("", "Change", "Detail", "Values"), "lllr",
        ((f"`{MARKS[g.state]}`", quoted(g.title), quoted(g.detail),
          sqnr_text(diff.pairs[p] for p in g.pairs)) for g in shown),
    )  # fmt: skip
    if len(diff.groups) > len(shown):
        yield from ("", f"and {units.plural(len(diff.groups) - len(shown), 'more group')}")
    yield from ("", "<details><summary>Changed layers and properties</summary>", "")
    for group in shown:
        yield from (f"**{quoted(group.title)}**", "")
        rows_ = layer_rows(diff, group)
        for name, text in rows_[:MOST_LAYERS]:
            yield f"- {code(name)}{': ' if text else ''}{quoted(text)}"
        if len(rows_) > MOST_LAYERS:
            yield f"- and {len(rows_) - MOST_LAYERS:,} more"
        yield ""
    yield "</details>"


def model_diff_html(
    diff: ModelDiff, findings: Sequence[Finding] = (), glance: AtAGlance | None = None
) -> bytes:
    """Return one page that opens in any browser, light and dark, without scripts."""
    return "".join(_html(diff, findings, glance)).encode("utf-8", "xmlcharrefreplace")


PAGE_STYLE = """
body{margin:0;background:var(--window);color:var(--text);
 font:14px/1.45 Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:960px;margin:0 auto;padding:24px 16px}
h1{font-size:18px;font-weight:600;margin:0 0 12px}
section{background:var(--surface);border:1px solid var(--border);border-radius:8px;
 padding:12px 16px;margin:12px 0;overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{font-weight:500;color:var(--secondary);text-align:left}
td,th{padding:4px 12px 4px 0;border-bottom:1px solid var(--hairline);vertical-align:top}
.n{text-align:right}
summary{cursor:pointer;padding:5px 0}
.m{display:inline-block;width:18px;font-weight:600;text-align:center;margin-right:6px}
.new{color:var(--good)}.gone{color:var(--bad)}.changed,.moved{color:var(--caution)}
.d{color:var(--secondary)}
code{font:12px/1.5 "JetBrains Mono",ui-monospace,monospace}
details ul{margin:2px 0 10px;padding-left:40px}
"""
_COLORS = (
    "window",
    "surface",
    "border",
    "hairline",
    "text",
    "secondary",
    "good",
    "bad",
    "caution",
)


def _html(
    diff: ModelDiff, findings: Sequence[Finding], glance: AtAGlance | None
) -> Iterator[str]:
    first, other = diff.first, diff.other
    title = escape(f"{units.clip(first.name, 80)} and {units.clip(other.name, 80)}")
    dark = f"@media (prefers-color-scheme:dark){{:root{{{colors(DARK)}}}}}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title><style>:root{{color-scheme:light dark;{colors(LIGHT)}}}"
    yield f"{dark}{PAGE_STYLE}</style></head><body><main><h1>{escape(diff.summary)}</h1>"
    if glance is not None:
        yield f"<section><p><b>{escape(glance.verdict)}</b></p><table><tr><th></th>"
        yield "".join(f"<th>{name}</th>" for name in _GLANCE_HEAD) + "</tr>"
        for name, texts in glance.rows.items():
            cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
            yield f'<tr><td class="d">{escape(name)}</td>{cells}</tr>'
        yield "</table>"
        if glance.latency:
            yield f'<p class="d">{escape(glance.latency)}</p>'
        yield "</section>"
    yield "<section><table><tr><th></th><th>Model</th>"
    yield "".join(f'<th class="n">{name}</th>' for name in FACTS) + "</tr>"
    for letter, model in (("A", first), ("B", other)):
        cells = "".join(f'<td class="n">{escape(text)}</td>' for text in facts(model))
        name = escape(units.clip(model.name, 120))
        yield f"<tr><td>{letter}</td><td>{name}</td>{cells}</tr>"
    yield "</table>"
    yield "".join(f'<p class="d">{escape(text)}</p>' for text in count_texts(diff))
    yield "</section>"
    if findings:
        yield "<section><table><tr><th>Condition</th><th>Outcome</th><th>Value</th></tr>"
        for f in findings:
            yield f"<tr><td><code>{escape(f.condition.text)}</code></td>"
            yield f"<td>{escape(f.outcome.label)}</td><td>{escape(f.text)}</td></tr>"
        yield "</table></section>"
    if diff.groups:
        yield "<section>"
        for group in diff.groups:
            yield from _group(diff, group)
        yield "</section>"
    yield "</main></body></html>\n"


def _group(diff: ModelDiff, group: ChangeGroup) -> Iterator[str]:
    values = sqnr_text(diff.pairs[place] for place in group.pairs)
    detail = " · ".join(filter(None, (group.detail, values)))
    yield f'<details><summary><span class="m {group.state.value}">{MARKS[group.state]}</span>'
    yield f'<b>{escape(group.title)}</b> <span class="d">{escape(detail)}</span></summary><ul>'
    rows = layer_rows(diff, group)
    for name, text in rows[:MOST_PAGE_LAYERS]:
        yield f'<li><code>{escape(name)}</code> <span class="d">{escape(text)}</span></li>'
    if len(rows) > MOST_PAGE_LAYERS:
        yield f"<li>and {len(rows) - MOST_PAGE_LAYERS:,} more</li>"
    yield "</ul></details>"


def colors(palette: Palette) -> str:
    """Return the colors of a palette as CSS variables."""
    return "".join(f"--{name}:{getattr(palette, name)};" for name in _COLORS)
