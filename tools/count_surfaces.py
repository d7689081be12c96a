"""Count how large the surfaces of the program are: text, tables, charts, and the whole.

A surface is what shows results to people. `SURFACES` is the one list of what belongs to which;
it names today's files and those of the next layout, so that both are counted by the same rule.
Lines of code, lines of comments and docstrings, blank lines and statements are counted apart:
joining lines lowers lines, but not statements. Templates, data and catalogs have rows of their
own, so that code which becomes data does not look like less.

`python -m tools.count_surfaces` prints a table; `--json` prints the same for programs;
`--against COMMIT` adds the difference to a commit; `--against tools/surfaces_baseline.json`
to a stored count; `--files` lists what was counted.
"""

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import reduce
from operator import add
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
COUNTED = ("inspector", "resources", "tests")
TEMPLATES = (".html", ".css", ".js", ".jinja", ".j2")
DATA = (".json", ".txt", ".ts", ".xml", ".snap")

# Each part of a surface: `PATH` or `PATH::DEFINITION`, both with wildcards; `*` matches "/"
# too. A definition is a class or function at the top of a module. Each line counts once, for
# the first part that names it.
SURFACES: Mapping[str, tuple[str, ...]] = {
    # Drawings for files, and classes of the window that paint data by hand. Views in which
    # people work (graph, timeline, pictures, editors of inputs) are no charts.
    "charts: for files": (
        "inspector/pages/charts/*.py",
        "inspector/render/fonts.py",
        "inspector/render/png.py",
        "inspector/render/svg.py",
    ),
    "charts: in the window": (
        "inspector/ui/widgets/chart*.py",
        "inspector/ui/tabs/activations/memory_card.py",
        "inspector/ui/tabs/chat/parts.py::ShareBar",
        "inspector/ui/tabs/chat/time_strip.py",
        "inspector/ui/tabs/chat/token_pane.py::AlternativeList",
        "inspector/ui/tabs/chat/token_pane.py::PartBar",
        "inspector/ui/tabs/improve/verdict_card.py::VerdictCard",
        "inspector/ui/tabs/performance/metric_cards.py::DevicesCard",
        "inspector/ui/tabs/performance/metric_cards.py::LatencyCard",
        "inspector/ui/tabs/preview/outputs/class_bars.py",
        "inspector/ui/tabs/weights/heat_map.py",
    ),
    # Models, painters of cells, headers, and what declares and formats columns; not the cards
    # and filters around a table.
    "tables": (
        "inspector/ui/widgets/table.py",
        "inspector/ui/widgets/table_model.py",
        "inspector/ui/widgets/page_table.py",
        "inspector/ui/*columns.py",
        "inspector/ui/tabs/activations/layer_list.py::ActivationC*",
        "inspector/ui/tabs/activations/layer_list.py::ActivationModel",
        "inspector/ui/views/comparison/layers.py::Layer[RF]*",
        "inspector/ui/views/comparison/layers.py::LayerCells",
        "inspector/ui/views/comparison/tables.py::Text[THC]*",
        "inspector/ui/tabs/diff/changes.py::_ChangePainter",
        "inspector/ui/views/history/history_table.py::History[RC]*",
        "inspector/ui/tabs/improve/before_after.py::_Model",
        "inspector/ui/tabs/improve/before_after.py::_Cells",
        "inspector/ui/tabs/improve/layer_errors_card.py::_Model",
        "inspector/ui/tabs/improve/layer_errors_card.py::_Cells",
        "inspector/ui/tabs/improve/pareto_card.py::Candidate[MC]*",
        "inspector/ui/tabs/improve/sensitivity_card.py::_Model",
        "inspector/ui/tabs/improve/sensitivity_card.py::_Cells",
        "inspector/ui/views/machines/table.py::Matrix[MC]*",
        "inspector/ui/views/machines/table.py::_Head",
        "inspector/ui/tabs/overview/layer_list.py::LayerCells",
        "inspector/ui/tabs/overview/layer_rows.py",
        "inspector/ui/tabs/performance/coverage_card.py::CoverageModel",
        "inspector/ui/tabs/performance/coverage_card.py::CoverageCells",
        "inspector/ui/tabs/performance/coverage_card.py::Column",
        "inspector/ui/tabs/performance/layer_model.py",
        "inspector/ui/tabs/performance/layer_table.py::LayerCells",
        "inspector/ui/tabs/performance/operator_type_table.py::Type[MC]*",
        "inspector/ui/tabs/preview/folder_view.py::FolderModel",
        "inspector/ui/tabs/preview/folder_view.py::FolderCells",
        "inspector/ui/tabs/preview/folder_view.py::Column",
        "inspector/ui/tabs/sweep/cell_table.py::Cell[CMP]*",
        "inspector/ui/tabs/trace/events_table.py::EventColumn",
        "inspector/ui/tabs/trace/events_table.py::EventsModel",
        "inspector/ui/tabs/trace/events_table.py::EventCells",
        "inspector/ui/tabs/weights/weight_list.py::WeightC*",
        "inspector/ui/tabs/weights/weight_list.py::WeightsModel",
        "inspector/ui/window/dialogs/folder_dialog.py::ModelRows",
        "inspector/ui/window/dialogs/folder_dialog.py::ModelColumn",
        "inspector/ui/window/dialogs/folder_dialog.py::_Painter",
        "inspector/ui/window/dialogs/support_dialog.py::Target[CR]*",
        "inspector/ui/window/dialogs/support_dialog.py::Answer[CR]*",
    ),
    "text: pages as values": ("inspector/pages/*.py",),
    "text: renderers": ("inspector/render/*.py",),
    "text: terminal": ("inspector/cli/render/*.py",),
    # What commands print beside their orchestration, by the names that such functions have.
    "text: commands": tuple(
        f"inspector/cli/*.py::{name}"
        for name in (
            "*lines",
            "_line",
            "*_row",
            "_row",
            "_tell",
            "_tell_[st]*",
            "_show*",
            "_list",
            "_text",
            "_details",
            "_of_device",
            "_print",
            "_print_verdicts",
            "_markdown",
            "_trend",
        )
    ),
    "text: documents": ("inspector/export/pages/*.py",),  # gone; the stored count has it
    "text: templates": tuple(
        f"{place}*{suffix}"
        for place in ("resources/report/", "inspector/render/", "inspector/pages/")
        for suffix in (".html", ".css", ".js", ".jinja", ".j2")
    ),
    # Cards of the window that only tell.
    "text: cards": (
        "inspector/ui/widgets/page_view.py",
        "inspector/ui/tabs/overview/about.py",
        "inspector/ui/tabs/overview/cards.py",
        "inspector/ui/tabs/overview/text_cards.py",
        "inspector/ui/tabs/overview/compatibility_card.py",
        "inspector/ui/tabs/overview/shares.py",
        "inspector/ui/tabs/performance/statistics_card.py",
        "inspector/ui/tabs/performance/metric_cards.py::StatisticsCard",
        "inspector/ui/tabs/weights/weight_facts.py",
        "inspector/ui/tabs/trace/findings_list.py",
    ),
}
# What is counted as a whole. Text, tables and charts are parts of the package.
WHOLES: Mapping[str, tuple[str, ...]] = {
    "package: code": ("inspector/*.py",),
    "package: templates": tuple(
        f"{place}/*{suffix}" for place in ("inspector", "resources") for suffix in TEMPLATES
    ),
    "package: catalogs": ("resources/translations/*", "inspector/*/catalog*.json"),
    "package: data": tuple(
        f"{place}/*{suffix}" for place in ("inspector", "resources") for suffix in DATA
    ),
    "tests: code": ("tests/*.py",),
    "tests: golden files and data": tuple(f"tests/*{suffix}" for suffix in (*TEMPLATES, *DATA)),
}
# Classes of the window that paint something else than data: controls, marks, and views in which
# people work. A test sees to it that each class that paints stands here or above.
OTHER_PAINTERS = (
    "inspector/ui/graph/*",
    "inspector/ui/timeline/*",
    "inspector/ui/window/*",
    "inspector/ui/widgets/*",
    "inspector/ui/tabs/chat/legend.py::Legend",
    "inspector/ui/tabs/chat/messages.py::*",
    "inspector/ui/tabs/chat/page.py::_Head",
    "inspector/ui/tabs/chat/parts.py::Switch",
    "inspector/ui/tabs/chat/token_pane.py::_*",
    "inspector/ui/tabs/chat/token_view.py::TokenView",
    "inspector/ui/tabs/diff/graphs.py::_Connection",
    "inspector/ui/tabs/diff/view.py::_Side",
    "inspector/ui/tabs/improve/lists.py::*",
    "inspector/ui/tabs/improve/worst_inputs.py::InputTile",
    "inspector/ui/views/machines/table.py::StatusLegend",
    "inspector/ui/views/machines/words.py::Dot",
    "inspector/ui/tabs/overview/next_steps.py::Proof",
    "inspector/ui/tabs/overview/structure_card.py::ScopeTree",
    "inspector/ui/tabs/overview/value_cards.py::ValueLines",
    "inspector/ui/tabs/performance/progress.py::*",
    "inspector/ui/tabs/performance/tab.py::LegendDock",
    "inspector/ui/tabs/preview/inputs/capture.py::*",
    "inspector/ui/tabs/preview/outputs/image_output.py::WipeView",
    "inspector/ui/tabs/preview/outputs/image_view.py::*",
    "inspector/ui/tabs/preview/outputs/output_list.py::Veil",
    "inspector/ui/tabs/preview/outputs/scene_card.py::SceneView",
    "inspector/ui/tabs/preview/outputs/tensor_output.py::TensorView",
    "inspector/ui/tabs/weights/values_dialog.py::Mosaic",
)
_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|\{#.*?#\}", re.DOTALL)


@dataclass(frozen=True)
class Count:
    """Size of some files.

    Each line is one of code, comment (docstrings too) and blank. Statements are those of
    Python, docstrings left out; other files have none.
    """

    code: int = 0
    comments: int = 0
    blank: int = 0
    statements: int = 0

    @property
    def lines(self) -> int:
        """All lines."""
        return self.code + self.comments + self.blank

    def __add__(self, other: "Count") -> "Count":
        pairs = zip(asdict(self).values(), asdict(other).values(), strict=True)
        return Count(*(one + two for one, two in pairs))

    def __sub__(self, other: "Count") -> "Count":
        pairs = zip(asdict(self).values(), asdict(other).values(), strict=True)
        return Count(*(one - two for one, two in pairs))


@dataclass(frozen=True)
class Definition:
    """A class or function at the top of a module, or "" for the rest, and its size."""

    name: str
    size: Count
    paints: bool = False


Sizes = Mapping[str, Sequence[Definition]]  # path in the repository -> its definitions


def main() -> int:
    """Print the counts; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--against", metavar="COMMIT|FILE", help="show the difference to this")
    parser.add_argument("--files", action="store_true", help="list the parts of each surface")
    options = parser.parse_args()
    sizes = measure(tree_files(ROOT))
    counts = count(sizes)
    before: dict[str, Count] | None = None
    if options.against is not None:
        stored = Path(options.against)
        if stored.is_file():
            rows = json.loads(stored.read_text("utf-8"))
            before = {name: from_json(row) for name, row in rows.items()}
        else:
            try:
                before = count(measure(commit_files(options.against)))
            except subprocess.CalledProcessError as error:
                parser.error(error.stderr.decode("utf-8", "replace").strip())
    if options.json:
        sys.stdout.write(json.dumps(to_json(counts, before), indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(table(counts, before)) + "\n")
    if options.files:
        sys.stdout.write("\n".join(part_lines(sizes)) + "\n")
    return 0


def count(sizes: Sizes) -> dict[str, Count]:
    """Return the size of each surface, their sums, and of each whole."""
    counts = dict.fromkeys(SURFACES, Count())
    for surface, _, definition in surface_parts(sizes):
        counts[surface] += definition.size
    for kind in ("text", "tables", "charts"):
        members = [counts[name] for name in SURFACES if name.partition(":")[0] == kind]
        counts[kind] = reduce(add, members)
    counts |= dict.fromkeys(WHOLES, Count())
    for path, definitions in sizes.items():
        whole = next((name for name, parts in WHOLES.items() if _names(parts, path)), None)
        if whole is not None:
            counts[whole] += reduce(add, (each.size for each in definitions))
    order = sorted(name for name in counts if name not in WHOLES)
    return {name: counts[name] for name in (*order, *WHOLES)}


def surface_parts(sizes: Sizes) -> Iterator[tuple[str, str, Definition]]:
    """Yield each surface with the path and the definition that belong to it."""
    for path, definitions in sizes.items():
        for definition in definitions:
            for surface, parts in SURFACES.items():
                if _names(parts, path, definition.name):
                    yield surface, path, definition
                    break


def unlisted_painters(sizes: Sizes) -> list[str]:
    """Return the classes that paint and stand in no list of this file."""
    listed = {(path, each.name) for _, path, each in surface_parts(sizes)}
    return [
        f"{path}::{each.name}"
        for path, definitions in sizes.items()
        for each in definitions
        if each.paints
        and (path, each.name) not in listed
        and not _names(OTHER_PAINTERS, path, each.name)
    ]


def measure(files: Mapping[str, bytes]) -> dict[str, list[Definition]]:
    """Return the sizes of the definitions of each file; files without text are left out."""
    sizes = {}
    for path, content in sorted(files.items()):
        suffix = PurePosixPath(path).suffix
        if suffix == ".py":
            sizes[path] = python_sizes(content.decode("utf-8"))
        elif suffix in TEMPLATES + DATA:
            sizes[path] = [Definition("", text_size(content.decode("utf-8", "replace")))]
    return sizes


def python_sizes(text: str) -> list[Definition]:
    """Return the size of each definition at the top of a module, and of the rest."""
    tree = ast.parse(text)
    lines = text.splitlines()
    kinds = [_kind_of_line(line) for line in lines]
    for node in ast.walk(tree):
        # Lines inside a string are code, whatever they look like; those of docstrings are not.
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno:
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                kinds[number - 1] = "code"
    for docstring in _docstrings(tree):
        for number in range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1):
            kinds[number - 1] = "comments"
    definitions = []
    taken: set[int] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            span = range(first - 1, node.end_lineno or node.lineno)
            taken.update(span)
            size = _of_kinds([kinds[number] for number in span], _statements(node))
            definitions.append(Definition(node.name, size, _paints(node)))
    others = [kind for number, kind in enumerate(kinds) if number not in taken]
    statements = _statements(tree) - sum(each.size.statements for each in definitions)
    return [*definitions, Definition("", _of_kinds(others, statements))]


def text_size(text: str) -> Count:
    """Return the size of a template or data file."""
    bare = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    kinds = []
    for line, without in zip(text.splitlines(), bare.splitlines(), strict=True):
        comment = not without.strip() or without.lstrip().startswith("//")
        kinds.append("blank" if not line.strip() else "comments" if comment else "code")
    return _of_kinds(kinds, 0)


def tree_files(root: Path) -> dict[str, bytes]:
    """Return the files of a working tree that git follows or would follow."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *COUNTED]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    paths = [root / line for line in listed.stdout.splitlines()]
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in paths if p.is_file()}


