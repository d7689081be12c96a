"""Fonts and colors as a style sheet, for pages that open in any browser without a network."""

import base64
from dataclasses import asdict
from functools import cache
from typing import Any

from inspector.pages.charts import palette as palette_module
from inspector.platform import files

FONTS = (("Inter", 400), ("Inter", 500), ("Inter", 600), ("JetBrains Mono", 400))
_FAMILIES = ("activity", "data", "cpu", "gpu", "npu")


@cache
def styles(sheet: str) -> dict[str, Any]:
    """Return a style sheet with the fonts and colors that all pages share."""
    return {
        "style": files.resource("report", sheet).read_text("utf-8"),
        "fonts": "".join(_font(family, weight) for family, weight in FONTS),
        "light": _variables(palette_module.LIGHT),
        "dark": _variables(palette_module.DARK),
    }


def _font(family: str, weight: int) -> str:
    file = f"{'mono' if 'Mono' in family else 'inter'}-{weight}.woff2"
    body = base64.b64encode(files.resource("report", file).read_bytes()).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-display:block;"
        f"src:url(data:font/woff2;base64,{body}) format('woff2')}}\n"
    )


def _variables(palette: palette_module.Palette) -> str:
    """The palette as custom properties, with what is mixed or chosen from it."""
    values = {name: value for name, value in asdict(palette).items() if name != "dark"}
    for family in _FAMILIES:
        color = palette.lane(family)
        values[f"on-{family}"] = palette_module.on_top(color)
        values[f"{family}-tint"] = palette_module.mix(palette.surface, color, 0.28)
        values[f"{family}-bar"] = palette_module.mix(palette.surface, color, 0.38)
    named = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in values.items())
    return f"color-scheme:{'dark' if palette.dark else 'light'};{named}"
