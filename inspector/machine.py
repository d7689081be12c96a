"""The machine of a measurement, and what else went on there meanwhile."""

from dataclasses import dataclass

MUCH_USED = 0.15  # of all cores, by other programs


@dataclass(frozen=True, slots=True)
class Environment:
    """Machine and software of a measurement; no host name, no path, no user.

    load_average: programs that wanted a core in the minute before it began. governor: who sets
        the processor's frequency, and frequency_driver through what; empty where not told.
    """

    inspector: str
    onnxruntime: str
    packages: tuple[str, ...]
    python: str
    system: str
    cpu: str
    cores: int
    memory_bytes: int
    load_average: float = 0.0
    governor: str = ""
    frequency_driver: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else went on while the clean predictions were timed: shares of all cores' time.

    stolen: taken by the host of a virtual machine. others: used by other programs. Both 0 to 1;
        None where the system does not tell, or the predictions were over too soon.
    """

    stolen: float | None = None
    others: float | None = None
