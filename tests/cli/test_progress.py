from io import StringIO

import pytest

from inspector.backends.values import Progress as Step
from inspector.cli.progress import Progress, line
from inspector.errors import EngineFailed


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_each_step_in_one_line_that_is_wiped_in_the_end():
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.show(Step("load", -1))
        progress.show(Step("prediction", 0.5, (3_000_000,)))
    *shown, last = terminal.getvalue().split("\r\x1b[K")
    assert [text.split()[0] for text in shown if text] == ["Loading", "Running"]
    assert last == ""


def test_a_pipe_sees_nothing():
    pipe = StringIO()
    with Progress(pipe) as progress:
        progress.show(Step("load", 0.5))
    assert pipe.getvalue() == ""


def fail_while_shown(terminal: Terminal) -> None:
    with Progress(terminal) as progress:
        progress.show(Step("load", -1))
        raise EngineFailed("Could not load")


def test_a_failure_finds_a_clean_line():
    terminal = Terminal()
    with pytest.raises(EngineFailed):
        fail_while_shown(terminal)
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_the_bar_grows_and_the_median_is_of_what_there_is():
    empty, half, full = (line("prediction", done) for done in (0, 0.5, 1))
    assert (empty.count("━"), half.count("━"), full.count("━")) == (0, 12, 24)
    assert full.endswith("100%")
    assert "3 runs, 2.00 ms" in line("prediction", 1, (1_000_000, 9_000_000, 2_000_000))
    assert "%" not in line("load", -1)


def test_several_lines_are_drawn_over_and_wiped():
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.show_lines(["one", "two", "three"])
        progress.show_lines(["one", "two", "three"])  # nothing new: nothing is drawn
        progress.show_lines(["four"])
    up = "\x1b[1A\x1b[K"
    shown = "\r\x1b[Kone\ntwo\nthree", f"\r\x1b[K{up}{up}four", "\r\x1b[K"
    assert terminal.getvalue() == "".join(shown)
