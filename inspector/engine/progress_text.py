"""Texts for the steps of a job, in the window and on the command line."""

from collections.abc import Sequence

from inspector import units

# Each key is a step as the engine names it in `Progress.step`.
_TEXTS = {
    "waiting": "Queued behind another measurement on this machine",
    "start": "Starting the engine process",
    "hash": "Computing the SHA-256 of the model",
    "sending": "Sending the model",
    "offline": "Unreachable; waiting for the connection",
    "following": "Running; the connection was lost in between",
    "devices": "Searching for devices",
    "download": "Downloading the model",
    "open": "Opening the model",
    "compile": "Compiling the model",
    "load": "Loading the model",
    "first prediction": "Running the model for the first time",
    "warm-up": "Warming up",
    "prediction": "Running the model",
    "encoder": "Running the encoder",
    "prefill": "Reading the prompt",
    "generation": "Generating text",
    "tokens": "Generating tokens",
    "score": "Scoring the text",
    "generate": "Comparing greedy texts",
    "rank layers": "Ranking blocks and layers",
    "throughput": "Measuring throughput",
    "asynchronous calls": "Measuring asynchronous calls",
    "several sessions": "Measuring several sessions",
    "load again": "Loading the model again",
    "load in detail": "Timing the load phases",
    "profile": "Profiling the layers",
    "profiled": "Profiling the layers",
    "synchronize": "Timing layers one by one",
    "layers": "Assigning profiled times to layers",
    "inside": "Reading the layer times of the execution provider",
    "support": "Checking which layers each device supports",
    "ceilings": "Measuring the peak performance of the device",
    "shapes": "Inferring shapes",
    "packing": "Counting prepacked weights",
    "check": "Verifying outputs against the CPU",
    "reference": "Running the reference evaluator",
    "weights": "Reading weights",
    "value": "Computing the tensor",
    "values": "Computing the layer's inputs",
    "executed graph": "Optimizing the graph",
    "runs": "Running the layer",
    "steps": "Running the model",
    "walk": "Recording layer outputs",
    "answer": "Reading the results",
}


def step_text(step: str) -> str:
    """Return the text of a step: 'warm-up' -> 'Warming up'; of an unknown one, itself."""
    return _TEXTS.get(step, units.clip(step, 60).capitalize())


def while_text(step: str, layer: str = "") -> str:
    """Return ' while warming up, in layer X' for a step that has a text, '' for any other."""
    text = _TEXTS.get(step, "")
    at = f", in layer {layer}" if layer else ""
    return f" while {units.uncapitalized(text)}{at}" if text else ""


def stalled_text(step: str, seconds: float, layers: Sequence[str] = (), layer: str = "") -> str:
    """Return the message about a step that makes no progress.

    'No progress for 12 s: warming up. Layer 'loop' (Loop) may never finish.'
    layers: descriptions of the possible causes. layer: the one that is running, if known.
    """
    text = step_text(step)
    text = f"layer {layer}" if layer else units.uncapitalized(text)
    text = f"No progress for {seconds:.0f} s: {text}"
    return f"{text}. {suspects_text(layers)}" if layers else text


def suspects_text(layers: Sequence[str]) -> str:
    """Return "Layer 'loop' (Loop) may never finish."; without layers, this of the run."""
    if not layers:
        return "The run may never finish."
    noun = "Layer" if len(layers) == 1 else "Layers"
    return f"{noun} {' and '.join(layers)} may never finish."


def progress_text(step: str, part: str) -> str:
    """Return the current step: 'Start 2 of 5 · Warming up'; part: of the job, or empty.

    A part that says what is waited for replaces the step: 'pi5: queued behind process 12'.
    """
    if not part:
        return step_text(step)
    if part.startswith("queued "):
        return f"Q{part[1:]}"
    if ": queued" in part or ": unreachable" in part:
        return part
    return f"{units.capitalized(part)} · {step_text(step)}"
