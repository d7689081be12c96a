"""The files of a folder that may be a model: names, and small text files read within limits."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from inspector.errors import UnreadableFile
from inspector.formats.budget import MALFORMED, json_value
from inspector.platform import files
from inspector.wording.values import Name, Sentence

MOST_ENTRIES = 100_000  # of one folder, listed in 0.1 s; a model of 1,000 shards has some 1,020
LARGEST_CONFIG = 16 << 20  # bytes; tokenizer_config.json with many added tokens has 5 MB
LARGEST_TEXT = 1 << 20  # bytes of a template, a README or a license
PICKLE = re.compile(rb"\x80[\x02-\x05]")
_HEAD = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)  # of a model card, as YAML
_LICENSE = re.compile(r"^license:[ \t]*(\S.*)$", re.MULTILINE)
_LICENSES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "license.txt")
IS_PICKLE = "it is a Python pickle, which could run code"
_SURROGATE = re.compile(rb"\\ud[89a-f]", re.IGNORECASE)
_STORE = "blobs"  # where Hugging Face's cache keeps each file once, with links from its folders
_SHOWN = 200  # characters of a name in a message


class Listing:
    """The files directly in a folder; `below` gives those of a folder in it.

    Nothing outside is read: a link that leaves the folder does not count as a file of it,
    unless it leads into the store of Hugging Face's cache. notes: what was left out, and why.
    """

    def __init__(self, path: Path, notes: list[Sentence] | None = None) -> None:
        self.path = path
        self.notes: list[Sentence] = [] if notes is None else notes
        self._jsons: dict[str, Mapping[str, Any]] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the regular files that count as files of the folder."""
        return frozenset(self._names())

    @cached_property
    def folders(self) -> frozenset[str]:
        """Names of the folders in the folder, links left out."""
        return frozenset(
            entry.name for entry in self._entries if entry.is_dir(follow_symlinks=False)
        )

    def below(self, name: str) -> "Listing":
        """Return the files of a folder in this one; none where it has no such folder."""
        inner = Listing(self.path / name, self.notes)
        if name not in self.folders:
            inner.names = frozenset()
            inner.folders = frozenset()
        return inner

    def ending(self, *suffixes: str) -> list[str]:
        """Return the names with one of these suffixes, in the order of the alphabet."""
        return sorted(name for name in self.names if name.lower().endswith(suffixes))

    def json(self, name: str, required: bool = False) -> Mapping[str, Any]:
        """Return the object of a JSON file; {} where there is none.

        A damaged one is noted, or raises UnreadableFile if it is required.
        """
        if name not in self._jsons:
            self._jsons[name] = self._read_json(name, required) if name in self.names else {}
        return self._jsons[name]

    def text(self, name: str) -> str:
        """Return the text of a small file; "" where there is none, or it is too large."""
        if name not in self.names:
            return ""
        try:
            body = files.read_capped(self.path / name, LARGEST_TEXT)
        except UnreadableFile as error:
            self.note("'{file}' was not read: {reason}", file=Name(name), reason=error.why)
            return ""
        return body.decode("utf-8", "replace")

    def note(self, template: str, **values: Any) -> None:
        """Add a note, once."""
        made = Sentence(template, **values)
        if made not in self.notes:
            self.notes.append(made)

    @cached_property
    def _entries(self) -> tuple["os.DirEntry[str]", ...]:
        try:
            with os.scandir(self.path) as entries:
                return tuple(islice(entries, MOST_ENTRIES))
        except OSError as error:
            why = error.strerror or str(error)
            raise UnreadableFile(f"Could not open {self.path.name}", why) from error

    def _names(self) -> Iterator[str]:
        real = Path(os.path.realpath(self.path))
        stores = [parent / _STORE for parent in real.parents[:3]]
        for entry in self._entries:
            if not entry.is_file():  # nor a link to nothing, as download tools leave them
                continue
            if entry.is_symlink():
                target = Path(os.path.realpath(self.path / entry.name))
                if not any(target.is_relative_to(folder) for folder in (real, *stores)):
                    self.note(
                        "'{file}' is a link to a file outside of the folder: it was not read",
                        file=Name(entry.name[:_SHOWN]),
                    )
                    continue
            yield entry.name

    def _read_json(self, name: str, required: bool) -> Mapping[str, Any]:
        try:
            body = files.read_capped(self.path / name, LARGEST_CONFIG)
            if PICKLE.match(body):
                raise self._unreadable(name, IS_PICKLE)
            value = json_value(_Refusing(name), body)
            if not isinstance(value, dict):
                raise self._unreadable(name, "it is no JSON object")
            if _SURROGATE.search(body):  # half of a character, which no output can hold
                text = json.dumps(value, ensure_ascii=False)
                value = dict(json.loads(text.encode("utf-8", "replace")))
        except RecursionError as error:
            failure = self._unreadable(name, "its JSON is nested too deeply")
            failure.__cause__ = error
        except json.JSONDecodeError as error:
            place = f"its JSON is damaged at line {error.lineno:,}, column {error.colno:,}"
            failure = self._unreadable(name, "it is empty" if not body.strip() else place)
            failure.__cause__ = error
        except MALFORMED as error:
            failure = self._unreadable(name, "it is not text, or its JSON is damaged")
            failure.__cause__ = error
        except UnreadableFile as error:
            failure = error
        else:
            return value
        if required:
            raise failure
        self.note("'{file}' was not read: {reason}", file=Name(name), reason=failure.why)
        return {}

    def _unreadable(self, name: str, why: str) -> UnreadableFile:
        return UnreadableFile(
            f"Could not open {self.path.name}/{name}", why, "Download or export it again."
        )


def license_of(folder: Listing) -> str:
    """Return the license that a folder names: in the head of its README.md, else the first line
    of its license; "" without one."""
    head = _HEAD.match(folder.text("README.md"))
    named = _LICENSE.search(head[1]) if head is not None else None
    if named is not None:
        return named[1].strip().strip("'\"")[:_SHOWN]
    for name in _LICENSES:
        lines = (line.strip() for line in folder.text(name).splitlines())
        first = next(filter(None, lines), "")
        if first:
            return first[:_SHOWN]
    return ""


class _Refusing:
    """Says which file takes too much memory."""

    def __init__(self, name: str) -> None:
        self._name = name

    def failure(self, why: str, hint: str = "") -> UnreadableFile:
        """Return the error that says why a file cannot be read."""
        return UnreadableFile(f"Could not open {self._name}", why, hint)


def inside(name: object) -> str:
    """Return a file's name of a configuration if it stays in the folder; else ""."""
    if not isinstance(name, str) or not name or "\0" in name or "\\" in name:
        return ""
    apart = name.split("/")
    absolute = name.startswith("/") or re.match(r"[A-Za-z]:", name)
    return "" if absolute or ".." in apart else "/".join(p for p in apart if p not in ("", "."))
