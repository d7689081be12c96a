"""The transitions of the Preview's prediction: in the table, and in a tab with an engine."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.errors import EngineFailed, InspectorError
from inspector.ui.documents.document import Topic, Work
from inspector.ui.tabs.preview.prediction_pipeline import Answer
from inspector.ui.tabs.preview.prediction_state import (
    BUSY,
    TRANSITIONS,
    Action,
    Event,
    State,
    transition,
)
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, classes, opened
from tests.ui.tabs.preview import tabs

TIMEOUT_MS = 60_000
OUTCOMES = (Event.REFUSED, Event.ANSWERED, Event.PREDICTED, Event.FAILED, Event.CANCELLED)


def after(state: State, *events: Event) -> State:
    for event in events:
        state, _ = transition(state, event)
    return state


def test_a_dropped_image_leads_to_an_answer():
    actions = []
    state = State.IDLE
    for event in (
        Event.CHANGED,
        Event.REQUESTED,
        Event.DOCUMENT_FREE,
        Event.PREPARED,
        Event.ANSWERED,
    ):
        state, action = transition(state, event)
        actions.append(action)
    assert state is State.SHOWING
    assert actions == [
        Action.POST,
        Action.NOTHING,
        Action.BEGIN,
        Action.SHOW_INPUT,
        Action.SHOW,
    ]


@pytest.mark.parametrize("state", [State.PREPARING, State.PREDICTING])
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_request_during_a_run_is_followed_however_the_run_ends(state, outcome):
    assert after(state, Event.REQUESTED) is State.SUPERSEDED
    assert after(state, Event.REQUESTED, Event.REQUESTED, outcome) is State.WAITING
    following = (Event.REQUESTED, outcome, Event.DOCUMENT_FREE)
    assert after(state, *following) is State.PREPARING


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_ends_a_run_that_nothing_follows(outcome):
    state = State.PREPARING if outcome is Event.REFUSED else State.PREDICTING
    ended = after(state, outcome)
    assert ended is State.READING if outcome is Event.PREDICTED else ended not in BUSY


@pytest.mark.parametrize("state", [State.IDLE, State.SHOWING, State.FAILED, State.WAITING])
@pytest.mark.parametrize("event", [*OUTCOMES, Event.PREPARED])
def test_jobs_of_others_change_nothing(state, event):
    assert transition(state, event) == (state, Action.NOTHING)


@pytest.mark.parametrize("event", Event)
def test_nothing_leads_out_of_the_end(event):
    assert transition(State.CLOSED, event) == (State.CLOSED, Action.NOTHING)
    assert all(transition(state, Event.CLOSED)[0] is State.CLOSED for state in State)


def test_every_state_is_reached_and_left():
    entered = {target for (source, _), (target, _) in TRANSITIONS.items() if source != target}
    assert entered == {*State} - {State.IDLE} | {State.IDLE}
    left = {source for (source, _), (target, _) in TRANSITIONS.items() if source != target}
    assert left == {*State} - {State.CLOSED}


# In a tab: an engine that waits at a gate, real files, real threads.


@pytest.fixture
def digits(
    qtbot: QtBot, theme: Theme, samples: Path, tmp_path: Path, engine: KeepingEngine
) -> PreviewTab:
    engine.answer = classes([0.0] * 3 + [0.9, 0.1] + [0.0] * 5)
    model = Path(shutil.copy(samples / "digits_float32.onnx", tmp_path / "digits.onnx"))
    return tabs.shown(qtbot, theme, opened(qtbot, model, engine))


class Outcomes:
    """The answers and failures that a tab shows."""

    def __init__(self, tab: PreviewTab) -> None:
        self.answers: list[Answer] = []
        self.errors: list[InspectorError] = []
        tab.predicting.answered.connect(self.answers.append)
        tab.predicting.failed.connect(self.errors.append)


def drop(tab: PreviewTab, samples: Path, digit: int) -> None:
    tab.use_picture(samples / "inputs" / f"digit_{digit}.png")


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=TIMEOUT_MS)


def drop_while_predicting(
    qtbot: QtBot, tab: PreviewTab, samples: Path, engine: KeepingEngine, digit: int
) -> None:
    """Drop an image and wait until the engine has it, which then waits at its gate."""
    engine.gate.clear()
    drop(tab, samples, digit)
    wait(qtbot, lambda: len(engine.asked) == 1)
    wait(qtbot, lambda: tab.predicting.state is State.PREDICTING)


def test_cancelling_a_prediction_rests_and_the_next_drop_is_answered(
    qtbot, digits, samples, engine
):
    outcomes = Outcomes(digits)
    drop_while_predicting(qtbot, digits, samples, engine, 3)
    digits.document.cancel()
    wait(qtbot, lambda: digits.predicting.state is State.IDLE)
    assert not outcomes.answers
    assert not outcomes.errors
    engine.gate.set()
    drop(digits, samples, 7)
    wait(qtbot, lambda: digits.predicting.state is State.SHOWING)
    assert len(outcomes.answers) == 1


def test_the_second_of_two_drops_has_the_last_answer(qtbot, digits, samples, engine):
    outcomes = Outcomes(digits)
    drop_while_predicting(qtbot, digits, samples, engine, 3)
    drop(digits, samples, 5)
    drop(digits, samples, 7)
    assert digits.predicting.state is State.SUPERSEDED
    engine.gate.set()
    wait(qtbot, lambda: digits.predicting.state is State.SHOWING)
    (source,) = digits.document.sources.values()
    assert source.value.endswith("digit_7.png")
    assert len(engine.asked) == 2
    assert len(outcomes.answers) == 2
    assert outcomes.answers[-1].prediction is digits.document.prediction


def test_a_drop_is_answered_though_the_run_before_it_is_cancelled(
    qtbot, digits, samples, engine
):
    outcomes = Outcomes(digits)
    drop_while_predicting(qtbot, digits, samples, engine, 3)
    drop(digits, samples, 7)
    digits.document.cancel()
    wait(qtbot, lambda: digits.predicting.state is State.SHOWING)
    assert len(outcomes.answers) == 1
    assert not outcomes.errors


def test_a_dead_engine_fails_the_run_and_the_next_drop_is_answered(
    qtbot, digits, samples, engine
):
    outcomes = Outcomes(digits)
    answer = engine.answer
    engine.answer = EngineFailed("Could not run the model", "the engine process was killed")
    drop(digits, samples, 3)
    wait(qtbot, lambda: digits.predicting.state is State.FAILED)
    assert [error.why for error in outcomes.errors] == ["the engine process was killed"]
    engine.answer = answer
    drop(digits, samples, 7)
    wait(qtbot, lambda: digits.predicting.state is State.SHOWING)
    assert len(outcomes.answers) == 1


def test_a_model_that_changed_on_disk_shows_the_input_and_fails_without_a_run(
    qtbot, digits, samples, engine
):
    outcomes = Outcomes(digits)
    filled: list[object] = []
    digits.predicting.filled.connect(filled.append)
    path = digits.document.path
    path.write_bytes((samples / "wine_tabular.onnx").read_bytes())
    drop(digits, samples, 3)
    wait(qtbot, lambda: digits.predicting.state is State.FAILED)
    assert "changed on disk" in outcomes.errors[0].why
    assert len(filled) == 1
    assert not engine.asked


def test_an_input_that_cannot_be_made_is_no_failure_of_the_model(
    qtbot, digits, tmp_path, engine
):
    outcomes = Outcomes(digits)
    damaged = tmp_path / "damaged.png"
    damaged.write_bytes(b"no image")
    with qtbot.waitSignal(digits.predicting.refused, timeout=TIMEOUT_MS):
        digits.use_picture(damaged)
    assert digits.predicting.state is State.FAILED
    assert len(outcomes.errors) == 1
    assert digits.document.error is None
    assert not engine.asked


@pytest.mark.parametrize("cancelled", [False, True])
def test_a_drop_during_another_job_is_answered_however_that_job_ends(
    qtbot, digits, samples, engine, cancelled
):
    outcomes = Outcomes(digits)
    engine.gate.clear()
    digits.document.measure()
    drop(digits, samples, 3)
    assert digits.predicting.state is State.WAITING
    assert digits.document.work is Work.MEASURING
    if cancelled:
        digits.document.cancel()
    engine.gate.set()
    wait(qtbot, lambda: digits.predicting.state is State.SHOWING)
    assert len(outcomes.answers) == 1


def test_a_run_ends_though_another_job_begins_as_soon_as_it_has_failed(
    qtbot, digits, samples, engine
):
    outcomes = Outcomes(digits)
    document = digits.document
    drop_while_predicting(qtbot, digits, samples, engine, 3)
    engine.answer = EngineFailed("Could not run the model", "the engine process was killed")

    def measure_next() -> None:
        if document.work is None:
            document.changed(Topic.WORK).disconnect(measure_next)
            document.measure()

    document.changed(Topic.WORK).connect(measure_next)
    engine.gate.set()
    wait(qtbot, lambda: bool(outcomes.errors))
    assert [error.why for error in outcomes.errors] == ["the engine process was killed"]
    assert digits.predicting.state is State.FAILED
    wait(qtbot, lambda: document.work is None)


def test_a_closed_view_requests_nothing(qtbot, digits, samples, engine):
    drop_while_predicting(qtbot, digits, samples, engine, 3)
    digits.predicting.end()
    drop(digits, samples, 7)
    engine.gate.set()
    wait(qtbot, lambda: digits.document.work is None)
    assert digits.predicting.state is State.CLOSED
    assert len(engine.asked) == 1
