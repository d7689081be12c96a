"""Find names in docstrings and comments, in backticks, that nothing has any more.

A name is good if its own module uses it, as an identifier or as a whole string; if it is a
module, class, function, attribute or file of the project; or if it is built into Python. In a
dotted name such as `RunSpec.runs`, a class or module of the package must have what is named of
it. Commands and options must exist, too. Text in backticks that is no name is not judged.

`python -m tools.dead_names` prints each dead name with its place.
"""

import ast
import builtins
import importlib
import io
import keyword
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from inspector.cli import command_table
from tools.syntax_trees import syntax_trees

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "inspector"
# Folders whose files may be named, besides those that lie beside the module.
PLACES = ("", "inspector", "tests", "tools", "benchmarks", "docs", "resources")
_LONGEST_NAME = 80  # characters; longer strings are prose
_QUOTED = re.compile(r"`+([^`\n]+)`+")
_QUOTED_COMMENT = re.compile(r"#.*`")
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_FILE = re.compile(r"[\w./-]+(\.(py|md|json|toml|ts|qm|html|css|js|svg)|/)")
_OPTION = re.compile(r"--?[a-z][\w-]*")
_MODULE_RUN = re.compile(r"python -m ([\w.]+)")
_MAKE = re.compile(r"make ([a-z-]+)")
_COMMAND = re.compile(r"inspector ([a-z]+)\b")
_PARTS = re.compile(r"--?[a-z][\w-]*|[\w./-]+")
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class DeadName:
    """A name that nothing has, with the file and the line of the docstring or comment."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: `{self.name}`"


@dataclass
class ModuleNames:
    """What a module defines, uses and says.

    own: names at its top. members: names in each of its classes, bases by name in `bases`.
    used: all identifiers, and all strings that are a name or an option.
    """

    path: Path
    own: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    bases: dict[str, list[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    texts: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Names:
    """The names of all modules below a folder."""

    modules: list[ModuleNames]

    @cached_property
    def by_stem(self) -> dict[str, list[ModuleNames]]:
        """Modules by name; a package goes by the name of its folder."""
        named = defaultdict(list)
        for module in self.modules:
            path = module.path
            named[path.parent.name if path.name == "__init__.py" else path.stem].append(module)
        return named

    @cached_property
    def classes(self) -> dict[str, set[str]]:
        """The members of each class, of all classes of a name together, with inherited ones."""
        members: dict[str, set[str]] = defaultdict(set)
        bases: dict[str, set[str]] = defaultdict(set)
        for module in self.modules:
            for name, own in module.members.items():
                members[name] |= own
                bases[name].update(module.bases[name])
        for _ in range(4):  # the deepest hierarchy of the package has four levels
            for name, parents in bases.items():
                for parent in parents & members.keys():
                    members[name] |= members[parent]
                members[name] |= {"*"} if parents - members.keys() else set()
        return members

    @cached_property
    def tops(self) -> set[str]:
        """The names of all modules, and all names at the top of a module."""
        return set(self.by_stem).union(*(module.own for module in self.modules))

    @cached_property
    def everything(self) -> set[str]:
        """All names that are defined anywhere: modules, classes, functions, attributes."""
        found = {*self.by_stem, *self.classes}
        for module in self.modules:
            found |= module.own
            found.update(*module.members.values())
        return found


def dead_names(
    folder: Path = PACKAGE,
    root: Path = ROOT,
    trees: Mapping[Path, tuple[str, ast.Module]] | None = None,
) -> list[DeadName]:
    """Return the dead names in the docstrings and comments of all modules below a folder.

    trees: their texts and trees where those have been read already.
    """
    trees = syntax_trees(folder) if trees is None else trees
    names = Names([read(path, *module) for path, module in trees.items()])
    return [
        DeadName(module.path.relative_to(root).as_posix(), line, quoted)
        for module in names.modules
        for line, text in module.texts
        for quoted in _QUOTED.findall(text)
        if not _exists(quoted.strip(), module, names, root)
    ]


def read(path: Path, source: str, tree: ast.Module) -> ModuleNames:
    """Return the names and the texts of a module."""
    module = ModuleNames(path)
    docstrings: set[ast.AST] = set()  # what they say is not used by that; walked before it
    for node in ast.walk(tree):
        kind = type(node)
        if kind in _IDENTIFIERS and node not in docstrings:
            module.used.update(_IDENTIFIERS[kind](node))
        if isinstance(node, _DOCUMENTED):
            docstring = ast.get_docstring(node, clean=False) or ""
            if docstring and isinstance(node.body[0], ast.Expr):
                docstrings.add(node.body[0].value)
                module.texts += enumerate(docstring.split("\n"), node.body[0].lineno)
        if isinstance(node, ast.ClassDef):
            module.members[node.name] = _members(node)
            module.bases[node.name] = [_last_name(base) for base in node.bases]
    module.own = {name for node in tree.body for name in _defined(node)}
    if _QUOTED_COMMENT.search(source):  # few have one, and tokens take their time
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                module.texts.append((token.start[0], token.string))
    return module


def _exists(quoted: str, module: ModuleNames, names: Names, root: Path) -> bool:
    bare = re.sub(r"\(.*\)$", "", quoted)  # a call
    if run := _MODULE_RUN.match(quoted):
        place = root.joinpath(*run[1].split("."))
        ours = (root / run[1].split(".")[0]).is_dir()
        return not ours or place.with_suffix(".py").is_file() or place.is_dir()
    if target := _MAKE.match(quoted):
        return re.search(rf"^{target[1]}:", (root / "Makefile").read_text(), re.M) is not None
    if command := _COMMAND.fullmatch(quoted) or _COMMAND.match(quoted + " "):
        return command[1] in command_table.commands()
    if _OPTION.fullmatch(quoted.split(" ")[0]):
        option = quoted.split(" ")[0]
        return any(option in one.used for one in names.modules)
    if _FILE.fullmatch(bare):
        return _is_file(bare, module, root) or bare in module.used
    if not _DOTTED.fullmatch(bare):
        return True
    if bare in module.used or keyword.iskeyword(bare) or hasattr(builtins, bare):
        return True
    *scopes, last = bare.split(".")
    if not scopes:
        own = (names.classes[each] for each in module.members)
        return last in names.tops or any(last in members for members in own)
    return _is_member(scopes[-1], last, module, names)


def _is_member(scope: str, name: str, module: ModuleNames, names: Names) -> bool:
    in_modules = [name in one.own for one in names.by_stem.get(scope, ())]
    in_class = names.classes.get(scope)
    if in_class is not None and (name in in_class or "*" in in_class):
        return True
    if in_class is not None or in_modules:
        submodule = any(one.path.parent.name == scope for one in names.by_stem.get(name, ()))
        value = scope in module.used and name in names.everything
        return any(in_modules) or submodule or (in_class is None and value)
    if scope in sys.stdlib_module_names:
        return hasattr(importlib.import_module(scope), name)
    # A value, or a module of a library, of which only this module can know.
    return scope in module.used and (name in module.used or name in names.everything)


def _is_file(name: str, module: ModuleNames, root: Path) -> bool:
    if module.path.name == "__init__.py" and any(module.path.parent.rglob(name)):
        return True
    places = [module.path.parent, *module.path.parent.parents, *(root / at for at in PLACES)]
    return any((place / name).exists() for place in places)


def _of_constant(node: ast.Constant) -> Iterable[str]:
    if isinstance(node.value, bytes):
        return re.findall(r"\w+", node.value.decode("latin-1"))
    if isinstance(node.value, str) and len(node.value) < _LONGEST_NAME:
        return [node.value, *_PARTS.findall(node.value)]
    return ()


# The names in a node of each kind that has some; there are millions of nodes.
_IDENTIFIERS: dict[type[ast.AST], Callable[[Any], Iterable[str]]] = {
    ast.Name: lambda node: (node.id,),
    ast.arg: lambda node: (node.arg,),
    ast.Attribute: lambda node: (node.attr,),
    ast.keyword: lambda node: (node.arg,) if node.arg else (),
    ast.FunctionDef: lambda node: (node.name,),
    ast.AsyncFunctionDef: lambda node: (node.name,),
    ast.ClassDef: lambda node: (node.name,),
    ast.alias: lambda node: (*node.name.split("."), node.name, node.asname or node.name),
    ast.Constant: _of_constant,
}


def _members(node: ast.ClassDef) -> set[str]:
    found = {name for each in node.body for name in _defined(each)}
    for each in ast.walk(node):
        # Attributes that methods set.
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            found.add(each.attr)
    return found


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name.split(".")[0] for alias in aliases)
        case ast.If() | ast.Try():
            for each in ast.iter_child_nodes(node):
                if isinstance(each, ast.stmt):
                    yield from _defined(each)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "?")


if __name__ == "__main__":
    dead = dead_names()
    sys.stdout.writelines(f"{each}\n" for each in dead)
    raise SystemExit(1 if dead else 0)
