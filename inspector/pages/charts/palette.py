"""Colors, fonts and marks as plain values, shared by the window and the exported report.

Colors are checked for contrast (text at least 4.5:1 on its surface) and the lane colors for
three kinds of color blindness; change them only with that check.
"""

from functools import cache

from msgspec import Struct

from inspector.platform.data_struct import DataStruct
from inspector.wording.support_marks import Mark

MARKER_BOX = 14.0
CHECK = "M4 7.3 6.2 9.5 10.1 5"
_RING = "M7 1.2a5.8 5.8 0 1 0 0 11.6a5.8 5.8 0 1 0 0-11.6Z"
_DIAMOND = "M7 2.2 11.8 7 7 11.8 2.2 7Z"
LEAST_CONTRAST = 4.5  # of text to its ground, as WCAG 2 AA asks
WHITE = "#FFFFFF"  # text on filled parts, paper, the light squares behind transparency
BLACK = "#000000"
CHECK_SQUARE = "#D9DCE1"  # the darker squares behind what is transparent
SCREEN_EDGE = "#3B82F6"  # of a rectangle on whatever a screen shows
HEAT = ((0.0, "#ffffff"), (0.5, "#f9d27a"), (1.0, "#d6453d"))  # for other viewers of models
_SERIES_LIGHT = ("#2A99E7", "#D17D7D", "#237377", "#8C260A", "#06437A", "#7E7905")
_SERIES_DARK = ("#4A68CC", "#9A665A", "#52E6EA", "#D8883E", "#86ACF2", "#E2DC80")
_BELOW_LIGHT = ("#8A3A04", "#E08A3C")
_BELOW_DARK = ("#FFD9A0", "#B8701F")
_ABOVE_LIGHT = ("#12398F", "#5B8DEF")
_ABOVE_DARK = ("#BFD8FF", "#2F6FE4")
_KNOB_DARK = "#3A404A"
_NEAR_BLACK = "#111318"


class Palette(DataStruct, frozen=True):
    """Colors of one theme, '#RRGGBB', named by their role. border: of cards, which are told
    apart without it. control: of buttons and fields, and of what a scroll bar moves: at least
    3:1 against every background, so that everybody sees them."""

    dark: bool
    window: str
    surface: str
    sidebar: str
    bar: str
    raised: str
    border: str
    control: str
    hairline: str
    grid: str
    track: str
    hover: str
    text: str
    secondary: str
    tertiary: str
    accent: str
    fill: str
    selection: str
    on_selection: str
    good: str
    caution: str
    bad: str
    activity: str
    data: str
    cpu: str
    gpu: str
    npu: str

    @property
    def on_unit(self) -> str:
        """Color of a check mark on the color of a device."""
        return self.surface if self.dark else WHITE

    @property
    def knob(self) -> str:
        """Ground of the chosen one of several choices."""
        return _KNOB_DARK if self.dark else self.surface

    @property
    def series(self) -> tuple[str, ...]:
        """Six colors that stay apart for all kinds of sight; a test measures how far."""
        return _SERIES_DARK if self.dark else _SERIES_LIGHT

    @property
    def below_zero(self) -> tuple[str, str]:
        """Colors of the lowest value, and of one half as low."""
        return _BELOW_DARK if self.dark else _BELOW_LIGHT

    @property
    def above_zero(self) -> tuple[str, str]:
        """Colors of the highest value, and of one half as high."""
        return _ABOVE_DARK if self.dark else _ABOVE_LIGHT

    def lane(self, family: str) -> str:
        """Color of a track's family: "activity", "data", "cpu", "gpu" or "npu"."""
        color: str = getattr(self, role(family))
        return color


def role(family: str) -> str:
    """Return the role of the color of a device or track of a family: any other is an NPU's."""
    return family if family in ("activity", "data", "cpu", "gpu") else "npu"


