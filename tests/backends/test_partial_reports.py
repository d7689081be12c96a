"""What is left of measurements that were stopped, killed or late, with real processes."""

import json
import os
import subprocess
import sys

import numpy as np
import psutil
import pytest

from inspector.cli import main
from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import compare
from inspector.engine.client import process_repetitions, single_child
from inspector.engine.client.engine_process import EngineProcess, Limits, Progress
from inspector.errors import Cancelled, EngineDied, InspectorError
from inspector.formats import opening
from inspector.pages.report.page import report_page
from inspector.render import terminal
from inspector.report import report as reports
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from tests.engine import small_models
from tests.language_folders import genai_folder
from tests.reports import example_report

pytestmark = pytest.mark.engine
ENDLESS = RunSpec(seconds=3600.0, warmup=1, profiled_runs=2)
FEEDS = {"x": np.ones((1, 4), np.float32)}


def stopped(engine: EngineProcess) -> None:
    engine.kill()


def killed(engine: EngineProcess) -> None:
    for child in psutil.Process().children():
        child.kill()


def interrupted(engine: EngineProcess) -> None:
    raise KeyboardInterrupt


def late(engine: EngineProcess) -> None:
    """Do nothing: the limit of time ends it."""


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (stopped, Cancelled),
        (killed, EngineDied),
        (interrupted, KeyboardInterrupt),
        pytest.param(late, EngineDied, marks=pytest.mark.slow),
    ],
)
def test_a_measurement_that_ends_early_leaves_what_it_had(end, kind, tmp_path, monkeypatch):
    model = small_models.linear(tmp_path / "linear.onnx")
    identity = ModelIdentity(model.name, opening.digest(model), 1, 2, 3)

    # Only the latest are told of, to be drawn; a report is of all of them.
    monkeypatch.setattr(single_child, "LATEST_SAMPLES", 150)

    def follow(progress: Progress) -> None:
        if len(progress.samples_ns) == 150:
            end(engine)

    # A busy machine takes longer until there is something that could be left.
    for limit in (6.0, 60.0) if end is late else (0.0,):
        limits = Limits(job_seconds=limit)
        with EngineProcess(follow, limits, lock=tmp_path / "lock") as engine:
            with pytest.raises(kind):
                engine.measure(model, identity, ENDLESS, FEEDS)
            left = engine.partial
        if left is not None and len(left.prediction_ns) > 150:
            break
    assert not left.complete
    assert len(left.prediction_ns) > 150
    assert left.load_ns > 0
    assert left.first_prediction_ns > 0
    assert "ended early" in left.notes[-1]
    reports.save(left, tmp_path / "left.json")
    assert reports.load(tmp_path / "left.json").prediction_ns == left.prediction_ns
    whole = example_report()
    assert (
        "B is incomplete: the measurement ended early."
        in compare((whole, left), ("A", "B")).warnings
    )
    texts = ("layers.gone>0", "memory.peak>1B", "load>0s")
    found = judged([parse(text) for text in texts], (whole, left), compare((whole, left), "AB"))
    assert [each.outcome for each in found] == [
        Outcome.UNDECIDED,
        Outcome.UNDECIDED,
        Outcome.HOLDS,
    ]


def test_a_stopped_measurement_of_a_language_model_leaves_its_repetitions(tmp_path):
    model = genai_folder(tmp_path / "small") / "model.onnx"
    identity = ModelIdentity(model.name, opening.digest(model), 1, 2, 3)
    spec = RunSpec(contexts=(0, 64), new_tokens=400, runs=3, seconds=0.0)

    def follow(progress: Progress) -> None:
        if progress.samples_ns:  # of the second row: the headline's
            engine.kill()

    with EngineProcess(follow, lock=tmp_path / "lock") as engine:
        with pytest.raises(Cancelled):
            engine.measure(model, identity, spec, {})
        left = engine.partial
    assert not left.complete
    first = left.generation.rows[0]
    assert (first.context, first.lengths) == (0, (400, 400, 400))
    assert left.prediction_ns == left.generation.decode.steps
    assert "ended early" in "\n".join(terminal.lines(report_page(left)))


def test_a_measurement_that_is_stopped_in_a_later_start_leaves_those_before():
    left: list[PerformanceReport] = []

    def once(asked: RunSpec, step: str, known_ns: int) -> PerformanceReport:
        if step.startswith("process 3"):
            raise Cancelled("Stopped")
        return example_report(spec=asked)

    with pytest.raises(Cancelled):
        process_repetitions.measure_in_processes(once, RunSpec(starts=5), keep=left.append)
    assert len(left[0].start_lengths) == 2


def test_a_measurement_that_fails_at_some_starts_is_marked():
    def once(asked: RunSpec, step: str, known_ns: int) -> PerformanceReport:
        if step.startswith("process 3"):
            raise InspectorError("Could not measure", "it crashed")
        return example_report(spec=asked)

    done = process_repetitions.measure_in_processes(once, RunSpec(starts=5))
    assert not done.complete
    assert len(done.start_lengths) == 2
    assert "crashed" in done.notes[-1]


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C is no signal there")
def test_ctrl_c_saves_what_was_measured_marked_as_incomplete(samples, tmp_path):
    file, model = tmp_path / "report.json", samples / "digits_float32.onnx"
    script = (
        "import os, signal, sys\n"
        "from inspector.cli import main\n"
        "from inspector.cli.progress import Progress\n"
        "def show(self, step):\n"
        "    if len(step.samples_ns) > 100: os.kill(os.getpid(), signal.SIGINT)\n"
        "Progress.show = show\n"
        "sys.exit(main.run(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", script, "measure", str(model), "--seconds", "60"]
    done = subprocess.run([*command, "-o", str(file)], capture_output=True, text=True)
    assert done.returncode == main.INTERRUPTED, done.stderr
    assert "ended early" in done.stdout
    left = json.loads(file.read_bytes())
    assert left["complete"] is False
    assert len(left["prediction_ns"]) > 100
