"""The states of the Preview's prediction, and every transition between them, in one table.

A request (a dropped image, a typed number, another device) leads from a resting state through
WAITING, PREPARING and PREDICTING to SHOWING. The latest request always gets its answer: one
that comes while a run is under way makes that run SUPERSEDED, and the next one follows it.
Knows neither Qt nor the model; `prediction_pipeline` performs the actions.
"""

from enum import Enum, auto


class State(Enum):
    """A state of the Preview's prediction."""

    IDLE = auto()  # nothing was requested yet, or the last run was cancelled
    SCHEDULED = auto()  # a request follows when the present turn of the event loop has ended
    WAITING = auto()  # a request waits until the model is open and no other job runs it
    PREPARING = auto()  # a thread makes the tensors of the inputs
    PREDICTING = auto()  # the engine predicts, and the thread reads its outputs
    SUPERSEDED = auto()  # preparing or predicting, and a later request is to follow
    READING = auto()  # a thread reads the outputs again, with other labels
    SHOWING = auto()  # the answer is on the screen
    FAILED = auto()  # the last request ended in an error
    CLOSED = auto()  # the view is about to go


class Event(Enum):
    """An event that may change the state."""

    CHANGED = auto()  # an input changed, after a pause
    CHANGING = auto()  # an input changed again at once, as while somebody types
    REQUESTED = auto()  # a prediction is wanted now
    DOCUMENT_FREE = auto()  # the model is open, and no job runs it
    PREPARED = auto()  # value: Filling
    REFUSED = auto()  # no tensors could be made; value: InspectorError
    ANSWERED = auto()  # predicted, and read with the present labels; value: Answer
    PREDICTED = auto()  # predicted, but the labels changed meanwhile; value: Prediction
    FAILED = auto()  # value: InspectorError
    CANCELLED = auto()
    LABELS_CHANGED = auto()  # value: the Prediction on the screen
    READ = auto()  # value: Answer
    READ_FAILED = auto()  # value: InspectorError
    CLOSED = auto()


class Action(Enum):
    """An action of a transition."""

    NOTHING = auto()
    POST = auto()  # request when the present turn of the event loop has ended
    DEBOUNCE = auto()  # request when nothing has changed for a moment
    BEGIN = auto()  # start a run
    SHOW_INPUT = auto()  # show what goes into the model, once the engine has its tensors
    REFUSE = auto()
    SHOW = auto()  # the answer
    READ = auto()
    FAIL = auto()
    END = auto()  # of a cancelled run


_RESTING = (State.IDLE, State.SHOWING, State.FAILED)
_RUNNING = (State.PREPARING, State.PREDICTING)
BUSY = frozenset({*_RUNNING, State.SUPERSEDED, State.READING})

Transition = tuple[State, Action]
TRANSITIONS: dict[tuple[State, Event], Transition] = {
    # a request
    **{(each, Event.CHANGED): (State.SCHEDULED, Action.POST) for each in _RESTING},
    **{(each, Event.CHANGING): (each, Action.DEBOUNCE) for each in (*_RESTING, *BUSY)},
    **{(each, Event.CHANGED): (each, Action.DEBOUNCE) for each in BUSY},
    **{(each, Event.REQUESTED): (State.WAITING, Action.NOTHING) for each in _RESTING},
    (State.SCHEDULED, Event.REQUESTED): (State.WAITING, Action.NOTHING),
    (State.READING, Event.REQUESTED): (State.WAITING, Action.NOTHING),
    **{(each, Event.REQUESTED): (State.SUPERSEDED, Action.NOTHING) for each in _RUNNING},
    (State.WAITING, Event.DOCUMENT_FREE): (State.PREPARING, Action.BEGIN),
    # a run
    (State.PREPARING, Event.PREPARED): (State.PREDICTING, Action.SHOW_INPUT),
    (State.PREPARING, Event.REFUSED): (State.FAILED, Action.REFUSE),
    (State.PREDICTING, Event.ANSWERED): (State.SHOWING, Action.SHOW),
    (State.PREDICTING, Event.PREDICTED): (State.READING, Action.READ),
    **{(each, Event.FAILED): (State.FAILED, Action.FAIL) for each in _RUNNING},
    **{(each, Event.CANCELLED): (State.IDLE, Action.END) for each in _RUNNING},
    # a run that another one follows
    (State.SUPERSEDED, Event.PREPARED): (State.SUPERSEDED, Action.SHOW_INPUT),
    (State.SUPERSEDED, Event.REFUSED): (State.WAITING, Action.REFUSE),
    (State.SUPERSEDED, Event.ANSWERED): (State.WAITING, Action.SHOW),
    (State.SUPERSEDED, Event.PREDICTED): (State.WAITING, Action.READ),
    (State.SUPERSEDED, Event.FAILED): (State.WAITING, Action.FAIL),
    (State.SUPERSEDED, Event.CANCELLED): (State.WAITING, Action.END),
    # reading again; a run may have begun since
    **{(each, Event.LABELS_CHANGED): (each, Action.READ) for each in State},
    **{(each, Event.LABELS_CHANGED): (State.READING, Action.READ) for each in _RESTING},
    **{(each, Event.READ): (each, Action.SHOW) for each in State},
    **{(each, Event.READ_FAILED): (each, Action.FAIL) for each in State},
    (State.READING, Event.READ): (State.SHOWING, Action.SHOW),
    (State.READING, Event.READ_FAILED): (State.FAILED, Action.FAIL),
    # the end: nothing leads out of CLOSED
    **{(each, Event.CLOSED): (State.CLOSED, Action.NOTHING) for each in State},
    **{(State.CLOSED, each): (State.CLOSED, Action.NOTHING) for each in Event},
}


def transition(state: State, event: Event) -> Transition:
    """Return the next state and what to do; other events change nothing."""
    return TRANSITIONS.get((state, event), (state, Action.NOTHING))
