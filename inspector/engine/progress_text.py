"""Texts for the steps of a job, in the window and on the command line."""

from collections.abc import Sequence

from inspector import units

# Each key is a step as the engine names it in `Progress.step`.
_TEXTS = {
    "waiting": "Waiting for another measurement on this machine to end",
    "start": "Starting the engine",
    "devices": "Searching for devices",
    "open": "Opening the model",
    "compile": "Compiling the model",
    "load": "Loading the model",
    "first prediction": "First run",
    "warm-up": "Warming up",
    "prediction": "Predicting",
    "throughput": "Measuring throughput",
    "load again": "Loading the model again",
    "load in detail": "Timing the phases of loading",
    "profile": "Profiling the layers",
    "synchronize": "Timing layers one by one",
    "layers": "Assigning profiled times to layers",
    "inside": "Reading the layer times of the execution provider",
    "support": "Checking which layers each device supports",
    "ceilings": "Measuring the peak performance of the device",
    "shapes": "Inferring shapes",
    "packing": "Counting prepacked weights",
    "check": "Verifying outputs against the CPU",
    "reference": "Running the reference evaluator",
    "value": "Computing the value",
    "values": "Computing the layer's inputs",
    "runs": "Running the layer",
    "steps": "Predicting",
    "walk": "Stepping through the layers",
    "answer": "Reading the results",
}


def step_text(step: str) -> str:
    """Return the text of a step: 'warm-up' -> 'Warming up'; of an unknown one, itself."""
    return _TEXTS.get(step, units.clip(step, 60).capitalize())


def while_text(step: str, layer: str = "") -> str:
    """Return ' while predicting, in layer X' for a step that has a text, '' for any other."""
    text = _TEXTS.get(step, "")
    at = f", in layer {layer}" if layer else ""
    return f" while {text[:1].lower()}{text[1:]}{at}" if text else ""


def stalled_text(step: str, seconds: float, layers: Sequence[str] = (), layer: str = "") -> str:
    """Return what is said of a step that goes on without progress.

    'Still running: predicting (12 s). Layer 'loop' (Loop) may never end.'
    layers: those that may be the cause, in words. layer: the one that is computed, if known.
    """
    text = step_text(step)
    text = f"layer {layer}" if layer else f"{text[:1].lower()}{text[1:]}"
    text = f"Still running: {text} ({seconds:.0f} s)"
    return f"{text}. {suspects_text(layers)}" if layers else text


def suspects_text(layers: Sequence[str]) -> str:
    """Return what may never end: "Layer 'loop' (Loop) may never end.", or "It" for no layer."""
    if not layers:
        return "It may never end."
    noun = "Layer" if len(layers) == 1 else "Layers"
    return f"{noun} {' and '.join(layers)} may never end."


def progress_text(step: str, part: str) -> str:
    """Return the current step: 'Start 2 of 5 · Warming up'; part: of the job, or empty."""
    if not part:
        return step_text(step)
    return f"{part[:1].upper()}{part[1:]} · {step_text(step)}"
