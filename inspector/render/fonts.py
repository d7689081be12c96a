"""Font selection by letter: the bundled font, or one of the system where it lacks a glyph.

Letters that none has, or that only a shaping engine could set right, become visible as numbers.
"""

import os
import struct
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from fontTools.ttLib import TTFont, TTLibError

from inspector.platform import files

# Fonts of the system opened, and files listed, until one has the letter.
MOST_OPENED = 40
_MOST_FILES = 20_000
_KINDS = (".ttf", ".otf", ".ttc", ".otc")
# Files whose names say that they have many letters come first: opening all takes too long.
_BROAD = (
    "notosanscjk", "notosanssc", "notosansjp", "notosanskr", "sourcehansans", "wqy",
    "droidsansfallback", "msyh", "yugoth", "malgun", "pingfang", "hiragino", "applesdgothic",
    "arialuni", "unifont", "dejavusans", "notosans-", "notosanssymbols", "seguisym",
)  # fmt: skip
_NO_EMBEDDING = 0x0002 | 0x0100 | 0x0200  # of OS/2's fsType: restricted, no subset, bitmaps
# Scripts whose letters change with their neighbors, and pictures in color.
_SHAPED = (
    (0x0900, 0x109F), (0x1700, 0x18AF), (0x1900, 0x1CFF), (0xA800, 0xABFF), (0x11000, 0x11FFF),
    (0x1F000, 0x1FAFF),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Face:
    """A font. widths: of its letters, in shares of the size. ours: it is one that we bring."""

    path: Path
    widths: Mapping[int, float]
    ours: bool = False


def font_file(bold: bool = False) -> Path:
    """Return the bundled font file: Inter, with Latin, Greek and Cyrillic."""
    return files.resource("report", f"inter-{600 if bold else 400}.ttf")


def runs(text: str, bold: bool = False) -> tuple[tuple[Face, str], ...]:
    """Parts of a text with the font of each; what none can write as '\\u4e2d', in ours."""
    own = bundled(bold)
    if all(ord(letter) in own.widths for letter in text):
        return ((own, text),) if text else ()
    faces = ((_face_of(ord(letter), bold), letter) for letter in text)
    written = ((face or own, _written(face, letter)) for face, letter in faces)
    parts = groupby(written, key=lambda pair: pair[0])
    return tuple((face, "".join(letters for _, letters in part)) for face, part in parts)


def width(text: str, bold: bool = False) -> float:
    """Return how wide a text is, in shares of the size."""
    own = bundled(bold).widths
    try:
        return sum(own[ord(letter)] for letter in text)
    except KeyError:
        parts = runs(text, bold)
        return sum(face.widths[ord(letter)] for face, part in parts for letter in part)


def shown(text: str) -> str:
    """The text with each letter that no font here writes as '\\u4e2d'."""
    return "".join(part for _, part in runs(text))


@cache
def bundled(bold: bool = False) -> Face:
    """Return the font that comes with Inspector."""
    font = _opened(font_file(bold))
    assert font is not None, "it is part of Inspector"
    return Face(font.path, font.widths, ours=True)


def _written(face: Face | None, letter: str) -> str:
    return letter if face is not None else f"\\u{ord(letter):04x}"


def _face_of(code: int, bold: bool) -> Face | None:
    own = bundled(bold)
    if code in own.widths:
        return own
    return _system_face(code) if _plain(code) else None


def _plain(code: int) -> bool:
    """Return whether a letter needs no shaping: left to right, whatever its neighbors."""
    letter = chr(code)
    if unicodedata.category(letter)[0] not in "LNPS":
        return False
    shaped = any(first <= code <= last for first, last in _SHAPED)
    return not shaped and unicodedata.bidirectional(letter) not in ("R", "AL", "AN")


@cache
def _system_face(code: int) -> Face | None:
    """The first of the system's fonts that has a letter."""
    opened = (_opened(path) for path in _candidates())
    return next((face for face in opened if face is not None and code in face.widths), None)


@cache
def _opened(path: Path) -> Face | None:
    """A font's letters; None where it is damaged, or must not be part of a document."""
    try:
        with path.open("rb") as file, TTFont(file, fontNumber=0, lazy=True) as font:
            if "glyf" not in font and "CFF " not in font:
                return None
            if font["OS/2"].fsType & _NO_EMBEDDING:
                return None
            advances, size = font["hmtx"].metrics, font["head"].unitsPerEm
            letters = font.getBestCmap() or {}
            return Face(
                path, {code: advances[name][0] / size for code, name in letters.items()}
            )
    except (TTLibError, OSError, KeyError, ValueError, AssertionError, struct.error):
        return None


@cache
def _candidates() -> tuple[Path, ...]:
    """Font files of the system, those with most letters first."""
    paths = sorted(_files(), key=lambda path: (_rank(path.name), path.name))
    return tuple(paths[:MOST_OPENED])


def _rank(name: str) -> tuple[int, bool]:
    low = name.lower().replace("_", "").replace(" ", "")
    place = next((i for i, part in enumerate(_BROAD) if part in low), len(_BROAD))
    return place, not ("regular" in low or "medium" in low or "-" not in low)


def _files() -> Iterator[Path]:
    read_count = 0
    for folder in _folders():
        for place, _, names in os.walk(folder):
            for name in sorted(names):
                read_count += 1
                if read_count > _MOST_FILES:
                    return
                if name.lower().endswith(_KINDS):
                    yield Path(place, name)


def _folders() -> tuple[Path, ...]:
    """Return where the system keeps fonts."""
    home = Path.home()
    if sys.platform == "darwin":
        return Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home))
        windows = Path(os.environ.get("WINDIR", r"C:\Windows"))
        return windows / "Fonts", local / "Microsoft" / "Windows" / "Fonts"
    own = os.environ.get("XDG_DATA_HOME") or home / ".local" / "share"
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return tuple(Path(folder) / "fonts" for folder in (own, *shared.split(":")))
