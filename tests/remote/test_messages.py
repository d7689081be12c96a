"""What comes over a line before the first message."""

from io import BytesIO

import pytest

from inspector.remote.messages import GREETING, BrokenLine, skip_to_greeting


@pytest.mark.parametrize("before", [b"", b"Welcome!\n", b"# inspector agent\n", b"\xff\n" * 9])
def test_what_a_shell_says_before_the_agent_is_skipped(before):
    line = BytesIO(before + GREETING + b"first frame")
    skip_to_greeting(line)
    assert line.read() == b"first frame"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            b"Last login: today\n\nno such file\nbash: not found\n",
            "no such file; bash: not found",
        ),
        (b"", ""),
        (GREETING[:-1], "inspector agent"),
    ],
)
def test_without_an_agent_the_last_words_are_the_reason(said, why):
    with pytest.raises(BrokenLine) as broken:
        skip_to_greeting(BytesIO(said))
    assert str(broken.value) == why


def test_a_program_that_talks_without_end_is_not_listened_to_for_ever():
    line = BytesIO(b"y\n" * 100_000)
    with pytest.raises(BrokenLine, match=r"^y; y$"):
        skip_to_greeting(line)
    assert 1 << 15 < line.tell() < 1 << 17
