"""What advice says of commands, as what to press."""

import pytest

from inspector.analysis.advised import AGAIN
from inspector.engine.placing.loading import HINT
from inspector.starts import in_words
from inspector.ui.kit.pressed import in_window

TEXTS = (
    f"{AGAIN} with --optimization all.",
    f"{AGAIN} with --threads 2, or without it.",
    f"Leave them out of --on-cpu, then {AGAIN}.",
    f"Fix the lengths with --dim NAME=N, and {AGAIN}.",
    f"{AGAIN} with --binding outputs; in a program IoBinding.bind_output with memory of yours.",
    f"{AGAIN} without --load-from, and hold the memory after loading against this.",
    f"Save the weights as external data, or {AGAIN} with --load-from reader.",
    f"Export again with opset 17 or later, and {AGAIN}.",
    "Choose a device with --device, or leave the option out.",
    "`inspector devices` lists them.",
    "Look at `inspector devices`; a driver may be missing or too old.",
    HINT.format("it", "fc"),
    in_words([1, 1], disturbed=True),
    in_words([5, 5], unsure=0.2),
    in_words([2, 5], measured=[10, 5]),
)


@pytest.mark.parametrize("text", TEXTS)
def test_no_command_and_no_option_is_left(text: str) -> None:
    told = in_window(text)
    assert "--" not in told
    assert "inspector " not in told
    assert "`" not in told
    assert told[0].isupper()


def test_the_sentence_around_it_stays() -> None:
    assert in_window(TEXTS[2]) == (
        "Take them out of ‘Kept on the CPU’ in the settings, "
        "then measure again and compare the two reports."
    )


def test_other_words_stay_as_they_are() -> None:
    assert in_window("Close other programs.") == "Close other programs."
    assert in_window("") == ""
