"""Make the TrueType subsets of Inter that PDF and PNG exports write with.

Viewers of PDF disagree about OpenType fonts with PostScript outlines; TrueType is safe.
"""

from pathlib import Path

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable

RESOURCES = Path(__file__).parent.parent / "resources"
RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x45F), (0x2010, 0x2027),
    (0x2030, 0x205E), (0x2070, 0x208E), (0x2190, 0x2199), (0x2200, 0x226F), (0x25A0, 0x25FF),
    (0x2713, 0x2717),
)  # fmt: skip


def main() -> None:
    """Write inter-400.ttf and inter-600.ttf."""
    for name, weight in (("Regular", 400), ("SemiBold", 600)):
        font = TTFont(RESOURCES / "fonts" / f"Inter-{name}.otf")
        options = Options(layout_features=["kern"], hinting=False, desubroutinize=True)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[letter for a, b in RANGES for letter in range(a, b + 1)])
        subsetter.subset(font)
        _to_true_type(font)
        font.save(RESOURCES / "report" / f"inter-{weight}.ttf")


def _to_true_type(font: TTFont) -> None:
    outlines, glyphs = font.getGlyphSet(), {}
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(outlines)
        outlines[name].draw(Cu2QuPen(pen, max_err=font["head"].unitsPerEm / 1000))
        glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder = font.getGlyphOrder()
    font["glyf"].glyphs = glyphs
    del font["CFF "]
    if "VORG" in font:
        del font["VORG"]
    font["glyf"].compile(font)
    for name, glyph in glyphs.items():
        glyph.recalcBounds(font["glyf"])
        advance, _ = font["hmtx"][name]
        font["hmtx"][name] = (advance, getattr(glyph, "xMin", 0))
    most = newTable("maxp")
    most.tableVersion = 0x00010000
    for key in (
        "maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
        "maxStackElements", "maxSizeOfInstructions", "maxComponentElements",
    ):  # fmt: skip
        setattr(most, key, 0)
    most.maxZones = 1
    most.numGlyphs = len(glyphs)
    font["maxp"] = most
    font["post"].formatType = 3.0
    font.sfntVersion = "\x00\x01\x00\x00"
    most.compile(font)


if __name__ == "__main__":
    main()
