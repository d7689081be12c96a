"""Names of classes and letters out of text, as files and the metadata of models have them."""

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

BLANK = "<blank>"  # between equal letters of a text that is read over time (CTC)
LIMIT_BYTES = 16 << 20  # of one value
_LONGEST_LETTER = 2  # characters of the name of a letter, such as "th"
_MOST_INDEX = 1_000_000  # of a class: a label for each below it is made
_NUMBERED = re.compile(r"\s*(\d+)\s*[\s:,;=]\s*(.*\S)\s*")
_ITEM = re.compile(r"\s*-\s+(.*\S)\s*")  # of a list in YAML
_SPLIT = re.compile(r"[./:]")  # parts of a key, of which the last says what it holds
_QUOTES = "'\""
_NUMBERED_NAME = re.compile(r"^(label|class)_?(?=\d+$)", re.I)  # "LABEL_0" as a key
# What the last part of a key says, in small letters without '_', '-' and spaces.
_CLASS_KEYS = frozenset(
    ("labels", "label", "classes", "classlabels", "classnames", "classname", "labelnames",
     "names", "id2label", "idtolabel", "idx2label", "idxtolabel", "index2label", "indextolabel",
     "indextoname", "idtoname", "id2name", "idx2class", "idxtoclass", "indextoclass",
     "class2idx", "classtoidx", "classtoindex", "label2id", "labeltoid", "labelmap",
     "labelmapping", "classmap", "classmapping", "classlist", "labellist", "labelslist",
     "classeslist", "categories", "categorynames", "targetnames", "outputlabels",
     "outputclasses")
)  # fmt: skip
# Their value may hold much else; only names under one of the keys above are taken from it.
_CONFIG_KEYS = frozenset(("config", "configjson", "modelconfig", "params", "metadata", "info"))
_LETTER_KEYS = frozenset(
    ("character", "characters", "characterlist", "characterdict", "charset", "chars",
     "charlist", "alphabet", "letters", "symbols", "vocab", "vocabulary", "vocablist")
)  # fmt: skip
_CORE_ML_KEY = "preview.params"  # of classifiers
_FILE = re.compile(r"\.(json|txt|ya?ml)$", re.I)  # a key may be the name of a file
# PaddleOCR's exports: the letters without the blank, which is the first class.
_PADDLE_KEY = "character"
# OpenVINO's Model API: names between spaces, with "_" for a space in a name.
_MODEL_INFO = "model_info.labels"
_BLANKS = (BLANK, "<blk>", "[blank]", "blank", "<pad>", "[pad]", "<ctc>", "<epsilon>", "ε")


class ModelLabels(tuple[str, ...]):
    """Names of classes that a model's file has, in the order of the classes.

    by_output: the names of single outputs, where the file says to which they belong; then
    `others` are those of the rest. letters: whether they are letters or pieces of words that
    spell a text, see `token_outputs`.
    """

    by_output: Mapping[str, tuple[str, ...]]
    others: tuple[str, ...]
    letters: bool

    def __new__(
        cls,
        names: Iterable[str] = (),
        by_output: Mapping[str, tuple[str, ...]] | None = None,
        others: tuple[str, ...] = (),
        letters: bool = False,
    ) -> "ModelLabels":
        """Make them."""
        made = super().__new__(cls, names)
        made.by_output, made.others, made.letters = by_output or {}, others, letters
        return made


def of_output(labels: Sequence[str], output: str) -> Sequence[str]:
    """Return the names of one output's classes out of those of a model."""
    if isinstance(labels, ModelLabels) and labels.by_output:
        return labels.by_output.get(output, labels.others)
    return labels


def spell(labels: Sequence[str]) -> bool:
    """Return whether class names are letters of a text: sounds over time have names of
    words."""
    if isinstance(labels, ModelLabels) and labels.letters:
        return True
    return bool(labels) and float(np.median([len(each) for each in labels])) <= _LONGEST_LETTER


