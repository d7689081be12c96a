"""The decorator of the package's values: that of `dataclasses`, at a fifth of its price.

`from inspector.platform.records import dataclass` is typed like the library's own, and what it
makes is one for `fields`, `replace`, `asdict` and msgspec. The library compiles up to seven
functions for each class while its module loads: 0.4 ms a class, 50 of the 260 ms of
`inspector info`. Here they are closures; `__init__` is compiled when it is first wanted.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

__all__ = ["dataclass"]
_FIELDS = "__dataclass_fields__"  # by this name the library and msgspec find them
_ORDINARY = vars(dataclasses)["_FIELD"]  # what the library tells fields and class variables by
_SET = object.__setattr__  # past the refusal of a frozen class
T = TypeVar("T")


def _dataclass(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, weakref_slot: bool = False
) -> Callable[[type[T]], type[T]]:
    """Return what makes a class one of values; the options are those of the library."""

    def decorate(cls: type[T]) -> type[T]:
        given = vars(cls)
        own = _own_fields(cls)
        fields = _inherited_fields(cls) | own
        init = _LateInit(tuple(fields.values()), frozen, slots)
        new = _methods(given, fields.values(), frozen, eq)
        new["__init__"] = init
        if frozen:
            new |= _refusals(init, frozenset(fields))
        new[_FIELDS] = fields
        new["__dataclass_params__"] = SimpleNamespace(frozen=frozen)
        if slots:
            made = _with_slots(cls, tuple(fields), new, frozen, weakref_slot)
        else:
            made = cls
            for name, each in own.items():
                if each.default is not MISSING:
                    setattr(cls, name, each.default)
                elif name in given:
                    delattr(cls, name)
            for name, value in new.items():
                setattr(cls, name, value)
        init.owner = made
        return made

    return decorate


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


class _LateInit:
    """Stands for the `__init__` of a class until somebody wants it, such as a first call."""

    owner: Any = None  # the class

    def __init__(self, fields: Sequence["Field[Any]"], frozen: bool, slots: bool) -> None:
        self._fields = fields
        self._frozen = frozen
        self._slots = slots

    def __get__(self, instance: object, cls: type) -> Any:
        """Return the method, bound where there is an instance; from now on the class has it."""
        method = self._compiled()
        type.__setattr__(self.owner, "__init__", method)
        return method if instance is None else method.__get__(instance, cls)

    def _compiled(self) -> Any:
        parameters = ["self"]
        lines = []
        values: dict[str, Any] = {"_set": _SET, "_ungiven": _UNGIVEN}
        for field in self._fields:
            name = field.name
            value = name
            default = f"_of_{name}"
            makes = field.default_factory is not MISSING
            if makes or field.default is not MISSING:
                values[default] = field.default_factory if makes else field.default
            elif field.init:
                parameters.append(name)
            if field.init and makes:
                parameters.append(f"{name}=_ungiven")
                value = f"{default}() if {name} is _ungiven else {name}"
            elif field.init and default in values:
                parameters.append(f"{name}={default}")
            elif not field.init and makes:
                value = f"{default}()"
            elif not field.init:
                if not self._slots or default not in values:
                    continue  # the class has it
                value = default
            lines.append(
                f"_set(self, {name!r}, {value})" if self._frozen else f"self.{name} = {value}"
            )
        if hasattr(self.owner, "__post_init__"):
            lines.append("self.__post_init__()")
        body = "\n ".join(lines or ["pass"])
        values["__name__"] = self.owner.__module__
        exec(f"def __init__({', '.join(parameters)}):\n {body}", values)
        method = values["__init__"]
        method.__qualname__ = f"{self.owner.__qualname__}.__init__"
        method.__annotations__ = {
            field.name: field.type for field in self._fields if field.init
        } | {"return": None}
        return method


class _Ungiven:
    """The default, in a signature, of what a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


def _own_fields(cls: type) -> dict[str, "Field[Any]"]:
    """Return the fields that the body of a class names, by name."""
    found = {}
    for name, kind in cls.__annotations__.items():
        if getattr(kind, "__origin__", None) is ClassVar:
            continue
        default = getattr(cls, name, MISSING)
        if isinstance(default, MemberDescriptorType):  # the slot of a base
            default = MISSING
        field: Any = (
            default if isinstance(default, Field) else dataclasses.field(default=default)
        )
        if type(field.default).__hash__ is None:
            raise ValueError(f"{cls.__name__}.{name}: all instances would share its default")
        field.name, field.type, field.kw_only = name, kind, False
        field._field_type = _ORDINARY
        found[name] = field
    return found


def _inherited_fields(cls: type) -> dict[str, "Field[Any]"]:
    found: dict[str, Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        found |= getattr(base, _FIELDS, {})
    return found


def _methods(
    given: Mapping[str, Any], fields: Iterable["Field[Any]"], frozen: bool, eq: bool
) -> dict[str, Any]:
    """Return what a class compares and shows itself with; what its body has stays."""
    new: dict[str, Any] = {}
    if "__match_args__" not in given:
        new["__match_args__"] = tuple(field.name for field in fields if field.init)
    if "__repr__" not in given:
        shown = [field.name for field in fields if field.repr]

        @recursive_repr("...")
        def represent(self: object) -> str:
            texts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{type(self).__qualname__}({texts})"

        new["__repr__"] = represent
    if not eq:
        return new
    key = _key([field.name for field in fields if field.compare])
    if "__eq__" not in given:

        def equal(self: object, other: object) -> bool:
            return key(self) == key(other) if type(other) is type(self) else NotImplemented

        new["__eq__"] = equal
    # Python itself puts None for `__hash__` where a body has only `__eq__`.
    if given.get("__hash__") is None:
        new["__hash__"] = (lambda self: hash(key(self))) if frozen else None
    return new


def _key(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """Return what takes the values of these names out of an instance."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _refusals(init: _LateInit, names: frozenset[str]) -> dict[str, Any]:
    """Return the methods with which a frozen class refuses a change."""

    def set_value(self: object, name: str, value: object) -> None:
        if type(self) is init.owner or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(init.owner, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is init.owner or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(init.owner, self).__delattr__(name)

    return {"__setattr__": set_value, "__delattr__": delete}


def _with_slots(
    cls: type[T], names: tuple[str, ...], new: dict[str, Any], frozen: bool, weak: bool
) -> type[T]:
    """Return the class made again with slots for its fields: a class cannot get them later."""
    inherited = {
        slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())
    }
    content = {
        name: value
        for name, value in vars(cls).items()
        if name not in names and name not in ("__dict__", "__weakref__")
    }
    wanted = (*names, "__weakref__") if weak else names
    content["__slots__"] = tuple(name for name in wanted if name not in inherited)
    if frozen:  # copies and pickles set no attribute of theirs
        content.setdefault("__getstate__", _state)
        content.setdefault("__setstate__", _set_state)
    meta: Any = type(cls)
    made: type[T] = meta(cls.__name__, cls.__bases__, content | new)
    made.__qualname__ = cls.__qualname__
    return made


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        _SET(self, field.name, value)


_UNGIVEN = _Ungiven()
