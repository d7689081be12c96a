import copy
import dataclasses

import pytest

from inspector.platform.data_struct import DataStruct


class Point(DataStruct, frozen=True):
    x: int
    tags: tuple[str, ...] = ()


class Line(DataStruct, frozen=True):
    begin: Point
    end: Point = Point(0)


def test_the_functions_of_dataclasses_take_it_apart_and_together():
    line = Line(Point(1, ("a",)))
    assert dataclasses.is_dataclass(line)
    assert [each.name for each in dataclasses.fields(Line)] == ["begin", "end"]
    assert dataclasses.replace(line, end=Point(5)) == Line(Point(1, ("a",)), Point(5))
    assert dataclasses.asdict(line) == {
        "begin": {"x": 1, "tags": ("a",)},
        "end": {"x": 0, "tags": ()},
    }
    with pytest.raises(TypeError, match="middle"):
        dataclasses.replace(line, middle=Point(2))


def test_it_is_a_value():
    assert Point(1) == Point(1) != Point(2)
    assert len({Point(1), Point(1)}) == 1
    assert copy.deepcopy(Line(Point(1))) == Line(Point(1))
    with pytest.raises(AttributeError):
        Point(1).x = 2
