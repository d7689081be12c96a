"""The package's own `dataclass` makes what that of the library makes, only later."""

import ast
import copy
import dataclasses
import inspect
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from inspector.platform import records

PACKAGE = Path(__file__).parent.parent / "inspector"
BOTH = pytest.mark.parametrize("dataclass", [records.dataclass, dataclasses.dataclass])

# Each class of the package is made by both while the module loads; prints what differs.
COMPARED = """
import dataclasses, importlib, inspect, pkgutil
from contextlib import suppress
import inspector
from inspector.platform import records

seen = 0

def both(**options):
    def decorate(cls):
        global seen
        seen += 1
        content = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
        twin = type(cls)(cls.__name__, cls.__bases__, content)
        twin = dataclasses.dataclass(**options)(twin)
        made = original(**options)(cls)
        for name, ours, theirs in zip(ASPECTS, aspects(made), aspects(twin), strict=True):
            if ours != theirs:
                print(made.__module__, made.__qualname__, name, ours, theirs)
        return made
    return decorate

ASPECTS = ("signature", "fields", "match", "hash", "slots", "names", "values", "annotations")

def aspects(cls):
    signature = inspect.signature(cls)
    fields = dataclasses.fields(cls)
    yield [
        (each.name, each.kind, repr(each.default), each.annotation)
        for each in signature.parameters.values()
    ]
    yield [
        (f.name, f.type, f.default, f.default_factory, f.init, f.repr, f.compare, f.kw_only)
        for f in fields
    ]
    yield cls.__match_args__
    yield cls.__hash__ is None, cls.__hash__ is object.__hash__
    yield vars(cls).get("__slots__")
    yield sorted(set(vars(cls)) - {"__doc__", "__replace__", "__annotations__"})
    yield [(f.name, getattr(cls, f.name, None)) for f in fields if "__slots__" not in vars(cls)]
    yield cls.__annotations__

original, records.dataclass = records.dataclass, both
for module in pkgutil.walk_packages(inspector.__path__, "inspector."):
    if not module.name.endswith(("__main__", "sitecustomize")):
        with suppress(ImportError):  # of a runtime that not all have
            importlib.import_module(module.name)
print(seen)
"""


@pytest.mark.thorough
def test_each_value_of_the_package_is_what_the_library_would_make():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", COMPARED], capture_output=True, text=True
    )
    *different, seen = run.stdout.splitlines() or [run.stderr]
    assert different == [], run.stderr
    assert int(seen) > 500, run.stderr


def test_no_module_of_the_package_takes_the_library_s():
    wrong = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        if any(each.name == "dataclass" for each in node.names)
    ]
    assert wrong == ["platform/records.py"]


def kinds(dataclass: Callable[..., Any]) -> tuple[type, type, type]:
    """Return a frozen value, one made from it, and one that can change."""

    @dataclass(frozen=True, slots=True, weakref_slot=True)
    class Point:
        x: int
        y: float = 1.5
        note: str = dataclasses.field(default="", compare=False)
        names: list[str] = dataclasses.field(default_factory=list, repr=False)
        KIND: ClassVar[str] = "point"

    @dataclass(frozen=True, slots=True)
    class Place(Point):
        z: int = 0
        sum: float = dataclasses.field(init=False, default=0.0)

        def __post_init__(self) -> None:
            object.__setattr__(self, "sum", self.x + self.y + self.z)

    @dataclass(eq=False)
    class State:
        count: int = 0
        inner: Any = None
        parts: dict[str, int] = dataclasses.field(default_factory=dict)
        closed: bool = dataclasses.field(init=False, default=False)

    return Point, Place, State