def commit_files(commit: str) -> dict[str, bytes]:
    """Return the files of a commit; raises CalledProcessError where there is no such commit."""
    command = ["git", "archive", "--format=tar", commit, *COUNTED]
    archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    files = {}
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as members:
        for member in members:
            content = members.extractfile(member) if member.isfile() else None
            if content is not None:
                files[member.name] = content.read()
    return files


def to_json(
    counts: Mapping[str, Count], before: Mapping[str, Count] | None = None
) -> dict[str, dict[str, int]]:
    """Return the counts for JSON, with the change of each figure where there is a before."""
    rows = {}
    for name, size in counts.items():
        rows[name] = {"lines": size.lines, **asdict(size)}
        if before is not None:
            change = size - before.get(name, Count())
            difference = {"lines": change.lines, **asdict(change)}
            rows[name] |= {f"{key}_change": value for key, value in difference.items()}
    return rows


def from_json(row: Mapping[str, int]) -> Count:
    """Return a stored count."""
    return Count(row["code"], row["comments"], row["blank"], row["statements"])


def table(counts: Mapping[str, Count], before: Mapping[str, Count] | None) -> Iterator[str]:
    """Yield the lines of the table."""
    heads = ("lines", "code", "comments", "blank", "statements")
    width = max(map(len, counts))
    yield " " * width + "".join(f"{head:>11}" for head in heads)
    for name, size in counts.items():
        label = name if ":" not in name else "  " + name.partition(": ")[2]
        if name in WHOLES:
            label = name
        yield f"{label:{width}}" + "".join(f"{getattr(size, head):>11,}" for head in heads)
        if before is not None:
            change = size - before.get(name, Count())
            signed = "".join(f"{getattr(change, head):>+11,}" for head in heads)
            yield " " * width + (signed if change != Count() else f"{'no change':>11}")


