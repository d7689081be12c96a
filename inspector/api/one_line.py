"""Results in one line, as the Python prompt, a debugger and a log show them."""

from inspector.units import clip

_CHARS = 160  # more is cut; a line of a terminal has 80 to 200


class OneLine:
    """A result whose `repr` is one line; `about` says what it holds."""

    __slots__ = ()

    def about(self) -> str:
        """Return the content in a few words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        text = " ".join(self.about().split())
        return f"<{type(self).__name__} {clip(text, _CHARS)}>"
