"""Draw which package imports which, as an SVG, and print the counts.

Run `python -m tools.draw_imports` in the repository root: it writes docs/pictures/imports.svg.
Nodes are the names at the top of `inspector/`; an arrow points from the importer up to what it
imports. The rows are import levels: a node is one level below the lowest node that it imports.
Dark arrows are those that no longer path implies; the others are light.
"""

import ast
import re
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from pathlib import Path

from tools.syntax_trees import no_collection

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "inspector"
LAYER_TABLE = ROOT / "tests" / "test_architecture.py"
PICTURE = ROOT / "docs" / "pictures" / "imports.svg"

# Sizes in pixels of the SVG.
NODE_WIDTH, NODE_HEIGHT = 132, 46
COLUMN_GAP, ROW_GAP, MARGIN = 34, 44, 24
LEGEND_HEIGHT = 40
FILLS = ("#dbeafe", "#dcfce7", "#fef3c7", "#fce7f3", "#ede9fe", "#e5e7eb")  # one a group


@dataclass(frozen=True)
class ImportGraph:
    """Imports between the top-level names of a package.

    modules: number of files of each node. arrows: number of import statements from one node to
    another. layers: all nodes, upper layer first. groups: the group of layers of each node.
    """

    modules: Mapping[str, int]
    arrows: Mapping[tuple[str, str], int]
    layers: tuple[str, ...]
    groups: Mapping[str, str]

    def imports_of(self, node: str) -> list[str]:
        """Return the nodes that a node imports."""
        return sorted(target for source, target in self.arrows if source == node)

    @property
    def upward(self) -> list[tuple[str, str]]:
        """Arrows against the order of the layers: an upper layer imports a lower one."""
        place = {name: index for index, name in enumerate(self.layers)}
        return sorted(arrow for arrow in self.arrows if place[arrow[1]] > place[arrow[0]])

    @cached_property
    def cycles(self) -> list[tuple[str, ...]]:
        """Groups of nodes that import each other, each as a sorted tuple."""
        reach = {node: self._reachable(node) for node in self.modules}
        rings = {
            tuple(sorted({node, *(other for other in reach[node] if node in reach[other])}))
            for node in self.modules
            if node in reach[node]
        }
        return sorted(rings)

    @cached_property
    def levels(self) -> dict[str, int]:
        """The import level of each node, 0 for one that imports nothing of the package."""
        levels: dict[str, int] = {}
        ring_members = {node for ring in self.cycles for node in ring}

        def level(node: str) -> int:
            if node not in levels:
                levels[node] = 0  # ends the walk inside a cycle
                below = [level(t) for t in self.imports_of(node) if t not in ring_members]
                levels[node] = 1 + max(below, default=-1)
            return levels[node]

        for node in self.modules:
            level(node)
        return levels

    def is_implied(self, source: str, target: str) -> bool:
        """Tell whether a longer path leads from source to target."""
        return any(
            target in self._reachable(middle)
            for middle in self.imports_of(source)
            if middle != target
        )

    def _reachable(self, node: str) -> set[str]:
        reached: set[str] = set()
        waiting = self.imports_of(node)
        while waiting:
            following = waiting.pop()
            if following not in reached:
                reached.add(following)
                waiting += self.imports_of(following)
        return reached


def read_imports(package: Path = PACKAGE, layer_table: Path = LAYER_TABLE) -> ImportGraph:
    """Read the imports of every module, those inside functions included."""
    modules: Counter[str] = Counter()
    arrows: Counter[tuple[str, str]] = Counter()
    for path in sorted(package.rglob("*.py")):
        node = path.relative_to(package).parts[0].removesuffix(".py")
        modules[node] += 1
        for name in imported_names(path):
            top, _, rest = name.partition(".")
            target = rest.partition(".")[0]
            # Names that are no module of the package are attributes of inspector/__init__.py.
            if top == package.name and target != node and _is_module(package, target):
                arrows[node, target] += 1
    groups = _layer_groups(layer_table.read_text("utf-8"))
    return ImportGraph(modules, arrows, tuple(groups), groups)


@cache
def imported_names(path: Path) -> tuple[str, ...]:
    """Return what a file imports, also inside functions: "a.b" for `from a import b`."""
    names: list[str] = []
    with no_collection():
        tree = ast.parse(path.read_text("utf-8"))
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements inside a node. Expressions, most of a file, import nothing."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from _statements(child)


def _is_module(package: Path, name: str) -> bool:
    return bool(name) and ((package / name).is_dir() or (package / f"{name}.py").is_file())


def _layer_groups(source: str) -> dict[str, str]:
    """Return {node: group} in the order of the table LAYERS; comment lines name the groups."""
    table = re.search(r"^LAYERS = \(\n(.*?)^\)", source, re.DOTALL | re.MULTILINE)
    if table is None:
        raise ValueError(f"{LAYER_TABLE.name} has no table LAYERS")
    groups, group = dict[str, str](), ""
    for line in table[1].splitlines():
        text = line.strip()
        if text.startswith("#"):
            group = text.lstrip("# ")
        elif name := re.match(r'"(\w+)"', text):
            groups[name[1]] = group
    return groups


