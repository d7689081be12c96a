import pytest

from inspector.platform.terminal import fold, folded


def test_a_long_line_of_a_table_goes_on_below_its_last_column():
    line = "memory         77 MiB  at most; 10.8 MiB more than before loading, weights 75.9 KiB"
    assert fold(line, 60) == (
        "memory         77 MiB  at most; 10.8 MiB more than before\n"
        "                       loading, weights 75.9 KiB"
    )


@pytest.mark.parametrize(
    ("line", "begin"),
    [("note: " + "word " * 20, "      word"), ("        " + "word " * 20, "        word")],
)
def test_a_long_sentence_goes_on_where_it_began(line, begin):
    lines = fold(line, 60).split("\n")
    assert len(lines) > 1
    assert all(each.startswith(begin) and len(each) <= 60 for each in lines[1:])


def test_short_lines_bars_and_pipes_stay_as_they_are():
    bar = "14.7 µs   14.8%  ████████████████  block1/conv" + " " * 60 + "Conv"
    assert fold("layers  15", 60) == "layers  15"
    assert fold(bar, 60) == bar
    assert folded("word " * 50) == "word " * 50


def test_a_number_stays_with_its_unit():
    line = "note: The layers took 63.5 µs together, a prediction without it 18.8 µs."
    assert fold(line, 68).endswith("\n      18.8 µs.")
