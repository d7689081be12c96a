"""Something found in a trace that costs time or memory."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One habit. rule: its id; spans: where it shows, first ones first; advice: what to do."""

    rule: str
    sentence: str
    spans: tuple[int, ...]
    advice: str
