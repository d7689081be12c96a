"""Count what the rules of style are about, so that each change of them can be seen.

`python -m tools.count_style` prints a table; `--json` prints the same for programs;
`--against COMMIT` adds the difference to a commit; `--list COUNT` shows the places of one.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tools import count_surfaces, dead_names, text_comparisons
from tools.syntax_trees import syntax_trees

LONG_FILE = 600  # lines of a file from which it is a reason to look; docs/architecture.md
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")

Modules = Mapping[str, tuple[str, ast.Module]]  # path -> text and tree


def main() -> int:
    """Print the counts; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--against", metavar="COMMIT", help="show the difference to this")
    parser.add_argument("--list", metavar="COUNT", choices=sorted(COUNTS), help="show places")
    options = parser.parse_args()
    if options.list is not None:
        sys.stdout.writelines(f"{place}\n" for place in COUNTS[options.list](package()))
        return 0
    counts = count(package())
    before: dict[str, int] | None = None
    if options.against is not None:
        try:
            before = count_commit(options.against)
        except subprocess.CalledProcessError as error:
            parser.error(error.stderr.decode("utf-8", "replace").strip())
    if options.json:
        rows = {
            name: {"count": number}
            | ({} if before is None else {"change": number - before[name]})
            for name, number in counts.items()
        }
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return 0
    for name, number in counts.items():
        change = "" if before is None else f"{number - before[name]:>+8,}"
        sys.stdout.write(f"{name:24}{number:>8,}{change}\n")
    return 0


def count(modules: Modules) -> dict[str, int]:
    """Return the number of places of each count."""
    return {name: sum(1 for _ in places(modules)) for name, places in COUNTS.items()}


def count_commit(commit: str) -> dict[str, int]:
    """Return the counts of a commit; raises CalledProcessError where there is none."""
    files = count_surfaces.commit_files(commit)
    with tempfile.TemporaryDirectory() as name:
        for path, content in files.items():
            place = Path(name) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return count(package(Path(name)))


def package(root: Path = dead_names.ROOT) -> dict[str, tuple[str, ast.Module]]:
    """Return the text and the tree of each module of the package below a root."""
    trees = syntax_trees(root / "inspector")
    return {path.as_posix(): module for path, module in trees.items()}


def functions(modules: Modules) -> Iterator[str]:
    """Yield the place of each function and method."""
    for path, node in _nodes(modules):
        if isinstance(node, _FUNCTIONS):
            yield f"{path}:{node.lineno} {node.name}"


def inner_imports(modules: Modules) -> Iterator[str]:
    """Yield the place of each import inside a function, and of each library imported by name.

    By name: `import_module(...)` in a function, `LateModule(...)` anywhere.
    """
    for path, (text, tree) in modules.items():
        source = text.splitlines()
        found = set[int]()
        for function in _outermost_functions(tree):
            own = source[function.lineno - 1 : function.end_lineno]
            if any("import" in line for line in own):  # to walk them all takes seconds
                found.update(_import_lines(function))
        if "LateModule(" in text:
            calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
            found |= {node.lineno for node in calls if _called(node) == "LateModule"}
        yield from (f"{path}:{line}" for line in sorted(found))


def unexplained_imports(modules: Modules) -> Iterator[str]:
    """Yield each of `inner_imports` without a comment on what it buys, on its line or above."""
    for place in inner_imports(modules):
        path, _, number = place.rpartition(":")
        lines = modules[path][0].splitlines()
        above, own = lines[int(number) - 2], lines[int(number) - 1]
        if "# " not in own and not above.lstrip().startswith("# "):
            yield f"{place} {own.strip()}"


def late_constants(modules: Modules) -> Iterator[str]:
    """Yield the first constant of each module that stands after a function or class.

    A table that needs what stands above it, as its values or in its annotation, has to.
    """
    for path, (_, tree) in modules.items():
        defined: set[str] = set()
        after_function = False
        for node in tree.body:
            if isinstance(node, ast.ClassDef | _FUNCTIONS):
                defined.add(node.name)
                after_function = True
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [each.id for each in targets if isinstance(each, ast.Name)]
                constant = bool(names) and all(map(_CONSTANT.fullmatch, names))
                needs = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                if needs & defined:
                    defined.update(names)
                elif constant and after_function:
                    yield f"{path}:{node.lineno} {names[0]}"
                    break


def packed_constants(modules: Modules) -> Iterator[str]:
    """Yield each assignment that gives several constants a value each in one statement."""
    for path, (_, tree) in modules.items():
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                names = node.targets[0]
                parts = names.elts if isinstance(names, ast.Tuple) else []
                if parts and all(
                    isinstance(each, ast.Name) and _CONSTANT.fullmatch(each.id)
                    for each in parts
                ):
                    yield f"{path}:{node.lineno}"


def section_titles(modules: Modules) -> Iterator[str]:
    """Yield each comment that stands alone between definitions: the title of a section."""
    for path, (text, _) in modules.items():
        lines = text.splitlines()
        for number in range(1, len(lines) - 1):
            if lines[number].startswith("# ") and not lines[number + 1].strip():
                start = number
                while start and lines[start - 1].startswith("#"):
                    start -= 1
                if not lines[start - 1].strip():
                    yield f"{path}:{number + 1} {lines[number]}"


def painters(modules: Modules) -> Iterator[str]:
    """Yield the place of each method with which a class of the window paints itself."""
    for path, node in _nodes(modules):
        if isinstance(node, ast.FunctionDef) and node.name == "paintEvent":
            yield f"{path}:{node.lineno}"


def long_files(modules: Modules) -> Iterator[str]:
    """Yield each file with more than LONG_FILE lines."""
    for path, (text, _) in modules.items():
        if (length := text.count("\n")) > LONG_FILE:
            yield f"{path} {length}"


def dead(modules: Modules) -> Iterator[str]:
    """Yield each name in a docstring or comment that nothing has."""
    yield from map(str, dead_names.dead_names(*_read(modules)))


def compared_texts(modules: Modules) -> Iterator[str]:
    """Yield each place where code compares a sentence."""
    yield from map(str, text_comparisons.comparisons(*_read(modules)))


def modules_of(modules: Modules) -> Iterator[str]:
    """Yield each module."""
    yield from modules


COUNTS: Mapping[str, Callable[[Modules], Iterator[str]]] = {
    "modules": modules_of,
    "functions": functions,
    "inner-imports": inner_imports,
    "unexplained-imports": unexplained_imports,
    "late-constants": late_constants,
    "packed-constants": packed_constants,
    "section-titles": section_titles,
    "paint-events": painters,
    "long-files": long_files,
    "dead-names": dead,
    "compared-texts": compared_texts,
}


def _read(modules: Modules) -> tuple[Path, Path, Mapping[Path, tuple[str, ast.Module]]]:
    """Return the folder of the package, the root, and the modules by path."""
    package_folder = Path(next(iter(modules))).parent
    by_path = {Path(path): module for path, module in modules.items()}
    return package_folder, package_folder.parent, by_path


def _nodes(modules: Modules) -> Iterator[tuple[str, ast.AST]]:
    for path, (_, tree) in modules.items():
        yield from ((path, node) for node in ast.walk(tree))


def _outermost_functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield child
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _outermost_functions(child)


def _import_lines(function: ast.AST) -> Iterator[int]:
    for node in ast.walk(function):
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Call) and _called(node) == "import_module"
        ):
            yield node.lineno


def _called(node: ast.Call) -> str:
    """Return the name of the function that a call names, without what stands before the dot."""
    name = node.func
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


if __name__ == "__main__":
    raise SystemExit(main())
