"""--time-limit on each command that opens a model, and what is said before it is over."""

import re
import sys
from pathlib import Path

import pytest

from inspector.backends.values import Progress as Step
from inspector.cli import command_table, main
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.engine.client import supervision
from inspector.platform.work_limits import Limits
from tests.cli.test_progress import Terminal
from tests.command_line import errors_of, output_of
from tests.killers import models

PACKAGE = Path(main.__file__).parent
WITHOUT_MODEL = {
    "export", "trace", "record", "sample", "plugins", "engines", "config", "history", "mcp",
    "completion", "desktop", "lab",
}  # fmt: skip
MORE = {"parity": ("--against", "level=none"), "sweep": ("--processes", "1")}


@pytest.mark.parametrize("command", command_table.commands())
def test_each_command_that_opens_a_model_takes_a_time_limit(command):
    takes_it = "--time-limit SECONDS" in output_of(command, "--help")
    assert takes_it is (command not in WITHOUT_MODEL)


def test_no_module_of_the_command_line_starts_an_engine_without_limits():
    for path in sorted(PACKAGE.glob("*.py")):
        for call in re.findall(r"EngineProcess\(([^)]*)\)", path.read_text("utf-8")):
            assert "limits" in call, f"{path.name}: EngineProcess({call})"


@pytest.mark.engine
@pytest.mark.parametrize(
    "model", ["endless_loop", pytest.param("einsum_of_dots", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "command",
    ["predict", "measure", *(pytest.param(command, marks=pytest.mark.slow)
                             for command in ("layers", "parity", "sweep"))],
)  # fmt: skip
def test_a_model_that_never_ends_is_ended_with_a_reason_and_a_way_out(tmp_path, command, model):
    path = models.write(model, tmp_path)
    assert path.stat().st_size < 250
    for limit in ("0.8", "8", "80"):  # a busy machine takes longer until the engine has begun
        told = errors_of(command, path, *MORE.get(command, ()), "--time-limit", limit)
        assert f"it took longer than the {limit} s allowed" in told
        assert "Traceback" not in told
        if "may never finish" in told or command == "sweep":  # which goes on with other cells
            break
    if command != "sweep":
        suspect = "Layer 'loop' (Loop)" if model == "endless_loop" else "The run"
        assert f"\n{suspect} may never finish. To allow more time, use" in told
        assert "--time-limit" in told


@pytest.mark.engine
@pytest.mark.slow
def test_a_conversion_is_saved_though_its_outputs_took_too_long_and_says_so(tmp_path):
    path, target = models.write("endless_loop", tmp_path), tmp_path / "made.onnx"
    given = ["convert", str(path), "metadata:made=here", "-o", str(target), "--overwrite"]
    for limit in ("0.8", "8", "80"):  # a busy machine takes longer until the engine has begun
        told = output_of(*given, "--time-limit", limit)
        if f"it took longer than the {limit} s allowed while running the model" in told:
            break
    assert "No verdict: " in told
    assert f"it took longer than the {limit} s allowed while running the model" in told
    assert target.is_file()


@pytest.mark.engine
@pytest.mark.parametrize(
    "model", ["endless_loop", pytest.param("einsum_of_dots", marks=pytest.mark.slow)]
)
def test_info_tells_all_else_of_a_model_on_which_inference_hangs(tmp_path, model):
    path = models.write(model, tmp_path)
    # An endless loop is not run here, while the other takes all of the time that it is given.
    limits = ("4", "30", "200") if model == "einsum_of_dots" else ("300",)
    for limit in limits:  # a busy machine takes longer until the engine has begun
        told = output_of("info", path, "--time-limit", limit)
        assert "SHA-256" in told
        if "Partial" in told:
            break
    assert ("Partial" in told) is (model == "einsum_of_dots")


@pytest.mark.engine
def test_where_nobody_can_press_a_key_a_job_without_progress_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "STALL_NOTICE_SECONDS", 0.4)
    path = models.write("endless_loop", tmp_path)
    for limit in (1.0, 10.0, 100.0):  # a slow machine may take as long until the model runs
        monkeypatch.setattr(option_types, "STALL_LIMIT_SECONDS", limit)
        told = errors_of("predict", path)
        if "while running the model" in told:
            break
    suspect = "Layer 'loop' (Loop) may never finish."
    shown = rf"No progress for \d+ s: running the model\. {re.escape(suspect)}\n"
    assert re.search(shown, told)
    assert f"it made no progress for {limit:g} s while running the model" in told
    assert told.endswith(f"{suspect} To allow more time, use --time-limit.\n")


def test_without_the_option_only_a_terminal_waits_for_ever(monkeypatch):
    from argparse import Namespace

    for terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        expected = Limits(stall_seconds=0.0 if terminal else 300.0)
        assert option_types.limits(Namespace(time_limit=0.0)) == expected
        assert option_types.limits(Namespace(time_limit=7.0)) == Limits(job_seconds=7.0)


def test_a_pipe_hears_of_a_step_without_progress_less_and_less_often(capsys):
    with Progress(sys.stderr) as progress:
        for seconds in range(10, 45):
            progress.show(Step("load", -1, stalled_seconds=seconds))
        progress.show(Step("prediction", -1))
        progress.show(Step("prediction", -1, stalled_seconds=10))
    assert capsys.readouterr().err.splitlines() == [
        "No progress for 10 s: loading the model",
        "No progress for 20 s: loading the model",
        "No progress for 40 s: loading the model",
        "No progress for 10 s: running the model",
    ]


def test_a_terminal_sees_it_in_one_line_that_is_wiped():
    terminal = Terminal()
    with Progress(terminal) as progress:
        for seconds in (10, 11):
            stall = Step("load", -1, stalled_seconds=seconds, layers=("'a' (Conv)",))
            progress.show_stall(stall)
        progress.show_stall(Step("load", -1))
    *shown, last = terminal.getvalue().split("\r\x1b[K")
    assert list(filter(None, shown)) == [
        "No progress for 10 s: loading the model. Layer 'a' (Conv) may never finish.",
        "No progress for 11 s: loading the model. Layer 'a' (Conv) may never finish.",
    ]
    assert last == ""


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        (("improve", "m.onnx", "--test", "f", "--keep", "-2%"), "max_loss", "-2%"),
        (("record", "--keep", "7"), "last", 7),
        (("compare", "a.json", "b.json", "--baseline", "2"), "baseline_index", 2),
        (("devices", "--check", "pi"), "test", "pi"),
        (("roofline", "--again"), "again", True),
    ],
)
def test_an_old_name_of_an_option_works_and_says_the_new_one(given, name, value, capsys):
    command, *words = given
    options = main.command_parser(command).parse_args(main._joined_values(words))
    assert getattr(options, name) == value
    assert "is now called --" in capsys.readouterr().err
