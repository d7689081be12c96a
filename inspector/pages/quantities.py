"""Values of counters and of settings, as pages show them."""

from inspector.wording.values import Joined, Name, Number, Sentence, Share, Size, Value

_OURS = ("all", "default", "none", "file")  # values of settings


def quantity(number: float, unit: str) -> Value:
    """Return a number of a counter with its unit."""
    if unit == "bytes":
        return Size(number)
    if unit == "percent":
        return Share(number, 100)
    return Number(number, "W" if unit == "watts" else "", digits=4)


def setting(text: str) -> Value:
    """Return the value of a setting: a word of ours, or text of a file or a machine."""
    return text if isinstance(text, Sentence | Joined) or text in _OURS else Name(text)
