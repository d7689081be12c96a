"""The tables of docs/families.md, from the program's tables and the planted models.

`python -m tests.preview.families.families_page` writes them again.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx

from inspector.formats.opening import open_model
from inspector.preview.families.family_table import FAMILIES, TASKS
from inspector.preview.families.image_families import IMAGE_FAMILIES, ImageFamily
from inspector.preview.families.output_structure import of_model
from inspector.preview.preprocessing.guess import family_of
from tests.conftest import ROOT
from tests.preview.detectors import planted_cases, planted_models
from tests.preview.detectors.planted_cases import Case

PAGE = ROOT / "docs" / "families.md"
IMAGES, OTHERS = "image models", "models of sound, text and numbers"


def planted_images() -> Mapping[int, Sequence[Case]]:
    """The planted models of each row of IMAGE_FAMILIES, by its place in the table."""
    cases = defaultdict(list)
    pixels = (case for case, _ in planted_cases.PLACES)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        for case in (*planted_cases.DETECTORS, *pixels, *planted_cases.OTHERS):
            onnx.save(planted_models.model(case.planted, "float32"), path)
            model = open_model(path)
            family = family_of(model.inputs[0], model.outputs, of_model(model))
            if family is not None:
                place = next(i for i, each in enumerate(IMAGE_FAMILIES) if each is family)
                cases[place].append(case)
    return cases


def image_rows() -> list[str]:
    """One row for each image family, in the order in which they are tried."""
    planted = planted_images()
    return [
        _image_row(family, planted.get(place, ()))
        for place, family in enumerate(IMAGE_FAMILIES)
    ]


def _image_row(family: ImageFamily, cases: Sequence[Case]) -> str:
    decoders = dict.fromkeys(case.way for case in cases if case.way)
    if family.decoder is not None:
        decoders = {family.decoder.name: None, **decoders}
    layouts = sorted({layout.upper() for case in cases for layout in case.layouts})
    cells = (
        family.name,
        family.task,
        family.recognition,
        family.input_text,
        "; ".join(decoders) or "-",
        ", ".join(layouts) or "not tested",
        family.source,
    )
    return f"| {' | '.join(cells)} |"


def tables() -> dict[str, str]:
    """The tables of the page by the name in the comments around them."""
    images = [
        "| Family | Task | Recognized by | Input | Decoder | Layouts | Source |",
        "|---|---|---|---|---|---|---|",
        *image_rows(),
    ]
    others = [
        "| Family | Task | Input | Assumed | Source |",
        "|---|---|---|---|---|",
        *[
            f"| {each.name} | {TASKS[each.key]} | {each.preprocessing} "
            f"| {each.assumed or '-'} | {each.source} |"
            for each in FAMILIES
        ],
    ]
    return {IMAGES: "\n".join(images), OTHERS: "\n".join(others)}


def parts(page: str, name: str) -> tuple[str, str, str]:
    """What stands before, between and after the comments around a table."""
    before, _, rest = page.partition(f"<!-- {name} -->\n")
    table, _, after = rest.partition(f"\n<!-- end of {name} -->")
    return before, table, after


def main() -> None:
    """Write the tables into the page."""
    page = PAGE.read_text("utf-8")
    for name, table in tables().items():
        before, _, after = parts(page, name)
        page = f"{before}<!-- {name} -->\n{table}\n<!-- end of {name} -->{after}"
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
