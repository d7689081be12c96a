"""What the pages of predictions, folders and compared outputs have: values and their order."""

import numpy as np

from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping
from inspector.model.tensors.tensor_statistics import statistics
from inspector.pages.blocks import Fact, Facts, Page, Table
from inspector.pages.outputs.folder import folder_page
from inspector.pages.outputs.layer_outputs import layer_outputs_page
from inspector.pages.outputs.prediction import prediction_page
from inspector.preview.runs.folder import FolderResult, Row
from inspector.wording.values import Count, Name, Probability, Share, Tone, Toned, Value
from tests.page_text import text
from tests.pages.example_predictions import (
    folder_of,
    layers_of,
    parity_of,
    prediction_result,
    sure_page,
    verify_of,
)


def table(page: Page, id_: str) -> Table:
    blocks = next(each for each in page.sections if each.id == id_).blocks
    return next(block for block in blocks if isinstance(block, Table))


def facts(page: Page) -> dict[Value, Fact]:
    blocks = (block for each in page.sections for block in each.blocks)
    return {f.label: f for block in blocks if isinstance(block, Facts) for f in block.facts}


def column(shown: Table, key: str) -> list[Value]:
    place = [each.key for each in shown.columns].index(key)
    return [row.cells[place] for row in shown.rows]


def test_the_answer_comes_first_and_the_classes_by_probability():
    page = sure_page()
    assert str(page.verdict.value) == "Most likely class: owl (97.00%)"
    shown = column(table(page, "output scores"), "probability")
    values = [value.value for value in shown if isinstance(value, Probability)]
    assert values == sorted(values, reverse=True)
    assert "Caution" not in facts(page)


def test_doubt_is_said_once_and_colors_the_answer():
    page = prediction_page(prediction_result(0.3, 0.3, 0.4, doubts=("the image is empty",)))
    assert page.verdict.tone is facts(page)["Caution"].tone is Tone.CAUTION
    assert text(page).count("The image is empty.") == text(page).count("below 50%") == 1
    told = text(prediction_page(prediction_result(0.1, 0.2, 0.7, made_up=True)))
    assert "made-up input" in told


def test_a_folder_has_its_accuracy_and_the_least_accurate_class_first():
    page = folder_of()
    assert facts(page)["Top-1 accuracy"].value == Share(0.75)
    assert facts(page)["Failed"].value == Count(1, "file")
    assert column(table(page, "classes"), "class")[0] == Name("cat")
    assert column(table(page, "classes"), "accuracy")[0] == Share(0.5)
    files = column(table(page, "files"), "file")
    assert files[:3] == [Name("owl/2.png"), Name("cat/2.png"), Name("owl/1.png")]


def test_files_without_labels_have_no_columns_for_them():
    rows = (Row("a.png", "cat", 0.9, ("cat",), prediction_ns=1_000_000),)
    page = folder_page(FolderResult("animals.onnx", rows))
    assert "1 file answered" in str(page.verdict.value)
    assert {each.key for each in table(page, "files").columns}.isdisjoint({"label", "other"})


def test_conditions_of_compared_outputs_are_judged():
    page = parity_of("max_abs>1", "max_abs>1e-3")
    outcomes = column(table(page, "conditions"), "outcome")
    assert [each.tone for each in outcomes if isinstance(each, Toned)] == [Tone.GOOD, Tone.BAD]
    assert not any(section.id == "conditions" and section for section in parity_of().sections)


def test_a_data_set_that_fails_comes_first_and_says_where():
    page = verify_of()
    assert page.verdict.tone is Tone.BAD
    assert column(table(page, "data"), "data") == [Name("set_1"), Name("set_0")]
    assert "at [0, 2] 0.72 instead of 0.97" in text(page)


def test_the_layer_where_runs_part_and_nan_begins_is_marked():
    page = layers_of()
    assert "first above the tolerance, 1 NaN, first here" in text(page)
    assert column(table(page, "layers"), "index") == [Count(0), Count(1)]


def test_a_walk_with_nan_is_bad_though_nothing_was_compared():
    values = statistics([np.array([0.5, np.nan], np.float32)])
    nan = LayerStep(0, "log", "Log", (LayerOutput("y", "float32", (2,), values),))
    page = layer_outputs_page(Stepping("a.onnx", ("cpu",), "none", 0, (nan,)), ())
    assert page.verdict is not None
    assert page.verdict.tone is Tone.BAD


def test_that_a_class_is_taken_for_more_than_are_listed_is_said():
    named = ("cat", "cat", "cat", "dog", "dog", "owl", "fox", "cow", "elk")
    tops = ("dog", "dog", "owl", "fox", "cow")
    rows = tuple(
        Row(f"{number}.png", top, 0.9, (top,), wanted)
        for number, (wanted, top) in enumerate(
            (*(("cat", top) for top in tops), *((name, name) for name in named))
        )
    )
    mistakes = column(table(folder_page(FolderResult("a.onnx", rows)), "classes"), "mistakes")
    assert str(mistakes[0]) == "dog (2), cow (1), fox (1), …"


def test_f1_says_that_a_class_without_inputs_is_in_the_mean():
    rows = tuple(
        Row(f"{wanted}.png", top, 0.9, (top,), wanted)
        for wanted, top in (("cat", "cat"), ("dog", "dog"), ("owl", "fox"))
    )
    label = "F1 (mean over classes)"
    note = str(facts(folder_page(FolderResult("a.onnx", rows)))[label].note)
    assert "1 class without inputs" in note
    assert "without inputs" not in str(facts(folder_of())[label].note)