def part_lines(sizes: Sizes) -> Iterator[str]:
    """Yield a line for each part of a surface."""
    for surface, path, definition in sorted(surface_parts(sizes), key=lambda part: part[:2]):
        place = f"{path}::{definition.name}" if definition.name else path
        yield f"{surface:24}{definition.size.lines:>6}  {place}"


def _names(parts: Sequence[str], path: str, definition: str = "") -> bool:
    for part in parts:
        pattern, _, name = part.partition("::")
        if fnmatchcase(path, pattern) and (not name or fnmatchcase(definition, name)):
            return True
    return False


def _kind_of_line(line: str) -> str:
    bare = line.strip()
    return "blank" if not bare else "comments" if bare.startswith("#") else "code"


def _of_kinds(kinds: Sequence[str], statements: int) -> Count:
    return Count(kinds.count("code"), kinds.count("comments"), kinds.count("blank"), statements)


def _docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                yield first.value


def _statements(node: ast.AST) -> int:
    found = sum(isinstance(each, ast.stmt) for each in ast.walk(node))
    return found - sum(1 for _ in _docstrings(node))


def _paints(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        isinstance(each, ast.FunctionDef) and each.name == "paintEvent" for each in node.body
    )


if __name__ == "__main__":
    raise SystemExit(main())
