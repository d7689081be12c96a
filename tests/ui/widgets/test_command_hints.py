"""What advice says of commands, as what to press."""

import pytest

from inspector.analysis.advice.advice_helpers import rerun
from inspector.backends.onnxruntime.placement.failing_layer import HINT
from inspector.statistics.process_starts import precision_advice
from inspector.ui.widgets.command_hints import in_window
from tests.reports import example_report

RERUN = rerun(example_report())
TEXTS = (
    f"Run {RERUN} with --optimization all.",
    f"Run {RERUN} with --threads 2, or without it.",
    f"Leave them out of --on-cpu, then run {RERUN}.",
    f"Fix the sizes with --dim NAME=N, and {RERUN}.",
    f"Run {RERUN} with --binding outputs; in your program, use IoBinding.bind_output with "
    "your own memory.",
    f"Run {RERUN} without --load-from, and compare the memory after loading.",
    f"Save the weights as external data, or run {RERUN} with --load-from reader.",
    f"Export the model again with opset 17 or later, and {RERUN}.",
    f"Export the model again with opset 17 or later, then run {RERUN}.",
    "Try it: replace these layers, then run `inspector measure changed.onnx --against a.onnx`.",
    "Is it faster? Try it: `inspector convert a.onnx simplify -o changed.onnx`, then "
    "`inspector measure changed.onnx --against a.onnx`.",
    "Choose a device with --device, or omit the option.",
    "`inspector devices` lists them.",
    "A driver may be missing or too old; `inspector devices` lists the devices that work.",
    "None of the common sizes of a dynamic axis worked; set one with --dim batch=N.",
    HINT.format("it", "fc"),
    "Profiles of all would slow the program. With `--nodes #10:50`, the tenth one is profiled.",
    "Run them together. `inspector sweep MODEL --batch 1,8` measures what that saves.",
    "Copy inputs once; `inspector record` shows whether a program's inputs are copied.",
    precision_advice([1, 1], disturbed=True),
    precision_advice([5, 5], half_width=0.2),
    precision_advice([2, 5], measured=[10, 5]),
)


@pytest.mark.parametrize("text", TEXTS)
def test_no_command_and_no_option_is_left(text):
    told = in_window(text)
    assert "--" not in told
    assert "inspector " not in told
    assert "`" not in told
    assert told.lstrip("“")[0].isupper()


def test_the_sentence_around_it_stays():
    assert in_window(TEXTS[2]) == (
        "Remove them from “Forced to CPU” in the settings, then measure again and compare the "
        "two reports."
    )


def test_the_verb_of_a_command_is_not_repeated():
    assert in_window(f"Export again, then run {RERUN}.") == (
        "Export again, then measure again and compare the two reports."
    )


def test_other_words_stay_as_they_are():
    assert in_window("Close other programs.") == "Close other programs."
    assert in_window("") == ""