LIGHT = Palette(
    dark=False,
    window="#F4F5F7",
    surface="#FFFFFF",
    sidebar="#ECEEF1",
    bar="#FAFBFC",
    raised="#FFFFFF",
    border="#DCE0E6",
    control="#818996",
    hairline="#E8EBEF",
    grid="#EDF0F3",
    track="#E6E9EE",
    hover="#F0F3F7",
    text="#1A1D23",
    secondary="#4B5460",
    tertiary="#626B78",
    accent="#2A62D8",
    fill="#2A62D8",
    selection="#DCE7FC",
    on_selection="#12305F",
    good="#0F7853",
    caution="#AC4F08",
    bad="#C02A37",
    activity="#2450C4",
    data="#E0620D",
    cpu="#0A9390",
    gpu="#A274F5",
    npu="#962558",
)
DARK = Palette(
    dark=True,
    window="#15171B",
    surface="#1C1F24",
    sidebar="#181A1F",
    bar="#1A1D22",
    raised="#262A31",
    border="#30353E",
    control="#747D8C",
    hairline="#292D35",
    grid="#262A31",
    track="#2C3139",
    hover="#24282F",
    text="#E7EAEE",
    secondary="#A9B1BD",
    tertiary="#8791A0",
    accent="#4C8DFF",
    fill="#2F6FE4",
    selection="#24395E",
    on_selection="#E3EDFF",
    good="#3FBF8F",
    caution="#E0A23C",
    bad="#F0707A",
    activity="#2F86E0",
    data="#ECA94D",
    cpu="#5FE6C8",
    gpu="#B5B0F7",
    npu="#C2627F",
)


class Stroke(Struct, frozen=True):
    """A path to draw: SVG path data in a box of MARKER_BOX, filled or with a line.

    color: "unit" (of the device), "on unit" (readable on it), "secondary" or "tertiary".
    """

    path: str
    color: str
    width: float = 0.0
    filled: bool = False
    dashed: bool = False


MARKERS: dict[Mark, tuple[Stroke, ...]] = {
    Mark.RAN: (
        Stroke("M7 .6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8Z", "unit", filled=True),
        Stroke(CHECK, "on unit", 1.7),
    ),
    Mark.SUPPORTED: (Stroke(_RING, "tertiary", 1.3), Stroke(CHECK, "secondary", 1.5)),
    Mark.UNSUPPORTED: (Stroke(_DIAMOND, "tertiary", 1.3),),
    Mark.EXCLUDED: (Stroke(_RING, "tertiary", 1.3), Stroke("M3 11 11 3", "secondary", 1.4)),
    Mark.CAST: (
        Stroke(_RING, "tertiary", 1.3),
        Stroke("M3.8 5.6h6.2M8.3 3.9 10 5.6M10.2 8.6H4M5.7 10.3 4 8.6", "secondary", 1.2),
    ),
    Mark.DECOMPOSED: (Stroke("M2 2h4v4H2ZM8 2h4v4H8ZM5 8h4v4H5Z", "secondary", 1.2),),
    Mark.FUSED: (
        Stroke("M5 3.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6Z", "unit", 1.3),
        Stroke("M9 3.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6Z", "unit", 1.3),
    ),
    Mark.FOLDED: (Stroke("M2.5 4.5 7 8.5 11.5 4.5M2.5 9.5h9", "tertiary", 1.3),),
    Mark.FAILED: (
        Stroke(_DIAMOND, "secondary", 1.3),
        Stroke("M7 4.8v2.8M7 9v.3", "secondary", 1.4),
    ),
    Mark.UNKNOWN: (Stroke("M5 5.2a2 2 0 1 1 4 0L7 7.6V8.4M7 10.6v.3", "tertiary", 1.4),),
}


def luminance(color: str) -> float:
    """Relative luminance of '#RRGGBB', 0 to 1, as WCAG 2 defines it."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors, 1 to 21, as WCAG 2 defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def on_top(color: str) -> str:
    """White or near-black, whichever reads better on `color`."""
    return max((WHITE, _NEAR_BLACK), key=lambda text: contrast(text, color))


@cache
def readable(color: str, ground: str, palette: Palette) -> str:
    """Return a color that can be read on a ground: mixed with that of text as far as needed."""
    shares = (step / 10 for step in range(11))
    mixed = (mix(color, palette.text, share) for share in shares)
    return next((each for each in mixed if contrast(each, ground) >= LEAST_CONTRAST), color)


def mix(one: str, other: str, amount: float) -> str:
    """Blend two colors: 0 is `one`, 1 is `other`."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * (1 - amount) + b * amount):02X}" for a, b in pairs)
