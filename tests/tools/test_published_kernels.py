"""Rows of docs/OperatorKernels.md as read by eye, at the commit that the table names."""

import json

import pytest

from inspector.platform import files

NUMBERS = "float16 float32 int16 int32 int64 int8 uint16 uint32 uint64 uint8"
ANY = f"bool float64 {NUMBERS}"
REAL, SIGNED, REDUCED = (
    "float16 float32", "float16 float32 int16 int32 int8",
    "float16 float32 int32 int64 uint32 uint64",
)  # fmt: skip
LENGTHS, BYTES = "int32 int64", "int8 uint8"


@pytest.mark.parametrize(
    ("operator", "since", "inputs", "outputs"),
    [
        ("PRelu", 7, [REAL, REAL], [REAL]),
        ("PRelu", 16, [SIGNED, SIGNED], [SIGNED]),
        ("Clip", 11, [REAL] * 3, [REAL]),
        ("Clip", 13, [NUMBERS] * 3, [NUMBERS]),
        ("ConvInteger", 10, [BYTES] * 4, ["int32"]),
        ("DFT", 17, ["float16 float32 float64", LENGTHS], ["float16 float32 float64"]),
        ("Equal", 7, [REAL, REAL], ["bool"]),
        ("Equal", 19, [NUMBERS, NUMBERS], ["bool"]),
        ("GridSample", 16, [NUMBERS, REAL], [NUMBERS]),
        ("ReduceL2", 13, [REAL], [REAL]),
        ("ReduceL2", 18, [REDUCED, None], [REDUCED]),
        ("Relu", 13, [REAL], [REAL]),
        ("Relu", 14, [SIGNED], [SIGNED]),
        ("RoiAlign", 16, [REAL, REAL, LENGTHS], [REAL]),
        ("Slice", 10, [ANY, *[LENGTHS] * 4], [ANY]),
        ("STFT", 17, [REAL, LENGTHS, REAL, LENGTHS], [REAL]),
    ],
)
def test_the_table_of_directml_says_what_is_published(operator, since, inputs, outputs):
    table = json.loads(files.resource("support", "directml.json").read_bytes())
    kernel = next(row for row in table["kernels"][operator] if row[0] == since)

    def sets(places: list[int]) -> list[set[str] | None]:
        return [set(table["types"][place].split()) if place >= 0 else None for place in places]

    assert sets(kernel[2]) == [None if each is None else set(each.split()) for each in inputs]
    assert sets(kernel[3]) == [set(each.split()) for each in outputs]
