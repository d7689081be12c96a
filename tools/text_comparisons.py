"""Find code that compares English sentences, instead of a value that says what happened.

A sentence may be reworded and translated at any time; code that looks for words in it then
does something else, silently. Found are comparisons (`==`, `in`), methods of strings
(startswith, removeprefix, replace, partition ...) and patterns whose text has several words,
where the other side goes by the name of a sentence: a note, reason, hint, message, error ...

`python -m tools.text_comparisons` prints each with its place.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from tools.dead_names import PACKAGE, ROOT
from tools.syntax_trees import syntax_trees

_SENTENCES = (
    "advice|answer|caution|description|error|failure|gain|headline|hint|line|message|note|"
    "problem|reason|remark|remedy|said|sentence|status|text|title|warning|what|why"
)
_SENTENCE = re.compile(rf"(?:^|_)(?:{_SENTENCES})s?$")
_METHODS = (
    "count",
    "endswith",
    "find",
    "index",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rpartition",
    "split",
    "startswith",
)
_PATTERN_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")
# Text with several words, or a word with a space beside it.
_WORDS = re.compile(r"[A-Za-z]{2,}(?:[ ,.:;']|\\s)+(?:[\w(<\[{?:]+|$)|^ [A-Za-z]{2,}$")


@dataclass(frozen=True)
class Comparison:
    """A comparison with words: the file, the line, and the expression in one line."""

    path: str
    line: int
    code: str

    @property
    def key(self) -> str:
        """What identifies it as long as it is not edited, wherever it moves in its file."""
        return f"{self.path}: {self.code}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code}"


def comparisons(
    folder: Path = PACKAGE,
    root: Path = ROOT,
    trees: Mapping[Path, tuple[str, ast.Module]] | None = None,
) -> list[Comparison]:
    """Return the comparisons with words in all modules below a folder.

    trees: their texts and trees where those have been read already.
    """
    trees = syntax_trees(folder) if trees is None else trees
    public = _constants(tree for _, tree in trees.values())
    found = []
    for path, (_, tree) in trees.items():
        place = path.relative_to(root).as_posix()
        known = public | _constants([tree], private=True)
        hits = {(node.lineno, ast.unparse(node)) for node in _compared(tree, known)}
        found += [Comparison(place, line, code) for line, code in sorted(hits)]
    return found


def _compared(tree: ast.AST, constants: Mapping[str, list[str]]) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for operator, (one, two) in zip(node.ops, pairwise(sides), strict=True):
                if isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn) and (
                    (_has_words(one, constants) and _is_sentence(two))
                    or (_has_words(two, constants) and _is_sentence(one))
                ):
                    yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            method, owner = node.func.attr, node.func.value
            compared = method in _METHODS and _is_sentence(owner)
            matched = method in _PATTERN_METHODS and any(map(_is_sentence, node.args))
            pattern = owner if matched and not _is_name(owner, "re") else node.args[0]
            if (compared or matched) and _has_words(pattern, constants):
                yield node


def _constants(trees: Iterable[ast.Module], private: bool = False) -> dict[str, list[str]]:
    """Return the texts in each constant at the top of some modules."""
    texts: dict[str, list[str]] = {}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    name = target.id if isinstance(target, ast.Name) else ""
                    if name.lstrip("_").isupper() and (private or not name.startswith("_")):
                        texts.setdefault(name, []).extend(_literals(node.value))
    return texts


def _has_words(node: ast.expr, constants: Mapping[str, list[str]]) -> bool:
    texts = list(_literals(node))
    if isinstance(node, ast.Name | ast.Attribute):
        texts += constants.get(node.id if isinstance(node, ast.Name) else node.attr, [])
    if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Tuple | ast.Set | ast.List):
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                texts += constants.get(each.id, [])
    return any(map(_WORDS.search, texts))


def _literals(node: ast.AST) -> Iterator[str]:
    # Of a dictionary, keys are compared.
    parts = filter(None, node.keys) if isinstance(node, ast.Dict) else [node]
    for each in chain.from_iterable(map(ast.walk, parts)):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _is_sentence(node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _SENTENCE.search(name) is not None
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return _SENTENCE.search(name) is not None or name in ("e", "exc")
        case ast.Call(func=ast.Attribute(value=inner)) | ast.Subscript(value=inner):
            return _is_sentence(inner)
        case ast.BoolOp(values=values):
            return any(map(_is_sentence, values))
    return False


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


if __name__ == "__main__":
    sys.stdout.writelines(f"{each}\n" for each in comparisons())
