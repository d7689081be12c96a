"""What a file says is shown in the window: in the Overview, the inspector pane or Weights."""

from collections.abc import Iterable

import pytest

from inspector.analysis.facts.declarations import declarations
from inspector.analysis.facts.model_facts import facts
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.pages.blocks import Facts
from inspector.pages.model.page import model_page
from inspector.preview.identity import identify
from inspector.ui.tabs.weights.weight_facts import of_file
from inspector.ui.window.inspector_pane import layer_texts
from inspector.wording.values import ENGLISH
from tests.formats.every_field import every_field

Words = str | Iterable["Words"]


def flat(words: Words) -> str:
    return words if isinstance(words, str) else "\n".join(map(flat, words))


def shown(model: Model) -> str:
    """All texts of the views, without the commas in numbers."""
    page = model_page(model, facts(model), identify(model))
    found: list[Words] = [declarations(model)]
    for block in (block for section in page.sections for block in section.blocks):
        for fact in block.facts if isinstance(block, Facts) else ():
            found += [ENGLISH.text(fact.label), ENGLISH.text(fact.value), fact.whole]
    for layer in model.layers:
        attributes = [f"{each.name} {each.text}" for each in layer.attributes]
        names = (layer.name, layer.operator, layer.domain, *layer.inputs, *layer.outputs)
        found += [layer_texts(model, layer), attributes, names]
    found += [(weight.name, of_file(weight, 1)) for weight in model.weights]
    for value in (*model.inputs, *model.outputs):
        found += [value.name, value.dtype, value.denotation, map(str, value.shape or ())]
    return flat(found).replace(",", "")


def test_every_field_of_the_main_graph_is_shown_somewhere(tmp_path):
    path, put = every_field(tmp_path)
    told = shown(open_model(path))
    main = {v: w for v, w in put.items() if "functions" not in w and "training" not in w}
    assert [where for value, where in main.items() if value not in told] == []
    assert len(main) > 900


@pytest.mark.parametrize(
    "where",
    [
        "functions.name", "functions.domain", "functions.overload", "functions.doc_string",
        "functions.input", "functions.output", "functions.attribute", "opset_import.version",
        "metadata_props.value", "training_info.update_binding.value",
        "training_info.initialization_binding.key", "training_info.algorithm.doc_string",
    ],
)  # fmt: skip
def test_what_is_said_of_functions_and_training_is_shown(tmp_path, where):
    path, put = every_field(tmp_path)
    told = shown(open_model(path))
    places = [v for v, w in put.items() if w.endswith(where) and w.count(".") <= 3]
    assert places
    assert all(value in told for value in places)
