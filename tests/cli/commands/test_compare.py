import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from inspector.cli.main import run
from inspector.report.report import PerformanceReport, save
from tests.command_line import errors_of, json_of, output_of
from tests.command_line import run as run_command
from tests.reports import CPU, example_report


def saved(folder: Path, *reports: PerformanceReport) -> list[str]:
    paths = [folder / f"r{i}.json" for i in range(len(reports))]
    for path, report in zip(paths, reports, strict=True):
        save(report, path)
    return [str(path) for path in paths]


def slower(**changes: Any) -> PerformanceReport:
    report = example_report(2_060_000, seed=11)
    layers = list(report.layers)
    layers[13] = replace(layers[13], ran_on=CPU, time_ns=900_000)
    return replace(report, layers=tuple(layers), **changes)


def test_three_reports_stand_in_columns_that_line_up(tmp_path):
    text = output_of(
        "compare", *saved(tmp_path, example_report(), slower(), example_report(seed=3))
    )
    head, *rows = text.partition("Numbers\n")[2].partition("\n\n")[0].splitlines()
    assert [cell for cell in head.split() if cell in "ABC"] == list("ABBACCA")
    ends = [head.index(f" {letter} ") + 1 for letter in "ABC"]
    for row in rows:
        assert all(row[end] != " " and row[end + 1 : end + 2] in (" ", "") for end in ends), row


def test_settings_that_differ_and_what_makes_times_incomparable_are_shown(tmp_path):
    other = slower(spec=replace(example_report().spec, threads=4), complete=False)
    text = output_of("compare", *saved(tmp_path, example_report(), other))
    assert "warning: r1.json is incomplete: the measurement ended early." in text
    assert "Threads  default  4" in text


def test_a_layer_that_one_report_lacks_says_what_it_takes(tmp_path):
    base = example_report()
    last = base.layers[-1]
    more = replace(last, index=last.index + 1, name="added", operator="Erf", time_ns=250_000)
    paths = saved(tmp_path, base, replace(base, layers=(*base.layers, more)))
    for title, order in (("Only in B", paths), ("Only in A, not in B", paths[::-1])):
        section = output_of("compare", *order).partition(f"{title} (1 Erf)\n")[2]
        assert section.splitlines()[1].split() == ["added", "Erf", "250", "µs"]


def test_json_is_one_object_with_a_schema(tmp_path):
    body = json_of("compare", *saved(tmp_path, example_report(), slower()))
    assert body["schema"] == "comparison/1"
    # Names that scripts rely on stay when a label changes.
    names = {each["name"] for each in body["properties"]}
    assert {"ONNX Runtime", "Processor", "Session", "Predictions", "Binding"} <= names
    assert body["names"] == ["r0.json", "r1.json"]
    assert body["metrics"][0]["ratios"][1] == pytest.approx(1.109, abs=0.001)
    assert body["judgements"][1]["verdict"] == "slower"
    layer = body["layers"][13]
    assert layer["moved"]
    assert layer["cells"][1]["ran_on"] == "cpu"
    assert layer["aligned_by"] == "index"
    block = body["blocks"][layer["block"]]
    assert block["lead"] == 13
    assert block["deltas_ns"][1] > 0
    assert body["lists"][1]["moved"] == [13]
    (p50,) = [m for m in body["metrics"] if m["name"] == "prediction, p50"]
    assert p50["judgements"][1]["verdict"] == "slower"


def test_too_few_samples_are_null_in_json(tmp_path):
    few = example_report(prediction_ns=(1000, 2000))
    body = json_of("compare", *saved(tmp_path, few, few))
    assert body["judgements"][1]["low"] is None


def test_one_report_alone_is_wrong_use(tmp_path):
    assert run(["compare", *saved(tmp_path, example_report())]) == 2


def test_a_missing_report_fails_with_one_message(tmp_path):
    (path,) = saved(tmp_path, example_report())
    assert errors_of("compare", path, tmp_path / "gone.json") == (
        "Could not open gone.json: there is no such file\nCheck the name.\n"
    )


def test_a_terminal_without_arrows_gets_what_it_can_show(tmp_path):
    paths = saved(tmp_path, example_report(), slower())
    command = [sys.executable, "-m", "inspector", "compare", *paths]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=ascii_only, check=True)
    assert b"webgpu:0 -> cpu" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="file names are any bytes only there")
