"""The page of a model: its facts, its graph with links to layers, and nothing unescaped."""

import re
from pathlib import Path

import pytest

from inspector.analysis.facts.model_facts import facts
from inspector.export.pages.model_page import MOST_OPERATORS, MOST_ROWS, model_html
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.preview.identity import identify
from tests.analysis.build import layers, model, value
from tests.command_line import run

SAMPLES = Path(__file__).parents[3] / "sample_models"
HOSTILE = "</title><script>alert(1)</script>\u202e\ud800"


def page(of: Model) -> str:
    return model_html(of, facts(of), identify(of)).decode()


def test_every_box_of_the_graph_leads_to_a_row_that_exists() -> None:
    text = page(open_model(SAMPLES / "digits_float32.onnx"))
    links = re.findall(r'href="#(layer-\d+)"', text)
    rows = re.findall(r'<tr id="(layer-\d+)"', text)
    assert len(links) == len(rows) == 15
    assert set(links) == set(rows)
    assert "ONNX, IR version 8" in text
    assert "float32 batch×1×8×8" in text


def test_names_are_escaped_and_only_our_script_is_allowed() -> None:
    made = model(
        layers((HOSTILE, "a", "b"), ("Relu", "b", HOSTILE)),
        name=HOSTILE,
        inputs=(value("a"),),
        outputs=(value(HOSTILE),),
        metadata=((HOSTILE, HOSTILE),),
        doc=HOSTILE,
    )
    text = page(made)
    assert "<script>alert" not in text
    assert text.count("<script>") == 1
    assert "default-src 'none'" in text
    assert re.search(r"script-src 'sha256-[\w+/=]+'", text)
    assert "://" not in text


@pytest.mark.parametrize("count", [0, MOST_ROWS + 3])
def test_a_model_without_layers_and_one_with_many(count: int) -> None:
    rows = (("Relu", f"v{i}", f"v{i + 1}") for i in range(count))
    made = model(layers(*rows), inputs=(value("v0"),), outputs=(value(f"v{count}"),))
    text = page(made)
    assert text.count('<tr id="layer-') == min(count, MOST_ROWS)
    assert ("and 3 more layers" in text) is (count > MOST_ROWS)
    targets = set(re.findall(r'href="#(layer-\d+)"', text))
    assert targets <= set(re.findall(r'<tr id="(layer-\d+)"', text))


@pytest.mark.parametrize(("kinds", "more"), [(MOST_OPERATORS, 0), (14, 2)])
def test_the_twelve_most_frequent_operators_are_counted(kinds: int, more: int) -> None:
    rows = [(f"Kind{i}", "a", f"v{i}_{j}") for i in range(kinds) for j in range(20 - i)]
    text = page(model(layers(*rows), inputs=(value("a"),)))
    table = text[: text.index("<svg")]
    shown = [i for i in range(kinds) if re.search(rf">Kind{i}<", table)]
    assert shown == list(range(12))
    assert re.findall(r"and (\d+) other types?", table) == ([str(more)] if more else [])


@pytest.mark.engine
def test_info_saves_the_page_with_shapes_and_cost(tmp_path: Path) -> None:
    done = run("info", SAMPLES / "digits_float32.onnx", "--html", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "float32 batch×16×8×8" in text
    assert "457 k with batch = 1" in text
    both = [SAMPLES / "digits_float32.onnx", SAMPLES / "digits_float16.onnx"]
    assert "--html accepts only one model" in run("info", *both, "--html", "-").stderr
