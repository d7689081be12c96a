"""Whether a model that computes in float16 is still right where float16 is real."""

import msgspec

from inspector.report.output_verdict import OutputVerdict, UndecidedReason

AUTO = "auto"  # in place of names of layers that stay float32: those that need it are found


class OutOfRange(msgspec.Struct, frozen=True):
    """A result that float16 cannot hold.

    layer, operator: of the layer that computes it. tensor: name of the result. largest: the
    largest finite magnitude before rounding. vanishes: the result is too small, so that all of
    it becomes 0; else it is beyond 65,504 and becomes infinite.
    """

    layer: str
    operator: str
    tensor: str
    largest: float
    vanishes: bool = False


class Float16Check(msgspec.Struct, frozen=True):
    """Outputs in emulated float16 arithmetic, compared with those of the original in float32.

    out_of_range: results that float16 cannot hold, in the order of the layers. verdict: whether
    the outputs are still right. missing: why nothing was checked; else empty.
    """

    out_of_range: tuple[OutOfRange, ...] = ()
    verdict: OutputVerdict | None = None
    missing: str = ""

    @property
    def wrong(self) -> bool:
        """Return whether something speaks against the outputs, also where the inputs are too
        few or too little like real ones for a verdict."""
        verdict = self.verdict
        if verdict is None or verdict.good or verdict.reason == UndecidedReason.NOT_REPEATING:
            return False
        return verdict.bad or bool(verdict.findings)