def test_a_file_name_that_is_no_text_is_shown_escaped(tmp_path):
    path = tmp_path / "caf\udce9.json"
    save(example_report(), path)
    body = json_of("compare", str(path), str(path))
    assert body["names"][0] == "caf\\udce9.json"
    assert "caf\\udce9.json" in output_of("compare", str(path), str(path))


def test_a_condition_that_holds_ends_with_three_and_one_that_does_not_with_zero(tmp_path):
    paths = saved(tmp_path, example_report(), example_report(2_360_000, seed=11))
    said = output_of("compare", *paths, "--fail-if", "prediction.p50>+2%", status=3)
    assert "prediction.p50>+2%  ✗ FAIL   +27.0% (95%" in said
    assert run(["compare", *paths, "--fail-if", "prediction.p50>+50%"]) == 0


def test_an_undecided_condition_passes_unless_told_otherwise(tmp_path):
    few = example_report(prediction_ns=(1000, 2000))
    command = ["compare", *saved(tmp_path, few, few), "--fail-if", "prediction.p50>+5%"]
    assert run(command) == 0
    assert run([*command, "--on-undecided", "fail"]) == 3


def test_the_files_for_a_pull_request_are_written_before_it_fails(tmp_path, capsys):
    paths = saved(tmp_path, example_report(), slower())
    markdown, tests = tmp_path / "c.md", tmp_path / "c.xml"
    asked = ["--fail-if", "layers.moved>0", "--markdown", str(markdown), "--junit", str(tests)]
    assert run(["compare", *paths, *asked]) == 3
    assert "| `layers.moved>0` | **✗ FAIL** | 1 layer |" in markdown.read_text("utf-8")
    assert 'failures="1"' in tests.read_text("utf-8")
    capsys.readouterr()
    assert output_of("compare", *paths, "--markdown", "-").startswith(
        "### `r1.json` compared with `r0.json`"
    )


def test_conditions_are_in_the_json(tmp_path):
    paths = saved(tmp_path, example_report(), slower())
    (found,) = json_of("compare", *paths, "--fail-if", "layers.moved>0", status=3)["conditions"]
    assert found == {
        "text": "layers.moved>0", "name": "r1.json", "outcome": "holds", "verdict": "fail",
        "words": "1 layer",
    }  # fmt: skip


def test_what_is_no_condition_is_wrong_use(tmp_path):
    paths = saved(tmp_path, example_report(), example_report())
    said = errors_of("compare", *paths, "--fail-if", "speed>fast", status=2)
    assert "a metric, a comparison operator such as >, and a limit" in said
    assert run(["compare", *paths, "--json", "--markdown", "-"]) == 1


def test_another_baseline_can_be_pinned(tmp_path):
    paths = saved(tmp_path, example_report(), slower())
    text = output_of("compare", *paths, "--baseline-index", "2")
    assert "B: 9.8% faster than A" in text
    assert f"  A  {paths[1]}" in text
    assert "a number from 1 to 2" in errors_of("compare", *paths, "--baseline-index", "3")


def test_what_was_set_alike_is_told_once(tmp_path):
    paths = saved(tmp_path, example_report(), slower())
    assert output_of("compare", "--details", *paths).count("Optimization all") == 1
    assert "Optimization all" not in output_of("compare", *paths)


@pytest.mark.parametrize(
    "command", ["compare FILE FILE", "trace FILE", "export FILE --format html -o -"]
)
@pytest.mark.parametrize(
    "change",
    [
        {"load_ns": 2**62}, {"layers": [{"index": -1}]}, {"turns": {"id": "a", "lengths": [1]}},
        {"start_lengths": [2**40]}, {"trace": 5}, {"kernel_ns": "1"},
        {"profiling": {"runs": 2, "used": [2]}},
    ],
)  # fmt: skip
def test_a_damaged_report_is_refused_in_one_sentence_and_a_hint(command, change, tmp_path):
    (path,) = saved(tmp_path, example_report())
    body = msgspec.json.decode(Path(path).read_bytes()) | change
    Path(path).write_bytes(msgspec.json.encode(body))
    told = run_command(*(path if word == "FILE" else word for word in command.split()))
    assert (told.returncode, told.stdout) == (1, "")
    sentence, hint = told.stderr.splitlines()
    name = Path(path).name
    assert sentence.startswith(f"Could not open {name}: it is not a complete report: ")
    assert hint == "Save the report again."
