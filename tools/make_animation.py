"""Make the animated picture of the README from the pictures of the pages.

    python -m tools.make_animation     # after `make pictures`

Each step is one picture with the question that it answers below it.
"""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
TARGET = PICTURES / "tour.webp"
_STEPS = (
    ("overview", "Open: what is this model, and is it valid?"),
    ("graph", "Look: which layers, in which order, at what cost?"),
    ("preview", "Try: is it right on my inputs?"),
    ("performance", "Measure: how fast is it, on what, and what limits it?"),
    ("improve", "Improve: can it be smaller or faster, and is it still right?"),
    ("compare", "Compare: did it get faster, or is that noise?"),
)
_WIDTH_PX = 1080
_BAND_PX = 52  # below the picture, for the question
_TEXT_PX = 22
_MARGIN_PX = 20
_STEP_MS = 2800  # long enough to read the question and look around
_QUALITY = 82  # text of the window is still sharp
# Those of the window, light; colors are data of a picture here, not of the program.
_BAND_COLOR = "#1a1d23"
_TEXT_COLOR = "#ffffff"
_DONE_COLOR = "#4c8dff"


def frames() -> list[Image.Image]:
    """Return one image for each step."""
    font = ImageFont.truetype(str(ROOT / "resources/fonts/Inter-SemiBold.otf"), _TEXT_PX)
    return [_frame(number, *step, font) for number, step in enumerate(_STEPS)]


def _frame(number: int, name: str, question: str, font: ImageFont.FreeTypeFont) -> Image.Image:
    shot = Image.open(PICTURES / f"{name}-light.png").convert("RGB")
    height = round(shot.height * _WIDTH_PX / shot.width)
    usual = round(900 * _WIDTH_PX / 1440)  # of the window; a page of its own may be lower
    frame = Image.new("RGB", (_WIDTH_PX, usual + _BAND_PX), "white")
    frame.paste(shot.resize((_WIDTH_PX, height), Image.Resampling.LANCZOS), (0, 0))
    draw = ImageDraw.Draw(frame)
    draw.rectangle((0, usual, _WIDTH_PX, usual + _BAND_PX), fill=_BAND_COLOR)
    done = round(_WIDTH_PX * (number + 1) / len(_STEPS))
    draw.rectangle((0, usual, done, usual + 3), fill=_DONE_COLOR)
    middle = usual + _BAND_PX // 2 + 1
    draw.text((_MARGIN_PX, middle), question, _TEXT_COLOR, font, anchor="lm")
    return frame


def main() -> None:
    """Write the picture."""
    first, *rest = frames()
    first.save(
        TARGET,
        save_all=True,
        append_images=rest,
        duration=_STEP_MS,
        loop=0,
        quality=_QUALITY,
        method=6,
    )


if __name__ == "__main__":
    main()
