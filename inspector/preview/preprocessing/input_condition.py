"""What a model's file asks of its picture in words, and whether a picture obviously is not so.

Only the background is judged, from the pixels at the border, and how much preprocessing
changes the size and the proportions: everything else takes eyes.
"""

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.model.model import TensorInfo
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image_files import Picture
from inspector.preview.preprocessing.recipe import ImagePreprocessing

KEYS = ("preparation", "preprocessing", "input_description")  # of metadata, in plain words
LIMIT_KEYS = ("limitations", "known_limitations", "limits", "training")
_LONGEST = 300  # characters; what is longer, or JSON, is no sentence for people
_BORDER = 0.05  # of the shorter side
_MOST_OF_IT = 0.75  # share of the pixels at the border that must agree
# of 255: the upper and the lower third
_LIGHT = 170
_DARK = 85
# Factor between the proportions of a picture and those it is stretched to: photos of 3:2 in a
# square are usual, screenshots of 16:9 are not.
_MOST_STRETCH = 1.55
_MOST_REDUCTION = 32  # factor between the sides; of a 28 x 28 input 900 pixels
_COLORED = 48  # of 255 between the channels: less is a tint
_MOST_COLOR = 0.1  # share of a picture; a colored frame or a logo is less
_MAY_BE = "The answer may be wrong."
_CLAUSE = re.compile(r"[,;.](?!\d)")
_ON = r"\b(?:on|against)\s+(?:an?\s+)?(?:plain\s+)?(?:{0})\b|\b(?:{0})\s+background"
_WORDS = {
    "dark": re.compile(_ON.format("black|dark"), re.IGNORECASE),
    "light": re.compile(_ON.format("white|light|bright"), re.IGNORECASE),
}


class InputCondition(Struct, frozen=True):
    """What the file of a model says about the pictures that it takes.

    text: all of it. subject: the part about the background ("bright clothes on black").
    background: "dark" or "light"; "" where the file says nothing about it.
    """

    text: str
    subject: str = ""
    background: str = ""

    def problem(self, picture: Picture) -> str:
        """Return a sentence if the background of a picture is the opposite, else ""."""
        found = background_of(picture)
        if not self.background or not found or found == self.background:
            return ""
        return (
            f"This image has a {found} background; this model expects {self.subject}. {_MAY_BE}"
        )


def stated(info: TensorInfo, metadata: Sequence[tuple[str, str]] = ()) -> InputCondition | None:
    """Return what the file says about the picture of an input; None if it says nothing."""
    entries = dict(metadata)
    texts = [
        text
        for text in (*(entries.get(key, "").strip() for key in KEYS), info.doc.strip())
        if text and len(text) <= _LONGEST and text[0] not in "{["
    ]
    if not texts:
        return None
    shown = units.clip(texts[0].rstrip("."))
    for text in texts:
        for background, words in _WORDS.items():
            for clause in _CLAUSE.split(text):
                if words.search(clause):
                    clause = clause.strip()
                    return InputCondition(
                        shown, units.clip(units.uncapitalized(clause)), background
                    )
    return InputCondition(shown)


def stated_limits(metadata: Sequence[tuple[str, str]]) -> str:
    """Return what the file of a model says about how far to trust it; "" for nothing."""
    entries = {key.lower(): value.strip() for key, value in metadata}
    texts = [entries[key].rstrip(".") for key in LIMIT_KEYS if entries.get(key)]
    known = [text for text in texts if len(text) <= _LONGEST and text[0] not in "{["]
    return units.clip("; ".join(known), _LONGEST)


def background_of(picture: Picture) -> str:
    """Return "light" or "dark" where most of a picture's border is, else ""."""
    height, width = picture.shape[:2]
    edge = max(1, round(_BORDER * min(height, width)))
    sides = (picture[:edge], picture[-edge:], picture[:, :edge], picture[:, -edge:])
    border = np.concatenate([image_files.to_gray(side).ravel() for side in sides])
    if np.mean(border >= _LIGHT) >= _MOST_OF_IT:
        return "light"
    return "dark" if np.mean(border <= _DARK) >= _MOST_OF_IT else ""


def size_problem(size: tuple[int, int], target: tuple[int, int], stretched: bool) -> str:
    """Return a sentence if preprocessing distorts a picture or loses most of it, else "".

    size, target: width and height, of the picture and of the model's input. stretched: whether
    it is resized without its proportions.
    """
    (width, height), (to_width, to_height) = size, target
    if not all((*size, *target)):
        return ""
    ratio = (width / height) / (to_width / to_height)
    distorted = stretched and max(ratio, 1 / ratio) > _MOST_STRETCH
    lost = min(width / to_width, height / to_height) > _MOST_REDUCTION
    effects = ["shapes in it are distorted"] * distorted + ["most details are lost"] * lost
    if not effects:
        return ""
    done = "stretched" if distorted else "reduced"
    return (
        f"This image was {done} from {width} × {height} to {to_width} × {to_height} pixels, so "
        f"{' and '.join(effects)}. {_MAY_BE}"
    )


class PictureProblem(Struct, frozen=True):
    """A sentence on why a model's answer may be wrong for a picture; "" for no reason.

    is_background: whether exchanging light and dark may help.
    """

    text: str = ""
    is_background: bool = False


def problem_of(
    info: TensorInfo,
    metadata: Sequence[tuple[str, str]],
    picture: Picture,
    size: tuple[int, int],
    preparation: ImagePreprocessing | None,
) -> PictureProblem:
    """Return what is obviously wrong with a picture for an input, by what the model's file says
    and by how preprocessing changes it. picture: perhaps a small copy. size: width and height
    of the picture itself."""
    condition = stated(info, metadata)
    background = condition.problem(picture) if condition is not None else ""
    problems = [background] if background else []
    if preparation is not None:
        gray = preparation.order == "gray" and condition is not None
        if gray and colored_share(picture) > _MOST_COLOR:
            problems.append(f"This image is in color; this model takes grayscale. {_MAY_BE}")
        target = preparation.size_of(*size)
        problem = size_problem(size, target, preparation.resize == "stretch")
        problems += [problem] if problem else []
    first, *others = [problem.removesuffix(_MAY_BE).strip() for problem in problems] or [""]
    also = [problem.replace("This image was", "It was also", 1) for problem in others]
    also = [problem.replace("This image is", "It is also", 1) for problem in also]
    text = " ".join([first, *also, _MAY_BE]) if first else ""
    return PictureProblem(text, bool(background))


def colored_share(picture: Picture) -> float:
    """Return the share of a picture's pixels that are clearly no shade of gray, 0 to 1."""
    if picture.shape[2] < 3:
        return 0.0
    step = max(1, max(picture.shape[:2]) // 512)  # of many pixels some tell enough
    colors = picture[::step, ::step, :3]
    return float(np.mean(colors.max(2).astype(int) - colors.min(2) > _COLORED))


def inverted(picture: Picture) -> Picture:
    """Return a picture with light and dark exchanged; transparency stays."""
    result = 255 - picture
    if picture.shape[2] == 4:
        result[:, :, 3] = picture[:, :, 3]
    return result
