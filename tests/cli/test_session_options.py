"""Options of the command line are drawn from the settings that a backend declares."""

import argparse
from dataclasses import replace
from typing import Any

import pytest

from inspector.backends import registry
from inspector.cli.commands import sweep
from inspector.cli.options import session_options
from inspector.report.run_spec import ProviderOption, RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.report.sweep import AXES
from tests.command_line import errors_of


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
def test_provider_options_are_read_as_key_and_value(words, expected):
    arguments = [part for word in words for part in ("--provider-option", word)]
    assert chosen(*arguments)["provider_options"] == tuple(
        ProviderOption(key, value) for key, value in expected
    )


@pytest.mark.parametrize("text", ["device_id", "=1", " =1", ""])
def test_a_provider_option_without_key_or_sign_is_refused(text, capsys):
    with pytest.raises(SystemExit):
        chosen("--provider-option", text)
    assert f"'{text}' is not KEY=VALUE" in capsys.readouterr().err


@pytest.mark.engine
def test_a_provider_option_reaches_the_session(samples):
    model = str(samples / "digits_float32.onnx")
    told = errors_of("measure", model, "--runs", "1", "--provider-option", "device_id=1")
    assert "Could not set the option 'device_id'" in told


def test_switches_turn_off_what_is_on_without_them():
    switches = ("spinning", "arena", "memory_pattern")
    assert [chosen()[name] for name in switches] == [True] * 3
    for name in switches:
        options = chosen(f"--no-{name.replace('_', '-')}")
        assert [other for other in switches if not options[other]] == [name]


def test_layers_to_keep_on_the_cpu_are_split_and_named_once():
    kept = chosen("--on-cpu", "a, /head/*,", "--on-cpu", "a,3")["on_cpu"]
    assert kept == ("a", "/head/*", "3")


def test_every_setting_of_the_backend_is_an_option_with_the_default_of_run_spec():
    assert RunSpec(**chosen()) == RunSpec()
    names = {setting.name for setting in session_options.settings()}
    assert names <= chosen().keys()


def test_each_kind_of_setting_is_read():
    found = chosen(
        "--optimization", "basic", "--threads", "2", "--execution", "parallel", "--no-arena",
        "--binding", "outputs", "--provider-option", "a=1", "--provider-option", "a=2",
        "--on-cpu", "x, y", "--on-cpu", "x",
    )  # fmt: skip
    assert (found["optimization"], found["threads"]) == ("basic", 2)
    assert (found["execution_mode"], found["arena"], found["spinning"]) == (
        "parallel", False, True,
    )  # fmt: skip
    assert found["binding"] == "outputs"
    assert found["on_cpu"] == ("x", "y")
    spec = RunSpec(**found)
    assert [(each.key, each.value) for each in spec.provider_options] == [("a", "2")]


def test_a_setting_of_another_backend_becomes_an_option_with_its_help(monkeypatch, capsys):
    hint = "Layers that share one buffer"
    kind = SettingKind.COUNT
    setting = Setting("Buffers", kind, hint, name="inter_threads", option="buffers")
    other = replace(registry.info(registry.DEFAULT), id="other", settings=(setting,))
    monkeypatch.setattr(registry, "BACKENDS", {"other": other})
    monkeypatch.setattr(registry, "DEFAULT", "other")
    assert chosen("--buffers", "3")["inter_threads"] == 3
    parser = argparse.ArgumentParser()
    session_options.add_arguments(parser)
    parser.print_help()
    printed = capsys.readouterr().out
    assert "layers that share one buffer (default: 0)" in printed
    assert "--optimization" not in printed


def test_a_sweep_combines_exactly_the_settings_that_its_file_may_name():
    assert {setting.name for setting, _ in session_options.combinable()} == set(AXES)
    parser = argparse.ArgumentParser()
    sweep.add_arguments(parser)
    found = parser.parse_args(["m.onnx", "--spinning", "on,off", "--threads", "0,2"])
    assert (found.spinning, found.threads, found.arena) == ((True, False), (0, 2), None)
    with pytest.raises(SystemExit):
        parser.parse_args(["m.onnx", "--spinning", "maybe"])
