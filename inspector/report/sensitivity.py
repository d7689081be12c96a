"""Layers ranked by their loss from quantization, and the gain of keeping some in float.

Saved as JSON (schema sensitivity/1), so that window and command line show the same.
"""

import msgspec

from inspector.units import clip, plural

SCHEMA = "sensitivity/1"
# An error of 10% of the spread of the worst channel: the limit of a verdict on outputs, which
# is MAX_ERROR in analysis/verdicts/output_findings.py.
GOOD_DB = 20.0
# Half the error: what keeping layers in float should gain at least.
WORTHWHILE_DB = 6.0
# Of the layers; with more of them in float, little is left of the smaller and faster model.
MOST_KEPT = 0.25
_NAME = 40


class LayerSensitivity(msgspec.Struct, frozen=True):
    """A layer with its loss: output SQNR in dB when only this layer is quantized.

    The SQNR is that of the worst channel of all outputs, whose own spread is the signal. The
    weights of the layer and the values that it makes are quantized. sqnr_db: None if the
    outputs do not change at all. apart: whether both were measured one without the other, as
    weights_db and values_db. lost_channels: of the values, those too small for the steps of
    quantization, which become zero. channels: how many are not zero anyway; 0 if unknown.
    lost_weights: those that become zero. weights: how many are not zero anyway; 0 if unknown.
    """

    name: str
    operator: str
    sqnr_db: float | None
    weights_db: float | None = None
    values_db: float | None = None
    apart: bool = False
    lost_channels: int = 0
    channels: int = 0
    lost_weights: int = 0
    weights: int = 0

    @property
    def loses_most(self) -> bool:
        """Return whether less than half of its channels or weights is left."""
        return bool(self.lost_text)

    @property
    def lost_text(self) -> str:
        """Return what is lost, if it is most: "12 of 16 channels lost"; else empty."""
        parts = []
        if 2 * self.lost_channels > self.channels:
            parts.append(f"{self.lost_channels:,} of {plural(self.channels, 'channel')} lost")
        if 2 * self.lost_weights > self.weights:
            parts.append(f"{self.lost_weights / self.weights:.0%} of weights become zero")
        return ", ".join(parts)

    @property
    def cause(self) -> str:
        """Return what of the layer costs more, "weights" or "values"; empty if unknown."""
        if not self.apart or self.sqnr_db is None:
            return ""
        return "weights" if _level(self.weights_db) < _level(self.values_db) else "values"


class KeptPoint(msgspec.Struct, frozen=True):
    """Output SQNR in dB with the worst layers kept in float, all others quantized."""

    kept: int
    sqnr_db: float | None


class Sensitivity(msgspec.Struct, frozen=True):
    """The sensitivity of a model to an action such as int8.

    layers: worst first, those measured until now, of `total`; in front of all others those that
    lose most of their channels. curve: by rising number of kept
    layers, the first one with none. inputs: how many were predicted for each number.
    """

    model: str
    action: str
    layers: tuple[LayerSensitivity, ...] = ()
    curve: tuple[KeptPoint, ...] = ()
    total: int = 0
    inputs: int = 0
    notes: tuple[str, ...] = ()
    schema: str = SCHEMA

    @property
    def worst(self) -> tuple[str, ...]:
        """Return the names of the layers, worst first."""
        return tuple(layer.name for layer in self.layers)

    @property
    def best_kept(self) -> int:
        """Return how many layers to keep in float; -1 if keeping some does not help enough."""
        if not self.curve:
            return 0
        levels = [(point.kept, _level(point.sqnr_db)) for point in self.curve]
        start = levels[0][1]
        most = max(1, int(self.total * MOST_KEPT))
        usual = [(kept, level) for kept, level in levels if kept <= most]
        good = [kept for kept, level in usual if level >= GOOD_DB]
        if good:
            return good[0]
        helped = [kept for kept, level in usual if level - start >= WORTHWHILE_DB]
        return helped[0] if helped else -1

    @property
    def verdict(self) -> str:
        """Return in one sentence what the curve says; empty without a curve."""
        if not self.curve:
            return ""
        levels = {point.kept: point.sqnr_db for point in self.curve}
        start, best = levels[0], self.best_kept
        if start is None:
            return (
                f"No change: with {self.action}, the outputs are identical to the original "
                "ones."
            )
        if best == 0:
            text = (
                "No layer needs to stay in float: with all layers quantized, output SQNR is "
                f"{decibels(start)}."
            )
            lossy = [each for each in self.layers if each.loses_most]
            if lossy:  # of which SQNR says little, since one large channel outweighs the others
                name, lost = clip(lossy[0].name, _NAME), lossy[0].lost_text
                text += f" But {name} is affected ({lost}): check the accuracy on your data."
            return text
        if best < 0:
            kept, reached = max(levels.items())
            gain = max(_level(reached) - _level(start), 0.0)
            only = "only " if gain < WORTHWHILE_DB else ""
            return (
                f"{self.action} does not suit this model: with all layers quantized, output "
                f"SQNR is {decibels(start)}, and keeping the {plural(kept, 'worst layer')} in "
                f"float gains {only}{gain:.1f} dB."
            )
        names = ", ".join(clip(layer.name, _NAME) for layer in self.layers[:best][:3])
        more = f" and {best - 3} more" if best > 3 else ""
        end = "" if _level(levels[best]) >= GOOD_DB else " Check the accuracy on your data."
        return (
            f"Keep {names}{more} in float: output SQNR rises from {decibels(start)} to "
            f"{decibels(levels[best])}.{end}"
        )


def decibels(value: float | None) -> str:
    """Return an SQNR for people."""
    return "no difference" if value is None else f"{value:.1f} dB"


def _level(value: float | None) -> float:
    return float("inf") if value is None else value
