"""The words for what became of a layer, how it relates to a device, and how that is known."""

from enum import StrEnum


class Mark(StrEnum):
    """How a layer relates to a device. The value goes into files, `words` to people."""

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
    def words(self) -> str:
        """What a tooltip, a screen reader and print say."""
        return _MARK_LABELS[self]


_MARK_LABELS = {
    Mark.RAN: "Ran here",
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
    """How a mark is known."""

    MEASURED = "measured"
    PROBED = "probed"
    EMULATED = "emulated"
    TABLE = "table"


class Rule(StrEnum):
    """What keeps a device from taking a layer."""

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
    """What became of a layer in the optimised graph."""

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
