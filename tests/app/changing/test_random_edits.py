"""Random edits, each undone and redone: never other bytes, a lost edit, a file that does not
load."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from inspector.app.changing import conversion
from inspector.app.changing.editing import (
    EditedFiles,
    EditHistory,
    EditSession,
    EditState,
    Preview,
)
from inspector.app.subjects import Subject
from inspector.conversion.action import Step
from inspector.conversion.edits import choices
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.report.run_spec import RunSpec
from tests import models
from tests.app.changing.random_edits import random_edit
from tests.conftest import SHARED

pytestmark = pytest.mark.engine

EDITS = 30
MOST_TRIES = 200
REAL = (
    "basic_pitch_nmp", "fastestdet_opset11", "mobilenet_qdq_int8_maui", "silero_vad_op16_if",
    "openseeface_lm_model0", "ultraface_rfb_320_ort_optimized", "magika_standard_v3_3",
    "dnsmos_sig_bak_ovr", "squeezenet1.1_fp16", "silero_vad_op18_ifless",
)  # fmt: skip
GENERATED = (1_000, 10_000)  # layers


def chain(layers: int, path: Path) -> Path:
    """A model of convolutions with sums around them."""
    nodes, weights, value = [], {}, "x"
    normal = np.random.default_rng(0).normal
    for block in range(layers // 4):
        names = [f"{kind}{block}" for kind in ("conv", "relu", "sum", "tanh")]
        weights[f"w{block}"] = normal(0, 0.1, (8, 8, 3, 3)).astype(np.float32)
        for operator, inputs, name in (
            ("Conv", [value, f"w{block}"], names[0]),
            ("Relu", [names[0]], names[1]),
            ("Add", [names[1], value], names[2]),
            ("Tanh", [names[2]], names[3]),
        ):
            more = {"pads": [1, 1, 1, 1]} if operator == "Conv" else {}
            nodes.append(helper.make_node(operator, inputs, [name], f"b{block}/{name}", **more))
        value = names[3]
    ends = [[models.value(each, ["n", 8, 8, 8])] for each in ("x", value)]
    return models.save(path, nodes, *ends, weights)


@contextmanager
def opened(path: Path, folder: Path) -> Iterator[EditSession]:
    edited = folder / "edited"
    edited.mkdir()
    session = EditSession(path, EngineProcess, edited)
    try:
        yield session
    finally:
        session.close()


def runtime(path: Path) -> onnxruntime.InferenceSession:
    """Load a model with plain ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])


def loads(path: Path) -> str:
    """Return why plain ONNX Runtime does not load a model; "" where it does."""
    try:
        runtime(path)
    except Exception as error:  # noqa: BLE001  # whatever it raises
        return str(error)
    return ""


def check_preview(preview: Preview, before: EditedFiles, after: EditedFiles) -> None:
    """Hold what was shown against what the edit did."""
    counts = [len([e for e in m.model.layers if e.parent is None]) for m in (before, after)]
    assert preview.layers == tuple(counts), preview
    ends = [(each.model.inputs, each.model.outputs) for each in (before, after)]
    names = dict(preview.renamed)
    for side, new, lost in (
        (0, preview.new_inputs, preview.lost_inputs),
        (1, preview.new_outputs, preview.lost_outputs),
    ):
        now = {info.name for info in ends[1][side]}
        kept = {info.name for info in ends[0][side]} - {*lost}
        assert now == {n if n in now else names[n] for n in kept} | {*new}, preview
    gone = len([e for e in preview.removed if before.model.layers[e].parent is None])
    assert counts[0] - gone + len(preview.added) == counts[1], preview


def edit_randomly(path: Path, folder: Path, seed: int, edits: int) -> EditedFiles:
    """Make so many edits that are possible, with all that must hold of each."""
    random, history = Random(seed), EditHistory()
    with opened(path, folder) as session:
        state = session.apply(())
        loaded_first = not loads(path)
        for _ in range(MOST_TRIES):
            if len(history.steps) == edits:
                break
            step = random_edit(state.model, folder, random)
            before = state.path.read_bytes()
            (preview,) = session.previews(history.steps, state.model, (step,))
            try:
                after = session.applied(history.steps, step)
            except BadInput:
                assert session.apply(history.steps).path.read_bytes() == before, step
                continue
            assert preview.possible, (step, preview.refused)
            check_preview(preview, state, after)
            if loaded_first and loads(after.path):  # the check says so, and nothing is saved
                verdict = session.check(after)
                assert verdict.state is EditState.FAILS, (step, verdict)
                with pytest.raises(BadInput, match="does not load"):
                    session.save(after, verdict, folder / "broken.onnx")
                assert not (folder / "broken.onnx").exists()
                continue
            changed = history.changed_to((*history.steps, step))
            bytes_after = after.path.read_bytes()
            undone = session.apply(changed.undone().steps)
            assert undone.path.read_bytes() == before, step
            redone = session.apply(changed.undone().redone().steps)
            assert redone.path.read_bytes() == bytes_after, step
            assert redone.steps == changed.steps
            history, state = changed, redone
        copy = folder / "copy.onnx"
        session.save(state, session.check(state), copy)
        assert not loaded_first or not loads(copy)
        again = session.apply(state.steps)
        assert all(effect.applicable for effect in again.effects)
    assert opening.open_model(copy).layers == state.model.layers
    return state


