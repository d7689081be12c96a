"""The differences between two models as text for a terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.cli.render.comparison import short, table, wrapped_text

if TYPE_CHECKING:
    from inspector.comparison.model_changes import ModelDiff

MOST_GROUPS, MOST_LAYERS, MOST_DETAIL = 24, 4, 90


def lines(diff: "ModelDiff", paths: tuple[Path, Path]) -> Iterator[str]:
    """Yield both models, the summary, counts, and changes in groups."""
    from inspector.comparison.change_groups import layer_rows, sqnr_text
    from inspector.export.pages.model_diff_pages import FACTS, MARKS, count_texts, facts

    heads = ["", "", *(name.lower() for name in FACTS)]
    rows = [
        [letter, units.clip(str(path)), *facts(model)]
        for letter, path, model in zip("AB", paths, (diff.first, diff.other), strict=True)
    ]
    yield from table([heads, *rows], "llrrrr")
    yield ""
    yield from (line.removeprefix("  ") for line in wrapped_text(diff.summary))
    yield from ("", *(f"  {text}" for text in count_texts(diff)))
    if not diff.groups:
        return
    yield from ("", "Changes")
    for group in diff.groups[:MOST_GROUPS]:
        values = sqnr_text(diff.pairs[place] for place in group.pairs)
        detail = units.clip(group.detail, MOST_DETAIL)
        message = "  ".join(filter(None, (group.title, detail, values)))
        yield f"  {MARKS[group.state].replace('−', '-')} {message}"
        members = layer_rows(diff, group)
        for name, text in members[:MOST_LAYERS]:
            yield f"      {short(name)}  {units.clip(text, MOST_DETAIL)}".rstrip()
        if len(members) > MOST_LAYERS:
            yield f"      and {len(members) - MOST_LAYERS:,} more"
    if len(diff.groups) > MOST_GROUPS:
        more = units.plural(len(diff.groups) - MOST_GROUPS, "more group")
        yield f"  and {more}; --json has all"
