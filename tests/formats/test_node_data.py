"""Numbers for layers from CSV, Netron's attachment and Model Explorer's node data."""

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import UnreadableFile
from inspector.formats import budget, node_data
from inspector.model.layer_values import ColorStop, LayerNumbers
from inspector.model.model import Layer, Model
from tests.analysis.build import model

LAYERS = (
    Layer(0, "conv", "Conv", "", ("x", "w"), ("a",)),
    Layer(1, "relu", "Relu", "", ("a",), ("b", "mask")),
    Layer(2, "", "Add", "", ("b", "x"), ("y",)),
)
NAN = np.nan


@pytest.fixture
def made() -> Model:
    return model(LAYERS)


def sets(folder: Path, made: Model, name: str, body: object) -> tuple[LayerNumbers, ...]:
    path = folder / name
    path.write_text(body if isinstance(body, str) else json.dumps(body), "utf-8")
    return node_data.read(path, made)


def values(numbers: LayerNumbers) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in numbers.values]


@pytest.mark.parametrize(
    ("name", "body", "subject"),
    [
        ("m.json", '{"results": [' + "[]," * 30_000 + "0]}", "its JSON"),
        ("m.csv", "conv" + ",1" * 30_000 + "\n", "its table"),
        ("m.csv", "a,1\n" * 15_000, "its table"),
    ],
)
def test_what_would_take_too_much_memory_is_refused_before_it_is_parsed(
    name, body, subject, tmp_path, made, monkeypatch
):
    monkeypatch.setattr(budget, "READING_BYTES", 2 << 20)
    with pytest.raises(UnreadableFile, match=f"{subject} would take more than") as caught:
        sets(tmp_path, made, name, body)
    assert caught.value.what == f"Could not read layer values from {name}"
    monkeypatch.setattr(budget, "READING_BYTES", 8 << 20)
    with suppress(UnreadableFile):
        sets(tmp_path, made, name, body)


def test_csv_by_name_output_and_number(tmp_path, made):
    (numbers,) = sets(tmp_path, made, "score.csv", "conv,1.5\nb,-2\n2,3e1\nother,4\n")
    assert numbers.title == "score"
    assert values(numbers) == [1.5, -2.0, 30.0]
    assert numbers.unmatched == ("other",)
    assert numbers.range == (-2.0, 30.0)


def test_csv_with_a_header_and_several_columns(tmp_path, made):
    text = "name;time;error\nconv;3;\nrelu;4;0.5\nAdd 2;n/a;nan\n"
    time, error = sets(tmp_path, made, "m.csv", text)
    assert (time.title, values(time)) == ("time", [3.0, 4.0, None])
    assert (error.title, values(error)) == ("error", [None, 0.5, None])


def test_netron_attachment(tmp_path, made):
    body = {
        "signature": "netron:attachment",
        "metadata": [{"kind": "node", "target": "conv", "name": "note", "value": "text"}],
        "metrics": [
            {"kind": "node", "target": "conv", "name": "latency", "value": 12.5},
            {"kind": "node", "target": "relu", "name": "latency", "value": "3"},
            {"kind": "value", "target": "y", "name": "error", "value": 0.1},
            {"kind": "tensor", "target": "w", "name": "sparsity", "value": 0.5},
            {"kind": "model", "target": "", "name": "latency", "value": 99},
            {"kind": [], "name": 3},
            "nonsense",
        ],
    }
    found = {each.title: values(each) for each in sets(tmp_path, made, "a.json", body)}
    assert found == {
        "latency": [12.5, 3.0, None],
        "error (output)": [None, None, 0.1],
        "sparsity (weight)": [0.5, None, None],
    }


