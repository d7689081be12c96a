"""Profiles and traces of others say what they said when somebody looked at each of them.

A change that is meant: `python -m tests.formats.test_traces_golden`, then read the diff.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.traces.detection import looks_like_trace, open_trace
from tests.conftest import SHARED
from tests.formats.made_traces import summary

GOLDEN = Path(__file__).parent.parent / "samples" / "traces" / "profiles.txt"
FILES = sorted((SHARED / "profiles").glob("*/*.json"))


def lines(path: Path) -> Iterator[str]:
    try:
        yield from summary(open_trace(path))
    except UnreadableFile as error:
        yield f"refused: {error.why}"


def golden() -> dict[str, str]:
    blocks = GOLDEN.read_text("utf-8").split("# ")[1:]
    return {name: text for name, _, text in (block.partition("\n") for block in blocks)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: getattr(path, "stem", "none"))
def test_a_file_of_others_reads_as_it_did(path):
    assert "\n".join(lines(path)).strip() == golden()[path.name].strip()
    assert looks_like_trace(path)


def test_every_file_has_its_golden_text(shared):
    assert golden().keys() == {path.name for path in FILES}


if __name__ == "__main__":
    texts = ("\n".join((f"# {path.name}", *lines(path))) for path in FILES)
    GOLDEN.write_text("\n\n".join(texts) + "\n", "utf-8")
