"""Names in the page are cut by the script as in the window: what tells rows apart stays."""

import json
from typing import Any

import pytest
from inspector.export.pages.html import page
from PySide6.QtQml import QJSEngine

from inspector.model.display_names import fit_line, fit_name
from inspector.platform import files
from tests.reports import example_report

NAMES = [
    "fire2/expand3x3", "model/features/fire10/squeeze1x1", "encoder.layer.10.attention.self",
    "/bert/encoder/layer.3/attention/self/Constant_12_output_0", "h.12/ln_1/x", "Relu_7",
    "a" * 60 + "7", "x/" + "b" * 70 + "12", "conv.0", "stage/3/", "",
]  # fmt: skip


@pytest.fixture
def script(qapp: object) -> Any:
    engine: Any = QJSEngine()
    source = files.resource("report", "names.js").read_text("utf-8")
    made = engine.evaluate(f"(() => {{ {source}\nreturn names; }})()")
    assert not made.isError(), made.toString()
    engine.globalObject().setProperty("names", made)
    return engine


@pytest.mark.parametrize("room", [4, 8, 12, 16, 24, 32, 60, 100])
def test_the_page_cuts_names_as_the_window_does(script: Any, room: int) -> None:
    for name in NAMES:
        call = f"names.line({json.dumps(name)}, {room}, (text) => text.length)"
        assert script.evaluate(call).toString() == fit_line(name, room, len), name


def test_scope_and_leaf_in_a_cell_are_those_of_the_window(script: Any) -> None:
    scope, leaf = "model/features/fire10", "expand3x3"
    for room in range(4, 40):
        call = f'names.fit("{scope}", "{leaf}", {room}, (text) => text.length, " / ").join("|")'
        expected = "|".join(fit_name(f"{scope}/{leaf}", room, len, " / "))
        assert script.evaluate(call).toString() == expected


def test_the_page_has_this_script_before_those_that_use_it() -> None:
    text = page(example_report()).decode()
    assert (
        0 < text.index("const names =") < text.index("names.fit(") < text.index("names.line(")
    )