def test_model_explorer_node_data(tmp_path, made):
    graph = {
        "results": {"conv": {"value": 5}, "b": {"value": 1}, "mask": {"value": 2}, "z": {}},
        "thresholds": [{"value": 4, "bgColor": "blue"}, {"value": 2, "bgColor": "red"}],
    }
    (numbers,) = sets(tmp_path, made, "hits.json", graph)
    assert numbers.title == "hits"
    assert values(numbers) == [5.0, 3.0, None], "outputs of one layer add up"
    assert numbers.thresholds == (ColorStop(2, "red"), ColorStop(4, "blue"))
    gradient = {"results": {"relu": {"value": 7}}, "gradient": [{"stop": 0, "bgColor": "#fff"}]}
    one, other = sets(tmp_path, made, "two.json", {"main": graph, "side": gradient})
    assert (one.title, other.title) == ("two: main", "two: side")
    assert other.gradient == (ColorStop(0, "#fff"),)


@pytest.mark.parametrize(
    ("name", "body", "why"),
    [
        ("a.csv", "conv,fast\nrelu,slow\n", "no values with layer names"),
        ("a.csv", "", "no values with layer names"),
        ("a.json", "{", "it is not valid JSON"),
        ("a.json", "[1, 2]", "no values with layer names"),
        ("a.json", "[" * 100_000, "it is not valid JSON"),
        ("a.csv", "conv2,1\n", "none of its names, such as 'conv2', matches"),
        ("a.json", {"results": {"conv": {"value": "high"}}}, "no values with layer names"),
    ],
)
def test_what_cannot_be_used_is_explained(tmp_path, made, name, body, why):
    with pytest.raises(UnreadableFile) as error:
        sets(tmp_path, made, name, body)
    assert why in error.value.why
    assert error.value.hint


def test_bytes_that_are_no_text_and_a_missing_file(tmp_path, made):
    path = tmp_path / "a.csv"
    with pytest.raises(UnreadableFile):
        node_data.read(path, made)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="not UTF-8 text"):
        node_data.read(path, made)


def test_a_profile_of_tensorrt_gives_each_kind_of_time(tmp_path, made):
    rows = [{"count": 9}, {"name": "relu", "averageMs": 0.5, "percentage": 40}]
    average, share = sets(tmp_path, made, "profile.json", rows)
    assert (average.title, share.title) == ("averageMs", "percentage")
    assert values(average) == [None, 0.5, None]


def test_a_name_of_layers_that_tensorrt_fused_means_the_first(tmp_path, made):
    rows = [
        {"name": "Reformatting CopyNode for Input Tensor 0 to conv + relu", "averageMs": 0.25},
        {"name": "conv + relu", "averageMs": 0.5},
        {"name": "{ForeignNode[relu...Add_2]}", "averageMs": 2.0},
        {"name": "PWN(PWN(sigmoid), conv)", "averageMs": 1.0},
        {"name": "unheard + of", "averageMs": 9.0},
    ]
    (average,) = sets(tmp_path, made, "profile.json", rows)
    assert values(average) == [1.75, 2.0, None]
    assert average.unmatched == ("unheard + of",)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_compute_plan_of_core_ml_has_costs_and_devices(tmp_path, made, form):
    plan = [
        {
            "name": name,
            "cost": cost,
            "preferred": f"ML{device}ComputeDevice",
            "supported": ["MLCPUComputeDevice", f"ML{device}ComputeDevice"],
        }
        for name, cost, device in (("a", 0.7, "NeuralEngine"), ("b", 0.3, "GPU"))
    ]
    body: object = plan
    if form == "csv":
        rows = (
            f"{at + 5},conv,{row['name']},{row['preferred']},{row['cost']}"
            for at, row in enumerate(plan)
        )
        body = "\n".join(("op_index,op_type,op_name,preferred,cost", *rows))
    found = {each.title: each for each in sets(tmp_path, made, f"plan.{form}", body)}
    assert values(found["cost"]) == [0.7, 0.3, None]
    preferred = found["preferred"]
    assert [preferred.written(each) for each in preferred.values[:2]] == [
        "Neural Engine",
        "GPU",
    ]
    assert not preferred.adds_up
    if form == "json":
        assert found["supported"].labels == ("CPU, GPU", "CPU, Neural Engine")
