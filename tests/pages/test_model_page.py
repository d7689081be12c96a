"""What the page of a model has: its facts, its graph with links to layers, its texts."""

import re
from pathlib import Path

import pytest

from inspector.analysis.devices.support_summary import DeviceSupport, Refusal
from inspector.analysis.facts.model_facts import facts
from inspector.formats.opening import open_model
from inspector.model.model import Function, Model, Training
from inspector.pages.blocks import Facts, Page, Section, Table
from inspector.pages.model.layers import MOST_ROWS
from inspector.pages.model.page import model_page
from inspector.pages.model.support import device_support, validation
from inspector.preview.identity import identify
from inspector.render.terminal import Terminal, section_lines
from inspector.report.compatibility import CompatibilityResult, Outcome
from inspector.report.report import Device
from inspector.wording.support_marks import Rule
from inspector.wording.values import Amount, Count, Name, Size
from tests.analysis.build import layers, model, value
from tests.command_line import run
from tests.page_text import document, text

SAMPLES = Path(__file__).parents[2] / "sample_models"


def page_of(of: Model) -> Page:
    return model_page(of, facts(of), identify(of))


def section(page: Page, id_: str) -> Section:
    return next(each for each in page.sections if each.id == id_)


def test_the_numbers_on_top_are_those_of_the_file():
    digits = open_model(SAMPLES / "digits_float32.onnx")
    (block,) = section(page_of(digits), "summary").blocks
    assert isinstance(block, Facts)
    shown = {fact.label: fact.value for fact in block.facts}
    assert shown["File size"] == Size(digits.size_bytes)
    assert shown["Layers"] == Count(15)
    assert shown["Parameters"] == Amount(19_419)


def test_every_box_of_the_graph_leads_to_a_row_that_exists():
    body = document(page_of(open_model(SAMPLES / "digits_float32.onnx")), "html")
    links = re.findall(r'href="#(layer-\d+)"', body)
    rows = re.findall(r'id="(layer-\d+)"', body)
    assert len(links) == len(rows) == 15
    assert set(links) == set(rows)


@pytest.mark.parametrize("count", [0, MOST_ROWS + 3])
def test_a_model_without_layers_and_one_with_many(count):
    rows = (("Relu", f"v{i}", f"v{i + 1}") for i in range(count))
    made = model(layers(*rows), inputs=(value("v0"),), outputs=(value(f"v{count}"),))
    body = document(page_of(made), "html")
    assert len(re.findall(r'id="layer-\d+"', body)) == min(count, MOST_ROWS)
    assert ("and 3 more layers" in body) is (count > MOST_ROWS)
    targets = set(re.findall(r'href="#(layer-\d+)"', body))
    assert targets <= set(re.findall(r'id="(layer-\d+)"', body))


def test_the_most_frequent_operators_come_first():
    rows = [(f"Kind{i}", "a", f"v{i}_{j}") for i in range(14) for j in range(20 - i)]
    shown = section(page_of(model(layers(*rows), inputs=(value("a"),))), "operators")
    (table,) = shown.blocks
    assert isinstance(table, Table)
    assert [row.cells[0] for row in table.rows] == [Name(f"Kind{i}") for i in range(14)]


def test_a_long_text_of_the_file_can_be_opened():
    made = model(layers(), metadata=(("short", "1"), ("long", "x" * 30_000)))
    (block,) = section(page_of(made), "metadata").blocks
    assert isinstance(block, Facts)
    short, long = block.facts
    assert short.whole == ""
    assert long.whole.endswith("10,000 more characters")
    assert "10,000 more characters" in document(page_of(made), "html")


def test_functions_and_training_have_sections_of_their_own():
    add = layers(("Add", "a", "b"))[0]
    made = model(
        layers(),
        functions=(Function("Twice", "us", "fast", ("a",), ("b",), (add,)),),
        training=(Training((), (add,), (), (), (("w", "w1"),)),),
    )
    page = page_of(made)
    assert section(page, "functions").aside == Count(1)
    assert "a → b, 1 layer" in text(page)
    assert section(page, "training").blocks


def test_reasons_stand_below_their_program_within_the_width():
    result = CompatibilityResult("ONNX Runtime", Outcome.REFUSES, "a reason " * 20, 1, "1.2")
    lines = [*section_lines(validation([result]), Terminal(60))]
    assert "ONNX Runtime 1.2" in lines[3]
    assert len(lines) > 6
    assert max(map(len, lines)) <= 60


def test_support_that_nobody_checked_is_not_called_missing():
    unknown = Refusal("Conv", Rule.OPERATOR, "The parser was not asked.", 4)
    support = DeviceSupport(Device("qnn", "QNN", "npu", ""), 4, 0, (), (), (unknown,))
    (only,) = device_support([support])
    shown = "\n".join(section_lines(only))
    assert "4 layers not checked" in shown
    assert "Not checked: The parser was not asked  4 layers (Conv)" in shown


@pytest.mark.engine
def test_info_saves_the_page_with_shapes_and_cost(tmp_path):
    digits = SAMPLES / "digits_float32.onnx"
    for suffix in ("html", "md"):
        file = tmp_path / f"page.{suffix}"
        done = run("info", digits, "--html", file, "--weights")
        assert done.returncode == 0, done.stderr
        page = file.read_text("utf-8")
        assert "batch×16×8×8" in page
        assert "457 k with batch = 1" in page
        assert "stem/conv" in page
    both = [digits, SAMPLES / "digits_float16.onnx"]
    assert "--html accepts only one model" in run("info", *both, "--html", "-").stderr