def parsed(text: str) -> tuple[str, ...]:
    """Return the labels of a JSON or Python literal; empty when it is neither."""
    value = _literal(text)
    if isinstance(value, list | tuple) and [*map(type, value)] == [str]:
        return (value[0],)  # of the one class that there is
    return _from_value(value)


def from_lines(text: str) -> tuple[str, ...]:
    """Return one label for each line, without numbers and marks of a list in front; numbers
    give the order. Empty lines at the end are left out."""
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if len(lines) > 2 and lines[0].rstrip().endswith(":") and lines[1][:1] in " \t-":
        lines = lines[1:]  # the key of a list or of a mapping in YAML
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(numbered):
        by_index = {int(match[1][:9]): match[2] for match in numbered if match}
        if len(by_index) == len(lines) and max(by_index) < 2 * len(lines):
            return ordered({index: _unquoted(name) for index, name in by_index.items()})
    items = [_ITEM.fullmatch(line) for line in lines]
    if len(lines) > 1 and all(items):
        return tuple(_unquoted(match[1]) for match in items if match)
    return tuple(line.strip() for line in lines)


def classes(
    entries: Iterable[tuple[str, str]], outputs: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the lists of class names in a model's metadata, by key, in their order.

    Keys may be spelled in any usual way, or begin with the name of one of the outputs. Values:
    JSON, a Python literal, lines, or a list with commas, semicolons, bars or tabs.
    """
    lists = {}
    for key, value in entries:
        kind = _kind(key)
        if len(value) > LIMIT_BYTES or not _lists_classes(key, outputs):
            continue
        names: tuple[str, ...]
        if kind in _CONFIG_KEYS:
            names = _in_config(_literal(value))
        elif key.lower().endswith(_MODEL_INFO):
            names = tuple(name.replace("_", " ") for name in value.split())
            names = parsed(value) or names
        else:
            names = parsed(value) or _from_list(value)
        if names:
            lists[key] = names
    return lists


def letters(entries: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the letters or pieces of words that a model's metadata lists in the order of its
    classes; empty where it has none. PaddleOCR's list gets the blank in front, which it leaves
    out. Letters are never trimmed: a space of any kind may be one."""
    for key, value in entries:
        kind = _kind(key)
        if kind not in _LETTER_KEYS or len(value) > LIMIT_BYTES:
            continue
        names = pieces(value)
        if len(names) > 1:
            first = (BLANK,) if kind == _PADDLE_KEY and names[0] not in _BLANKS else ()
            return (*first, *names)
    return ()


def pieces(value: str) -> tuple[str, ...]:
    """Return the letters or pieces of words of a vocabulary, in the order of their numbers.

    JSON, a Python literal, one a line with or without its number behind it, or one text of
    single letters.
    """
    literal = _literal(value) if value.lstrip()[:1] in ("[", "{", "(") else None
    if isinstance(literal, str):
        value = literal
    elif literal is not None:
        return _from_value(literal)
    if "\n" not in value:
        return tuple(value)
    lines = [line.removesuffix("\r") for line in value.split("\n")]
    while lines and not lines[-1]:
        lines = lines[:-1]
    pairs = [line.rsplit(" ", 1) for line in lines]
    if len(lines) > 1 and all(len(pair) == 2 and pair[1].isdecimal() for pair in pairs):
        by_index = {int(number[:9]): name for name, number in pairs}  # "a 5", as Kaldi writes
        return ordered(by_index) if len(by_index) == len(lines) else ()
    return tuple(lines)


def is_blank(name: str) -> bool:
    """Return whether a name in a list of letters is a usual mark of the blank."""
    return name.strip().lower() in _BLANKS


def subject(key: str) -> str:
    """Return what a key of class names is about, in small letters: 'gender' of
    'gender.labels', 'gender_labels' and 'labels.gender'; "" of keys that name nothing."""
    plain = _plain(key)
    ends = (kind for kind in _CLASS_KEYS if plain.endswith(kind) or plain.startswith(kind))
    longest = max(ends, key=len, default="")
    rest = plain.removesuffix(longest)
    return rest if rest != plain else plain.removeprefix(longest)


def is_about(subject: str, output: str, whole: bool) -> bool:
    """Return whether an output has a name like the subject of a key, or begins with it."""
    name = _plain(output)
    return bool(subject) and (name == subject if whole else name.startswith(subject))


def ordered(by_index: Mapping[int, str]) -> tuple[str, ...]:
    """Return labels in the order of their classes; "" for a class without one."""
    last = max(by_index)
    if min(by_index) < 0 or last > _MOST_INDEX:
        return ()
    return tuple(by_index.get(index, "") for index in range(last + 1))


def _plain(key: str) -> str:
    return re.sub(r"[\W_]+", "", key.lower())


def _kind(key: str) -> str:
    return _plain(_SPLIT.split(_FILE.sub("", key))[-1])


def _lists_classes(key: str, outputs: Sequence[str]) -> bool:
    kind = _kind(key)
    if kind in _CLASS_KEYS | _CONFIG_KEYS or key.lower().endswith(_CORE_ML_KEY):
        return True
    about = subject(key) if "label" in kind or "class" in kind else ""
    return any(is_about(about, output, False) for output in outputs)


def _literal(text: str) -> Any:
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _from_list(text: str) -> tuple[str, ...]:
    """Return the names of a list without brackets; empty where it is none."""
    listed = text.strip()
    if "\n" in listed:
        names = from_lines(listed)
    else:
        mark = next((mark for mark in "\t|;," if mark in listed), ",")
        names = tuple(_unquoted(part.strip()) for part in listed.split(mark))
        numbered = from_lines("\n".join(names))
        names = numbered if len(numbered) >= len(names) > 1 else names
        names = names if all(names) else ()
    return names if len(names) > 1 and any(names) else ()


def _unquoted(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in _QUOTES
    return name[1:-1] if quoted else name


def _in_config(value: Any) -> tuple[str, ...]:
    if not isinstance(value, dict):
        return ()
    for key, part in value.items():
        if _kind(str(key)) in _CLASS_KEYS and isinstance(part, list | tuple | dict):
            names = _from_value(part)
            if names:
                return names
    return ()


def _from_value(value: Any) -> tuple[str, ...]:
    if isinstance(value, set | frozenset):
        return ()  # without an order
    if isinstance(value, list | tuple):
        return _from_sequence(value)
    if not isinstance(value, dict):
        return ()
    by_index = {_index(_NUMBERED_NAME.sub("", str(k))): _name(n) for k, n in value.items()}
    if value and None not in by_index:
        return ordered({index: name for index, name in by_index.items() if index is not None})
    indices = [_index(index) for index in value.values()]
    if value and None not in indices:
        pairs = zip(indices, value, strict=True)
        return ordered({index: str(name) for index, name in pairs if index is not None})
    if names := _in_config(value):
        return names
    inner = [_from_value(part) for part in value.values() if isinstance(part, list | dict)]
    return max(inner, key=len, default=())


def _from_sequence(value: Sequence[Any]) -> tuple[str, ...]:
    if len(value) < 2:
        return ()
    ids = [
        _index(each.get("id", each.get("index"))) if isinstance(each, dict) else None
        for each in value
    ]
    if set(ids) == set(range(len(value))):
        names = {
            index: _name(e) for index, e in zip(ids, value, strict=True) if index is not None
        }
        return ordered(names)
    return tuple(map(_name, value))


def _index(key: object) -> int | None:
    text = str(int(key) if isinstance(key, float) and key.is_integer() else key).strip()
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _name(entry: object) -> str:
    """Return the text of a label given as text, as [synset, name], or as an object."""
    if isinstance(entry, list | tuple) and entry:
        return str(entry[-1])
    if isinstance(entry, dict):
        return str(entry.get("name", entry.get("label", next(iter(entry.values()), ""))))
    return str(entry)
