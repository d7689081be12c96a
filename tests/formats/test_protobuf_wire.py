import pytest

from inspector.formats.protobuf_wire import (
    PADDING,
    WINDOW_BYTES,
    Malformed,
    Window,
    framed,
    records,
    varint,
)
from inspector.formats.source import open_source


def fields(body: bytes) -> list[tuple[int, bytes]]:
    found = records(body + PADDING, 0, len(body))
    return [(field, body[value:stop]) for field, _, _, value, stop in found]


def test_records_are_told_by_field_and_place_of_the_value():
    body = (
        b"\x08\x96\x01" + framed(2, b"testing") + b"\x1d\x01\x02\x03\x04" + b"\x21" + bytes(8)
    )
    assert fields(body) == [
        (1, b"\x96\x01"),
        (2, b"testing"),
        (3, b"\x01\x02\x03\x04"),
        (4, bytes(8)),
    ]


GROUP = b"\x3b" + b"\x08\x01" + framed(2, b"\x3c" * 90) + b"\x43\x0d\0\0\0\0\x44" + b"\x3c"


def test_groups_of_old_are_passed_over_with_all_that_is_in_them():
    body = framed(1, b"before") + GROUP + framed(2, b"after") + GROUP
    found = fields(body)
    assert [field for field, _ in found] == [1, 7, 2, 7]
    assert (found[0][1], found[2][1]) == (b"before", b"after")


def test_a_group_may_lie_across_the_windows_of_a_long_file(tmp_path):
    inner = framed(5, bytes(WINDOW_BYTES - 20)) + framed(6, b"x" * 300)
    body = framed(1, b"a") + b"\x3b" + inner * 5 + b"\x3c" + framed(3, b"z")
    path = tmp_path / "long"
    path.write_bytes(body)
    with open_source(path) as source:
        found = [field for field, *_ in records(Window(source), 0, source.size)]
    assert found == [1, 7, 3]


@pytest.mark.parametrize("field", [1, 15, 16, 2047, 1 << 28])
@pytest.mark.parametrize("length", [0, 1, 127, 128, 20_000])
def test_a_framed_field_is_read_back(field, length):
    assert fields(framed(field, b"x" * length)) == [(field, b"x" * length)]


def test_a_negative_number_takes_ten_bytes():
    assert varint(b"\xff" * 9 + b"\x01" + PADDING, 0) == (2**64 - 1, 10)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"\x0a\x05abc", "2 B are missing at its end"),
        (b"\x08", "1 B are missing at its end"),
        (b"\x09\x00", "7 B are missing at its end"),
        (b"\x08" + b"\xff" * 11, "longer than 10 bytes"),
        (b"\x00\x00", "number 0"),
        (b"\x3c", "the byte at offset 0 is not valid in a protobuf file"),
        (b"\x3e", "the byte at offset 0 is not valid in a protobuf file"),
        (b"\x3b", "field group without an end"),
        (b"\x3b\x44\x3c", "the byte at offset 1 is not valid in a protobuf file"),
        (b"\x3b" * 200, "too deep or too long"),
        (b"\x3b" + b"\x08\x00" * 100_001 + b"\x3c", "too deep or too long"),
        (b"\x3b\x12\x09\x3c", "without an end"),
        (b"\x0a" + b"\xff" * 9 + b"\x01", "are missing"),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason(body, why):
    with pytest.raises(Malformed, match=why):
        fields(body)


def test_a_group_ends_within_its_message_and_not_in_what_follows():
    body = b"\x3b\x3c"  # begin and end of a group
    assert [stop for *_, stop in records(body + PADDING, 0, 2)] == [2]
    with pytest.raises(Malformed, match="group without an end"):
        list(records(body + PADDING, 0, 1))


@pytest.mark.parametrize("gap", range(30))
def test_a_long_file_reads_like_bytes_however_records_lie_across_windows(tmp_path, gap):
    lengths = [
        WINDOW_BYTES - gap,
        300,
        3,
        40,
        2 * WINDOW_BYTES,
        0,
        1,
        WINDOW_BYTES - 3,
        200_000,
    ]
    body = b"".join(framed(n + 20, bytes([n]) * length) for n, length in enumerate(lengths))
    path = tmp_path / "long"
    path.write_bytes(body)
    with open_source(path) as source:
        window = Window(source)
        assert list(records(window, 0, len(body))) == list(
            records(body + PADDING, 0, len(body))
        )
        for _, _, _, value, stop in records(body + PADDING, 0, len(body)):
            assert window[value:stop] == body[value:stop]
