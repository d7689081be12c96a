"""A finding of advice as a value, which a report carries to where its model is not."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that could be better, and how that is known.

    rule: a name for scripts ("layout-changes"). sentence: what was seen.
    layers: indices that show it, the longest first. settings: the fields of RunSpec that do.
    gain: what can be expected at most, with its reason. check: how to find out.
    share: of the kernels' time that is at stake, 0 to 1; 1 for a setting that touches all
        layers, 0 where it is not about time.
    """

    rule: str
    sentence: str
    gain: str
    check: str
    layers: tuple[int, ...] = ()
    settings: tuple[str, ...] = ()
    share: float = 0.0
