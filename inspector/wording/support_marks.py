"""Support marks: the outcome of a layer, its support by a device, and the source of that."""

from enum import StrEnum


class Mark(StrEnum):
    """Support of a layer by a device. The value is for files, `label` for people."""

    RAN = "ran"
    SUPPORTED = "supported"
    EXCLUDED = "excluded"
    UNSUPPORTED = "unsupported"
    CAST = "cast"
    DECOMPOSED = "decomposed"
    FUSED = "fused"
    FOLDED = "folded"
    FAILED = "failed"
    UNKNOWN = "unknown"

    @property
    def label(self) -> str:
        """The text for tooltips, screen readers and print."""
        return _MARK_LABELS[self]


_MARK_LABELS = {
    Mark.RAN: "Ran on this device",
    Mark.SUPPORTED: "Supported",
    Mark.EXCLUDED: "Excluded by this configuration",
    Mark.UNSUPPORTED: "Not supported",
    Mark.CAST: "Supported through a cast",
    Mark.DECOMPOSED: "Supported as several operators",
    Mark.FUSED: "Fused into another layer",
    Mark.FOLDED: "Constant-folded",
    Mark.FAILED: "Accepted, then failed",
    Mark.UNKNOWN: "Unknown",
}


class Source(StrEnum):
    """The source that a mark is known from."""

    MEASURED = "measured"
    PROBED = "probed"
    EMULATED = "emulated"
    TABLE = "table"


class Rule(StrEnum):
    """The kind of rule that keeps a device from running a layer."""

    NONE = ""
    OPERATOR = "operator"
    OPSET = "opset"
    TYPE = "type"
    RANK = "rank"
    DYNAMIC_SHAPE = "dynamic shape"  # a length that the caller may fix
    DATA_SHAPE = "data-dependent shape"  # one that only a run tells
    CONSTANT = "constant"
    ATTRIBUTE = "attribute"


class Status(StrEnum):
    """The status of a layer in the optimized graph."""

    EXECUTED = "executed"
    FUSED = "fused"
    FOLDED = "folded"
    MERGED = "merged"
    MOVED = "moved"
    ELIMINATED = "eliminated"
    DEAD = "dead"
    NOT_REACHED = "not reached"
    COMPILED = "compiled"
    UNKNOWN = "unknown"