def test_a_few_random_edits(digits, tmp_path, engine):
    state = edit_randomly(digits, tmp_path, 1, 4)
    assert len(state.steps) == 4
    made = conversion.convert(engine, digits, state.steps, tmp_path)
    assert made.path.read_bytes() == (tmp_path / "copy.onnx").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*REAL, *GENERATED])
def test_thirty_edits_of_a_real_model(name, tmp_path):
    path = SHARED / "real" / f"{name}.onnx"
    if isinstance(name, int):
        path = chain(name, tmp_path / "chain.onnx")
    elif not path.exists():
        pytest.skip("the folder of real models is not here")
    state = edit_randomly(path, tmp_path, 7, EDITS)
    assert len(state.steps) == EDITS
    made, copy = runtime(state.path), runtime(tmp_path / "copy.onnx")
    assert [e.name for e in made.get_outputs()] == [e.name for e in copy.get_outputs()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_random_edits_of_samples(seed, samples, tmp_path):
    paths = sorted(samples.glob("*.onnx"))
    edit_randomly(paths[seed % len(paths)], tmp_path, seed, 8)


def inner_values(path: Path, names: list[str], feeds: dict[str, Any]) -> dict[str, Any]:
    """Compute inner tensors with plain ONNX and ONNX Runtime, none of our code."""
    proto = onnx.load(path)
    declared = {value.name for value in proto.graph.output}
    inferred = onnx.shape_inference.infer_shapes(proto).graph.value_info
    types = {value.name: value for value in inferred}
    proto.graph.output.extend(types[name] for name in names if name not in declared)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    every = [value.name for value in session.get_outputs()]
    return dict(zip(every, session.run(None, feeds), strict=True))


def check_cuts(path: Path, folder: Path, seed: int) -> None:
    """Hold parts of a model, and a layer inserted in it, against the whole model."""
    random, model = Random(seed), opening.open_model(path)
    feeds = Subject.of(path, model, RunSpec()).feeds()
    inferred = onnx.shape_inference.infer_shapes(onnx.load(path)).graph.value_info
    floats = {value.name for value in inferred if value.type.tensor_type.elem_type == 1}
    layers = [
        layer.index
        for layer in model.layers
        if layer.parent is None and layer.outputs[0] in floats and len(layer.outputs) == 1
    ]
    chosen = random.sample(layers, min(5, len(layers)))
    names = [model.layers[index].outputs[0] for index in chosen]
    expected = inner_values(path, names, feeds)
    with opened(path, folder) as session:
        for index, name in zip(chosen, names, strict=True):
            above = session.applied((), choices.cut(model, index, choices.ABOVE))
            inserted = session.applied((), choices.insert(model, "Neg", index))
            part = runtime(above.path)
            given = {each.name: feeds[each.name] for each in part.get_inputs()}
            (value,) = part.run([name], given)
            np.testing.assert_allclose(value, expected[name], rtol=1e-3, atol=1e-4)
            negative = session.applied(inserted.steps, Step("extract", (("outputs", name),)))
            (value,) = runtime(negative.path).run([name], given)
            np.testing.assert_allclose(value, -expected[name], rtol=1e-3, atol=1e-4)
            try:
                below = session.applied((), choices.cut(model, index, choices.BELOW))
            except BadInput:  # nothing lies below, or a type is not known
                continue
            rest = runtime(below.path)
            crossing = [each.name for each in rest.get_inputs() if each.name not in feeds]
            try:
                known = {**feeds, **inner_values(path, crossing, feeds)}
            except KeyError:  # plain ONNX does not know a type
                continue
            ends = [each.name for each in rest.get_outputs()]
            values = rest.run(ends, {each.name: known[each.name] for each in rest.get_inputs()})
            for end, value in zip(ends, values, strict=True):
                np.testing.assert_allclose(value, expected[end], rtol=1e-3, atol=1e-4)


def test_parts_of_a_model_compute_what_the_whole_does(digits, tmp_path):
    check_cuts(digits, tmp_path, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*REAL, *GENERATED])
def test_parts_of_a_real_model_compute_what_the_whole_does(name, tmp_path):
    path = SHARED / "real" / f"{name}.onnx"
    if isinstance(name, int):
        path = chain(name, tmp_path / "chain.onnx")
    elif not path.exists():
        pytest.skip("the folder of real models is not here")
    check_cuts(path, tmp_path, 5)
