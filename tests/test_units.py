import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector import units


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0 ns"),
        (7, "7.00 ns"),
        (999, "999 ns"),
        (999.7, "1.00 µs"),
        (1_234, "1.23 µs"),
        (12_340, "12.3 µs"),
        (2_310_000, "2.31 ms"),
        (999_600, "1.00 ms"),
        (182_400_000, "182 ms"),
        (1_500_000_000, "1.50 s"),
        (7_200_000_000_000, "7200 s"),
        (-2_310_000, "-2.31 ms"),
    ],
)
def test_a_duration_has_three_digits_and_a_fitting_unit(ns, text):
    assert units.duration(ns) == text


@given(some.floats(min_value=1, max_value=999.4))
def test_three_digits_are_three_digits_at_every_rounding(value):
    assert len(units.significant(value).replace(".", "")) == 3


@given(some.floats(min_value=1, max_value=1e14))
def test_a_duration_is_within_half_a_percent(ns):
    number, unit = units.duration_parts(ns)
    scale = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
    assert float(number) * scale == pytest.approx(ns, rel=0.0051)


def test_milliseconds_line_up_in_a_column():
    assert [units.milliseconds(ns) for ns in (269_000, 12_345_678)] == ["0.269 ms", "12.346 ms"]


def test_short_times_are_in_nanoseconds_unless_the_clock_was_too_coarse():
    assert [units.duration(ns) for ns in (13_700, 834, 100)] == ["13.7 µs", "834 ns", "100 ns"]
    assert [units.duration(ns, 1_000) for ns in (1_000, 834)] == ["1.00 µs", "< 1 µs"]
    assert units.durations(100, 4_000, 1_000) == "up to 4.00 µs"


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.00 KiB"),
        (1536, "1.50 KiB"),
        (10 << 10, "10.0 KiB"),
        (11_744_051, "11.2 MiB"),
        ((1 << 20) - 1, "1.00 MiB"),
        (3 << 40, "3.00 TiB"),
        (5000 << 40, "4.88 PiB"),
    ],
)
def test_a_size_counts_in_1024(size_bytes, text):
    assert units.size(size_bytes) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (9_999, "9,999"),
        (10_000, "10.0 k"),
        (999_700, "1.00 M"),
        (5_600_000, "5.60 M"),
        (7_000_000_000, "7.00 G"),
        (2.5e15, "2500 T"),
    ],
)
def test_a_count_is_exact_while_it_is_short(number, text):
    assert units.count(number) == text


def test_a_share_of_nothing_is_not_a_number():
    assert units.share(1, 4) == "25.0%"
    assert units.share(1, 0) == "n/a"


def test_a_small_share_is_not_nothing():
    assert units.share(160, 1_000_000) == "< 0.1%"
    assert units.share(6, 10_000) == "0.1%"
    assert units.share(0, 1_000_000) == "0.0%"
    assert units.share(0.1 + 0.2 - 0.3, 1) == "0.0%"


@pytest.mark.parametrize(
    ("axes", "text"),
    [
        ((1, 3, 224, 224), "1×3×224×224"),
        (("batch", None), "batch×?"),
        ((), "scalar"),
        (None, "unknown rank"),
        (("x" * 90,), "x" * 39 + "…"),
    ],
)
def test_a_shape_shows_what_is_open(axes, text):
    assert units.shape(axes) == text


def test_one_layer_and_two_layers():
    assert units.plural(1, "layer") == "1 layer"
    assert units.plural(12_345, "layer") == "12,345 layers"
    assert units.plural(2, "box") == "2 boxes"
    assert units.plural(2, "branch") == "2 branches"


@given(some.text(), some.integers(min_value=1, max_value=50))
def test_a_clipped_text_is_short_and_printable(text, limit):
    shown = units.clip(text, limit)
    assert shown.isprintable()
    assert len(shown) <= 6 * limit


def test_a_clipped_name_of_merged_layers_keeps_the_part_that_is_shown():
    merged = ";".join(["model/batch_norm/FusedBatchNormV3"] * 20 + ["model/conv2d_1/Conv2D1"])
    for limit in (80, 120, 300):
        shown = units.clip_name(merged, limit)
        assert len(shown) <= limit
        assert units.scope_and_name(shown)[1] == "Conv2D1"


def test_a_text_that_turns_the_line_around_is_shown_as_what_it_is():
    assert units.clip("conv\u202egnp.exe") == "conv\\u202egnp.exe"
    assert units.clip("two\nlines") == "two\\u000alines"


def test_a_sentence_within_another_begins_small_and_at_its_head_large():
    assert units.uncapitalized("Warming UP") == "warming UP"
    assert units.capitalized("warming UP") == "Warming UP"
    assert units.uncapitalized("") == units.capitalized("") == ""


def test_a_short_plain_text_stays():
    assert units.clip("größe / 大小") == "größe / 大小"


@pytest.mark.parametrize(
    ("window", "words"),
    [
        ((7.3e6, 9.1e6), ("7.5 ms", "8.0 ms", "8.5 ms", "9.0 ms")),
        ((0, 900), ("0 ns", "200 ns", "400 ns", "600 ns", "800 ns")),
        ((46.1e6, 46.1002e6), ("46.10000 ms", "46.10005 ms", "46.10010 ms", "46.10015 ms",
                               "46.10020 ms")),
        ((0, 3e10), ("0 s", "10 s", "20 s", "30 s")),
    ],
)  # fmt: skip
def test_an_axis_has_round_instants_in_one_unit(window, words):
    ticks = units.axis(*window, 5)
    assert tuple(text for _, text in ticks) == words
    assert all(window[0] - 1e-3 <= instant <= window[1] + 1e-3 for instant, _ in ticks)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("/block1/attn/qkv", ("block1/attn", "qkv")),
        ("stages.3.project.conv", ("stages.3.project", "conv")),
        ("a.b/c", ("a.b", "c")),
        ("a/b/", ("a", "b")),
        ("node.12", ("", "node.12")),
        ("conv", ("", "conv")),
        ("", ("", "")),
        ("///", ("", "///")),
    ],
)
def test_a_name_falls_into_its_scope_and_its_last_part(name, parts):
    assert units.scope_and_name(name) == parts


@pytest.mark.parametrize(
    ("per_second", "text"), [(0.62, "0.620"), (187.4, "187"), (43_644.2, "43,644")]
)
def test_a_rate_has_its_thousands_parted(per_second, text):
    assert units.rate(per_second) == text


def test_an_interval_always_has_two_ends_with_digits_that_tell_them_apart():
    assert units.durations(2_310_000, 2_340_000) == "2.31 ms to 2.34 ms"
    assert units.durations(18_701, 18_744) == "18.70 µs to 18.74 µs"
    assert units.durations(3_281.2, 3_281.2) == "3.28 µs to 3.28 µs"
    assert units.durations(18_701.1, 18_701.2) == "18.701 µs to 18.701 µs"


def test_changes_and_differences_have_their_sign():
    assert [units.change(ratio) for ratio in (1.05, 0.9, 4.607)] == [
        "+5.0%",
        "−10.0%",
        "+360.7%",
    ]
    found = [units.signed(ns, units.duration) for ns in (2_310_000, -18_700, 0)]
    assert found == ["+2.31 ms", "−18.7 µs", "0 ns"]