def to_svg(graph: ImportGraph) -> str:
    """Return the picture: a row for each level, the nodes without imports at the top."""
    rows: dict[int, list[str]] = {}
    for node in sorted(graph.modules, key=graph.layers.index):
        rows.setdefault(graph.levels[node], []).append(node)
    widest = max(len(row) for row in rows.values())
    width = 2 * MARGIN + max(widest * (NODE_WIDTH + COLUMN_GAP), 6 * NODE_WIDTH)
    height = 2 * MARGIN + len(rows) * (NODE_HEIGHT + ROW_GAP) + LEGEND_HEIGHT
    places: dict[str, tuple[float, float]] = {}
    for level, row in rows.items():
        span = len(row) * (NODE_WIDTH + COLUMN_GAP) - COLUMN_GAP
        # Rows of one node are moved aside in turn, so that long arrows do not cross nodes.
        shift = (
            (-1, 1)[level % 2] * (NODE_WIDTH + COLUMN_GAP) * (0.75 if len(row) == 1 else 0.25)
        )
        for index, node in enumerate(row):
            x = (width - span) / 2 + shift + index * (NODE_WIDTH + COLUMN_GAP)
            places[node] = x, MARGIN + level * (NODE_HEIGHT + ROW_GAP)
    group_names = list(dict.fromkeys(graph.groups.values()))
    fills = {name: FILLS[index % len(FILLS)] for index, name in enumerate(group_names)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif">',
        "<title>Imports between the packages of Inspector</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#475569"/>'
        "</marker>",
    ]
    implied = {arrow: graph.is_implied(*arrow) for arrow in graph.arrows}
    parts += [
        _arrow(places, arrow, graph.arrows[arrow], implied[arrow])
        for arrow in sorted(graph.arrows, key=lambda each: (not implied[each], each))
    ]
    for node, (x, y) in places.items():
        files = graph.modules[node]
        parts.append(
            f'<g><rect x="{x:g}" y="{y:g}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="6" '
            f'fill="{fills[graph.groups[node]]}" stroke="#475569"/>'
            f'<text x="{x + NODE_WIDTH / 2:g}" y="{y + 20:g}" font-size="14" font-weight="600" '
            f'text-anchor="middle" fill="#0f172a">{escape(node)}</text>'
            f'<text x="{x + NODE_WIDTH / 2:g}" y="{y + 37:g}" font-size="11" '
            f'text-anchor="middle" fill="#334155">{files} module{"s" * (files != 1)}</text></g>'
        )
    parts += _legend(fills, height - LEGEND_HEIGHT)
    return "\n".join([*parts, "</svg>", ""])


def _arrow(
    places: Mapping[str, tuple[float, float]],
    arrow: tuple[str, str],
    count: int,
    is_implied: bool,
) -> str:
    (from_x, from_y), (to_x, to_y) = (places[node] for node in arrow)
    from_x, to_x, to_y = from_x + NODE_WIDTH / 2, to_x + NODE_WIDTH / 2, to_y + NODE_HEIGHT
    bend = max(ROW_GAP, (from_y - to_y) / 2)
    color, opacity = ("#94a3b8", 0.35) if is_implied else ("#475569", 0.95)
    tip = "" if is_implied else ' marker-end="url(#tip)"'
    line_width = min(4.0, 0.8 + count / 60)  # 60 import statements make a line 1 px wider
    return (
        f'<path d="M{from_x:g} {from_y:g}C{from_x:g} {from_y - bend:g} {to_x:g} '
        f'{to_y + bend:g} {to_x:g} {to_y:g}" fill="none" stroke="{color}" '
        f'stroke-opacity="{opacity}" stroke-width="{line_width:.1f}"'
        f"{tip}>"
        f"<title>{escape(arrow[0])} imports {escape(arrow[1])} {count} times</title></path>"
    )


def _legend(fills: Mapping[str, str], y: float) -> Iterator[str]:
    for index, (name, fill) in enumerate(fills.items()):
        x = MARGIN + index * NODE_WIDTH
        yield f'<rect x="{x}" y="{y:g}" width="14" height="14" fill="{fill}" stroke="#475569"/>'
        yield f'<text x="{x + 20}" y="{y + 12:g}" font-size="12">{escape(name)}</text>'


def describe(graph: ImportGraph) -> Iterable[str]:
    """Return the lines that the command prints."""
    yield f"{len(graph.modules)} top-level nodes, {sum(graph.modules.values())} modules"
    yield f"{len(graph.arrows)} arrows, {sum(graph.arrows.values())} imports between nodes"
    yield f"{max(graph.levels.values()) + 1} levels"
    yield f"{len(graph.cycles)} cycles"
    yield from (f"  {' - '.join(ring)}" for ring in graph.cycles)
    yield f"{len(graph.upward)} upward arrows"
    yield from (f"  {source} imports {target}" for source, target in graph.upward)


def main(arguments: list[str]) -> int:
    """Write the picture and print the counts; 1 if there is a cycle or an upward arrow."""
    parser = ArgumentParser(prog="python -m tools.draw_imports", description=__doc__)
    parser.add_argument("--output", type=Path, default=PICTURE, help="default: %(default)s")
    output: Path = parser.parse_args(arguments).output
    graph = read_imports()
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(to_svg(graph), "utf-8")
    print("\n".join(describe(graph)))
    return 1 if graph.cycles or graph.upward else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
