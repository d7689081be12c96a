"""What the engine's steps are called for people, wherever the window tells of them."""

from inspector import units

_WORDS = {
    "waiting": "Waiting for another measurement on this machine to end",
    "start": "Starting the engine",
    "devices": "Looking for the devices",
    "load": "Loading the model",
    "first prediction": "Predicting for the first time",
    "warm-up": "Warming up",
    "prediction": "Predicting",
    "load again": "Loading the model again",
    "load in detail": "Loading the model with the runtime's log",
    "profile": "Predicting with the profiler on",
    "layers": "Telling apart the layers",
    "support": "Asking what each device supports",
    "ceilings": "Measuring what the device can do at most",
    "shapes": "Counting the work of the layers",
    "packing": "Counting what kernels prepack",
    "check": "Checking the answer against the CPU",
    "answer": "Putting the report together",
}


def step_words(step: str) -> str:
    """Say a step of the engine: 'warm-up' -> 'Warming up'; an unknown one as it is."""
    return _WORDS.get(step, units.clip(step, 60).capitalize())
