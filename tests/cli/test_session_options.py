import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main, session_options
from inspector.report.run_spec import ProviderOption


def chosen(*words: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    session_options.add_arguments(parser)
    return session_options.chosen(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["device_id=1"], [("device_id", "1")]),
        (
            ["path=a=b", " mode =fast", "empty="],
            [("path", "a=b"), ("mode", "fast"), ("empty", "")],
        ),
        (["twice=1", "twice=2"], [("twice", "2")]),
    ],
)
def test_provider_options_are_read_as_key_and_value(
    words: Sequence[str], expected: Sequence[tuple[str, str]]
) -> None:
    arguments = [part for word in words for part in ("--provider-option", word)]
    assert chosen(*arguments)["provider_options"] == tuple(
        ProviderOption(key, value) for key, value in expected
    )


@pytest.mark.parametrize("text", ["device_id", "=1", " =1", ""])
def test_a_provider_option_without_key_or_sign_is_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        chosen("--provider-option", text)
    assert f"'{text}' is not KEY=VALUE" in capsys.readouterr().err


@pytest.mark.engine
def test_a_provider_option_reaches_the_session(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(samples / "digits_float32.onnx")
    assert main.run(["measure", model, "--runs", "1", "--provider-option", "device_id=1"]) == 1
    assert "Could not pass on the option 'device_id'" in capsys.readouterr().err


def test_switches_turn_off_what_is_on_without_them() -> None:
    switches = ("spinning", "arena", "memory_pattern")
    assert [chosen()[name] for name in switches] == [True] * 3
    for name in switches:
        options = chosen(f"--no-{name.replace('_', '-')}")
        assert [other for other in switches if not options[other]] == [name]


def test_layers_to_keep_on_the_cpu_are_split_and_named_once() -> None:
    assert chosen("--on-cpu", "a, /head/*,", "--on-cpu", "a,3")["on_cpu"] == (
        "a",
        "/head/*",
        "3",
    )
