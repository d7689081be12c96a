from onnx import helper

from inspector.analysis.facts.declarations import declarations
from inspector.formats.opening import open_model
from tests.cli.commands.test_info import declaring
from tests.formats.build import add, model, save


def test_each_kind_has_a_title_and_its_first_line_says_the_most(tmp_path):
    found = dict(declarations(open_model(save(declaring(), tmp_path / "m.onnx"))))
    assert {
        title: [(n, t.splitlines()[0]) for n, t in texts] for title, texts in found.items()
    } == {
        "Functions": [("us.F (fast)", "a → b, 1 layer"), ("us.G", "a → b, 1 layer")],
        "Training": [("Part 1", "0 layers per step, 1 state, 0 layers for initialization")],
        "Quantized values": [("y", "SCALE_TENSOR = s")],
        "Device configurations": [("two", "2 devices (gpu:0, gpu:1)")],
    }
    lines = found["Functions"][0][1].splitlines()[1:]
    assert lines == ["opsets ai.onnx 17, us 1", "Add(a, a) → b"]


def test_an_ordinary_model_declares_nothing_more(tmp_path):
    assert declarations(open_model(save(model([add("x", "x")]), tmp_path / "m.onnx"))) == ()


def test_a_body_of_many_layers_is_cut(tmp_path):
    opsets = [helper.make_opsetid("", 17)]
    body = [add("a", "a", f"t{n}") for n in range(1000)]
    proto = model([], functions=[helper.make_function("us", "F", ["a"], ["b"], body, opsets)])
    ((_, ((_, text),)),) = declarations(open_model(save(proto, tmp_path / "m.onnx")))
    assert text.endswith("and 800 more")
