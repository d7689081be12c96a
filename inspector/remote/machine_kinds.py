"""The kinds of machines that plugins add, and which of them the host of a machine names.

A machine without such a kind has an agent of Inspector, which is reached by SSH or runs here.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from inspector.errors import BadInput
from inspector.platform import plugins
from inspector.platform.data_struct import DataStruct
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.remote.other_machine import OtherMachine

# What looks like a host of a kind: "android:R5CT", and neither "ssh://pi@pi5:2222" nor an
# IPv6 address.
_OF_SOME_KIND = re.compile(r"([a-z]+):(?!//)[^:]*")


class MachineKind(DataStruct, frozen=True):
    """A kind of machine.

    id: before the colon of a host, as in "android:SERIAL". line: "module:function", which
    takes the `Saved` machine and returns what runs jobs there, an `OtherMachine`; it is
    imported when a machine of the kind is used. host: how `devices --add` takes it; "" if none
    is added. title: what such a machine is, in the help. program: what `--program` names; "" if
    it takes none.
    uploads_to: the service to which models are uploaded, about which the user is asked first.
    pool: "module:object" of a `Pool` of machines that need not be added: `--on ID` runs on any
    of them, `--on ID/NAME` on one. help: how `--on` reaches them.
    """

    id: str
    line: str
    host: str = ""
    title: str = ""
    program: str = ""
    uploads_to: str = ""
    pool: str = ""
    help: str = ""

    def line_to(self, machine: Any) -> "OtherMachine":
        """Return what runs jobs on a machine of this kind. Raises InspectorError."""
        what = f"Could not use '{clip(machine.name, 60)}'"
        with plugins.blamed(plugins.MACHINES, self, what):
            line: OtherMachine = plugins.load(self.line)(machine)
        return line


class Pool(Protocol):
    """Machines that share their work, and that are not in the list of the user."""

    def joined(self) -> bool:
        """Return whether this user can use them."""

    def host(self, text: str) -> str:
        """Return the host for "" (any of them), a name, or "label:WORD". Raises BadInput."""

    def width(self, host: str) -> int:
        """Return how many jobs can run at once on the machines of a host."""

    def machines(self) -> Sequence[tuple[Any, bool]]:
        """Return each machine as `Saved`, and whether it is connected. Raises EngineDied."""


def kinds() -> tuple[MachineKind, ...]:
    """Return all kinds that plugins add."""
    return tuple(plugins.added_to((), plugins.MACHINES))


def own_kinds() -> tuple[MachineKind, ...]:
    """Return the kinds of our own plugins, without a look for those of others."""
    return plugins.built_in(plugins.MACHINES)


def kind_of(host: str) -> MachineKind | None:
    """Return the kind that a host names; None: an agent is reached there."""
    if ":" not in host or "://" in host:
        return None
    return next((kind for kind in kinds() if host.startswith(f"{kind.id}:")), None)


def expect_known(host: str, what: str) -> None:
    """Raise BadInput if a host is of a kind whose plugin is not installed.

    what: did not happen.
    """
    match = _OF_SOME_KIND.fullmatch(host)
    if match is not None and kind_of(host) is None:
        why = f"no plugin for hosts that begin with '{match[1]}:' is installed"
        hint = plugins.hint("Install it, or specify a host as you would for ssh.")
        raise BadInput(what, why, hint)


def pools() -> list[tuple[MachineKind, Pool]]:
    """Return the kinds with machines that need not be added, and those machines."""
    return [(kind, plugins.load(kind.pool)) for kind in kinds() if kind.pool]


def pool_of(host: str) -> Pool | None:
    """Return the pool that a host is a part of; None: it is one machine."""
    kind = kind_of(host)
    pool: Pool | None = plugins.load(kind.pool) if kind is not None and kind.pool else None
    return pool
