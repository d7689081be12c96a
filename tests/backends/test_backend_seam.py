"""A second runtime, in a real engine process, through the client that everything uses."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from inspector.backends import registry
from inspector.backends.base import Capability
from inspector.backends.values import Progress
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed, UnreadableFile
from inspector.formats.opening import digest
from inspector.report import report as reports
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from tests.backends.fake_backend import CHAIN, COMMAND
from tests.page_text import report_text

pytestmark = pytest.mark.engine
SPEC = RunSpec(runs=20, warmup=1, profiled_runs=4)
X = np.array([-2, -1, 0, 1], np.float32)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BACKENDS, CHAIN.id, CHAIN)


@pytest.fixture
def progress() -> list[Progress]:
    return []


@pytest.fixture
def engine(
    _registered: None, progress: list[Progress], tmp_path: Path
) -> Iterator[EngineProcess]:
    lock = tmp_path / "lock"
    with EngineProcess(progress.append, command=COMMAND, lock=lock, backend=CHAIN.id) as engine:
        yield engine


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.chain"
    path.write_text("scale 2\nadd 1\nrelu\n")
    return path


def identity(model: Path) -> ModelIdentity:
    return ModelIdentity(model.name, digest(model), model.stat().st_size, 0, 3)


def test_it_lists_its_own_devices_and_no_plugins_of_others(engine):
    (device,) = engine.devices()
    assert (device.id, device.provider, device.problem) == ("cpu", "ChainProvider", "")


def test_it_opens_and_predicts(engine, model):
    loaded = engine.load(model, SPEC)
    assert [value.name for value in (*loaded.inputs, *loaded.outputs)] == ["x", "y"]
    assert "Chain Runtime has no optimizations." in loaded.notes
    prediction = engine.predict(model, SPEC, {"x": X})
    assert prediction.load_ns == 0, "the opened model was not kept"
    (y,) = prediction.outputs
    np.testing.assert_array_equal(y.array, np.maximum(X * 2 + 1, 0))
    assert engine.predict(model, RunSpec(threads=2), {"x": X}).load_ns > 0


def test_a_measurement_is_saved_and_printed(engine, model, progress, tmp_path):
    model.write_text("sleep 0.02\nadd 1\n")
    report = engine.measure(model, identity(model), SPEC, {"x": X})
    assert len(report.prediction_ns) == SPEC.runs
    assert min(report.prediction_ns) >= 20_000_000
    assert (report.layers[0].time_ns or 0) >= 20_000_000
    assert report.environment.packages == ("chain-runtime 1.0",)
    assert report.environment.runtime_text == "Chain Runtime 1.0"
    assert progress[-1].step == "answer"
    saved = tmp_path / "report.json"
    reports.save(report, saved)
    again = reports.load(saved)
    assert (again.prediction_ns, again.layers) == (report.prediction_ns, report.layers)
    text = report_text(again)
    assert "model.chain on CPU" in text
    assert "sleep_0" in text


def test_its_errors_arrive(engine, model):
    with pytest.raises(BadInput, match="does not match"):
        engine.predict(model, SPEC, {"x": X.astype(np.float64)})
    with pytest.raises(BadInput, match="'optimization'") as error:
        engine.load(model, RunSpec(optimization="none"))
    assert error.value.why == "Chain Runtime does not have this setting"
    model.write_text("softmax\n")
    with pytest.raises(UnreadableFile, match="softmax"):
        engine.load(model, SPEC)


def test_what_it_lacks_is_an_error_and_costs_no_measurement(engine, model):
    with pytest.raises(
        EngineFailed, match="layer by layer: Chain Runtime does not support this"
    ):
        engine.steps(model, SPEC, {"x": X})
    report = engine.measure(
        model, identity(model), RunSpec(runs=2, warmup=0, profiled_runs=1), {"x": X}
    )
    assert report.complete
    assert not any("not found out" in note for note in report.notes)


@pytest.mark.parametrize(
    ("spec", "what", "option"),
    [
        (RunSpec(phases=True), "time the load phases", "--phases"),
        (RunSpec(synchronize=True), "time layers one by one", "--synchronize"),
        (RunSpec(roofline=True), "measure the roofline", "--roofline"),
        (RunSpec(around_failures=True), "force failing layers", "--around-failures"),
        (RunSpec(predict=("cuda",)), "estimate the support", "--estimate"),
        (RunSpec(sessions=2), "measure several sessions", "--sessions"),
        (RunSpec(run_async=True), "measure asynchronous calls", "--run-async"),
    ],
)
def test_an_optional_measurement_that_it_lacks_is_refused(engine, model, spec, what, option):
    with pytest.raises(BadInput, match=f"Could not {what}") as error:
        engine.measure(model, identity(model), spec, {"x": X})
    assert error.value.why == "Inspector does not do this with Chain Runtime"
    assert error.value.hint.startswith(f"Omit {option}")
    fitted = engine.backend.fitted(spec)
    assert fitted == engine.backend.fitted(RunSpec()), "a window that changes to it drops them"


def test_an_unknown_backend_is_refused():
    with pytest.raises(BadInput, match="no runtime 'tensorflow'") as error:
        EngineProcess(backend="tensorflow")
    assert "chain, genai, litert, onnxruntime" in error.value.why


def test_onnx_runtime_is_the_default_and_can_do_everything():
    assert registry.DEFAULT == "onnxruntime"
    assert registry.info("onnxruntime").capabilities == frozenset(Capability)
