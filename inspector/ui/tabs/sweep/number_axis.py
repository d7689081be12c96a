"""An axis of pyqtgraph whose numbers have separators: 12,000."""

from collections.abc import Sequence

import pyqtgraph


class NumberAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """Writes numbers as the rest of the window does."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """All with as many digits as tell them apart."""
        step = spacing * scale
        exact = (n for n in range(_MOST_DIGITS) if abs(round(step, n) - step) < step / 1e6)
        digits = next(exact, _MOST_DIGITS)
        return [f"{value * scale:,.{digits}f}" for value in values]


_MOST_DIGITS = 9