@BOTH
def test_values_compare_by_what_they_hold(dataclass):
    point_type, place_type, state_type = kinds(dataclass)
    assert point_type(1) == point_type(1, 1.5, "other note", [])
    assert point_type(1) != point_type(2)
    assert point_type(1) != place_type(1)
    assert point_type(1).names is not point_type(1).names
    assert hash(place_type(1, names=())) == hash(place_type(1, 1.5, "note", ()))
    assert state_type() != state_type()
    assert point_type.__eq__(point_type(1), 1) is NotImplemented
    with pytest.raises(TypeError):
        hash(point_type(1))  # for its list


@BOTH
def test_a_frozen_value_stays(dataclass):
    point_type, place_type, state_type = kinds(dataclass)

    class Derived(place_type):
        pass

    for value in (point_type(1), place_type(1), Derived(1)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            value.x = 2
        with pytest.raises(dataclasses.FrozenInstanceError):
            del value.x
    state = state_type()
    state.count = 2
    assert (state.count, state.closed, state_type.closed) == (2, False, False)


@BOTH
def test_values_show_themselves(dataclass):
    _, place_type, state_type = kinds(dataclass)
    name = place_type.__qualname__
    assert repr(place_type(1)) == f"{name}(x=1, y=1.5, note='', z=0, sum=2.5)"
    state = state_type()
    state.inner = state
    name = state_type.__qualname__
    assert repr(state) == f"{name}(count=0, inner=..., parts={{}}, closed=False)"


@BOTH
def test_values_are_made_as_their_fields_say(dataclass):
    point_type, place_type, state_type = kinds(dataclass)
    signature = (
        "x: int, y: float = 1.5, note: str = '', names: list[str] = <factory>, z: int = 0"
    )
    assert str(inspect.signature(place_type)) == f"({signature}) -> None"
    assert place_type.__match_args__ == ("x", "y", "note", "names", "z")
    assert place_type.__slots__ == ("z", "sum")
    for wrong in ((), (1, 2, "", [], 3, 4)):
        with pytest.raises(TypeError):
            place_type(*wrong)
    match point_type(3, 4):
        case point_type(x, y):
            assert (x, y) == (3, 4)
    assert state_type(parts={"a": 1}).parts == {"a": 1}
    assert point_type.KIND == "point"
    with pytest.raises(ValueError, match="default"):

        @dataclass(frozen=True)
        class Shared:
            values: list[int] = []


@BOTH
def test_values_can_be_copied_and_stored(dataclass):
    point_type, place_type, state_type = kinds(dataclass)
    point, place = point_type(1, names=["a"]), place_type(1, z=4)
    assert dataclasses.replace(place, x=2).sum == 7.5
    assert dataclasses.asdict(point) == {"x": 1, "y": 1.5, "note": "", "names": ["a"]}
    assert copy.deepcopy(point) == point
    assert copy.deepcopy(point).names is not point.names
    assert copy.copy(point).names is point.names
    assert weakref.ref(point)() is point
    assert dataclasses.is_dataclass(state_type)
    text = msgspec.json.encode(point)
    assert text == b'{"x":1,"y":1.5,"note":"","names":["a"]}'
    assert msgspec.json.decode(text, type=point_type) == point
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"y":1.5}', type=point_type)


def test_a_method_of_the_class_stays():
    @records.dataclass(frozen=True, slots=True)
    class Own:
        value: float

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    assert Own(1.0) == 2
    assert hash(Own(1.0)) == 7
    assert repr(Own(1.0)) == "own"


def test_a_base_is_initialized_by_name():
    @records.dataclass()
    class Base:
        value: int

    class Derived(Base):
        def __init__(self, value: int) -> None:
            super().__init__(value + 1)

    assert Derived(1).value == 2
    assert Base(1).value == 1
    assert inspect.isfunction(Base.__init__)


def test_a_class_derived_from_a_frozen_one_may_have_more():
    @records.dataclass(frozen=True, slots=True)
    class Base:
        value: int

    class Derived(Base):
        pass

    derived = Derived(1)
    derived.more = 1
    assert derived.more == 1
    del derived.more
    with pytest.raises(dataclasses.FrozenInstanceError):
        derived.value = 2
