"""What follows from the descriptions of settings, and that they fit their fields."""

from dataclasses import fields, replace

import pytest

from inspector.backends.base import Capability
from inspector.backends.registry import BACKENDS
from inspector.report.run_spec import (
    SETTINGS,
    RunSpec,
    of_runtime,
    session_entries,
    without_questions,
)
from inspector.report.settings import Role, Setting, SettingKind

TYPES = {
    SettingKind.CHOICE: str,
    SettingKind.COUNT: int,
    SettingKind.SWITCH: bool,
    SettingKind.SECONDS: float,
    SettingKind.SHARE: float,
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_description_fits_its_field(name):
    setting, default = SETTINGS[name], getattr(RunSpec(), name)
    assert setting.name == name
    assert type(default) is TYPES.get(setting.kind, tuple)
    assert setting.title
    assert setting.about
    assert len(setting.titles) in (0, len(setting.choices))
    if setting.kind is SettingKind.CHOICE:
        assert default in setting.choices
    if type(default) in (int, float):
        assert setting.least <= default <= setting.most
    if setting.kind in (SettingKind.SECONDS, SettingKind.SHARE) and setting.has_field:
        assert set(setting.offered) >= {default}
    assert bool(setting.ability) == bool(setting.undone)
    assert not setting.ability or setting.ability in set(Capability)
    assert set(setting.runtimes) <= set(BACKENDS)
    assert not setting.entries or setting.kind is SettingKind.SWITCH


def test_all_fields_are_described_and_nothing_else():
    assert set(SETTINGS) == {field.name for field in fields(RunSpec)}


@pytest.mark.parametrize(
    ("setting", "noun", "flag"),
    [
        (Setting("Memory arena", SettingKind.SWITCH, name="arena"), "memory arena", "--arena"),
        (Setting("I/O binding", SettingKind.CHOICE, name="io_way"), "I/O binding", "--io-way"),
        (Setting("XNNPACK", SettingKind.SWITCH, name="x"), "XNNPACK", "--x"),
        (
            Setting(
                "Execution mode", SettingKind.CHOICE, short="execution", option="execution"
            ),
            "execution",
            "--execution",
        ),
    ],
)
def test_a_setting_has_a_name_in_text_and_an_option(setting, noun, flag):
    assert (setting.noun, setting.flag) == (noun, flag)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("spinning", True, "on"),
        ("arena", False, "off"),
        ("threads", 0, "default"),
        ("threads", 4, "4"),
        ("binding", "outputs", "inputs and outputs"),
        ("inference_precision", "bf16", "bfloat16"),
        ("execution_mode", "other", "other"),
    ],
)
def test_a_value_is_written_as_people_say_it(name, value, text):
    assert SETTINGS[name].text(value) == text


def test_a_runtime_has_its_settings_and_maybe_fewer_choices_of_one():
    found = {each.name: each for each in of_runtime("openvino", load_from=("path", "compiled"))}
    assert list(found) == [
        "threads", "provider_options", "inference_precision", "performance_hint", "streams",
        "load_from",
    ]  # fmt: skip
    assert found["load_from"].choices == ("path", "compiled")
    assert found["load_from"].titles == ("File", "Compiled")
    assert found["streams"] == SETTINGS["streams"]


def test_only_switches_that_are_not_as_by_default_set_entries():
    assert session_entries(RunSpec()) == ()
    assert session_entries(RunSpec(spinning=False, arena=False, flush_subnormals=True)) == (
        ("session.intra_op.allow_spinning", "0"),
        ("session.inter_op.allow_spinning", "0"),
        ("session.set_denormal_as_zero", "1"),
    )


def test_questions_are_left_out_but_what_changes_the_run_stays():
    asked = RunSpec(
        threads=2, runs=7, check=True, loads=3, predict=("cuda",), concurrency=(1, 2),
        around_failures=True, roofline=True,
    )  # fmt: skip
    kept = RunSpec(threads=2, runs=7, around_failures=True)
    assert without_questions(asked) == kept
    assert without_questions(asked, "loads") == replace(kept, loads=3)


def test_what_is_sent_swept_and_asked_is_said_once():
    assert [name for name, each in SETTINGS.items() if not each.is_sent] == [
        "inputs", "custom_ops",
    ]  # fmt: skip
    axes = {name for name, each in SETTINGS.items() if each.is_axis}
    assert {"spinning", "streams", "binding"} <= axes
    assert not axes & {"load_from", "runs", "on_cpu", "check", "cast"}
    lengths = [name for name, each in SETTINGS.items() if each.role is Role.LENGTH]
    assert lengths == [
        "runs", "seconds", "warmup", "profiled_runs", "until", "most_seconds", "starts",
        "steady", "layer_precision",
    ]  # fmt: skip
