from pathlib import Path

import pytest

from inspector.cli.commands.export import PLOTS
from inspector.cli.main import run
from inspector.pages.charts.report_plots import PLOTS as DRAWN
from inspector.pages.charts.sweep_plot import PLOTS as SWEPT
from inspector.report import sweep
from inspector.report.report import load, save
from inspector.trace.trace_builder import TraceBuilder
from tests.command_line import errors_of
from tests.reports import example_report
from tests.sweeps import planned, round_of


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "fast.json"
    save(example_report(), path)
    return path


def test_the_command_offers_what_the_room_can_do():
    assert set(PLOTS) == {*DRAWN, *SWEPT, "comparison"}


@pytest.mark.parametrize(
    ("name", "file", "start"),
    [
        ("html", "fast.html", b"<!doctype html>"),
        ("csv", "fast.csv", b"index,name,operator"),
        ("md", "fast.md", b"### `mobile_small.onnx` on"),
        ("json", "fast.report.json", b'{"schema":"report/1"'),
        ("trace", "fast.trace.json", b'{"displayTimeUnit"'),
        ("pdf", "fast.pdf", b"%PDF-"),
        ("png", "fast.png", b"\x89PNG"),
    ],
)
def test_an_export_goes_beside_its_report(report, name, file, start, capsys):
    assert run(["export", str(report), "--format", name]) == 0
    assert report.with_name(file).read_bytes().startswith(start)
    assert f"{file} (" in capsys.readouterr().out


def test_an_export_goes_where_it_is_told(report, tmp_path):
    target = tmp_path / "page.htm"
    assert run(["export", str(report), "--format", "html", "-o", str(target)]) == 0
    assert target.exists()
    assert not report.with_name("fast.html").exists()


def test_a_dash_is_standard_output_and_nothing_else_is_printed(report, capfdbinary):
    assert run(["export", str(report), "--format", "json", "-o", "-"]) == 0
    written = capfdbinary.readouterr().out
    assert written.startswith(report.read_bytes().removesuffix(b"}\n") + b',"derived":{')
    assert written.endswith(b"}}\n")


def test_the_report_itself_is_never_written_over(report):
    assert "would overwrite" in errors_of("export", report, "--format", "html", "-o", report)
    assert load(report).model == example_report().model


@pytest.mark.parametrize(
    ("name", "begin"),
    [("a.pdf", b"%PDF"), ("a.HTML", b"<!doctype"), ("a.operators.csv", b"operator"),
     ("a.csv", b"index")],
)  # fmt: skip
def test_the_suffix_of_the_output_is_the_format(report, name, begin):
    target = report.with_name(name)
    assert run(["export", str(report), "-o", str(target)]) == 0
    assert target.read_bytes().lstrip(b"\xef\xbb\xbf").lower().startswith(begin.lower())


@pytest.mark.parametrize(
    ("output", "why"),
    [((), "give a --format"), (("-o", "-"), "give a --format"),
     (("-o", "a.docx"), "'.docx' is not"),
     (("-o", "a.html", "--format", "pdf"), "Use a name that ends in .pdf")],
)  # fmt: skip
def test_without_a_format_one_is_asked_for(report, output, why):
    assert why in errors_of("export", report, *output, status=2)


def test_an_unknown_format_is_wrong_use(report):
    assert run(["export", str(report), "--format", "docx"]) == 2


def test_plots_and_tables_lie_beside_each_other(report):
    for plot in ("histogram", "timeline"):
        assert run(["export", str(report), "--format", "svg", "--plot", plot]) == 0
        assert report.with_name(f"fast.{plot}.svg").read_bytes().startswith(b"<?xml")
    assert run(["export", str(report), "--format", "csv", "--table", "samples"]) == 0
    assert report.with_name("fast.samples.csv").read_bytes().startswith(b"what,number")


def test_a_report_without_layers_has_no_timeline_to_draw(tmp_path):
    report = tmp_path / "plain.json"
    save(example_report(trace=TraceBuilder().trace(0)), report)
    said = errors_of("export", report, "--format", "svg", "--plot", "timeline")
    assert "this report has no layer times" in said
    assert not report.with_name("plain.timeline.svg").exists()


def test_several_reports_become_one_comparison(report, tmp_path):
    other = tmp_path / "slow.json"
    save(example_report(load_ns=10**9), other)
    for form, start in (
        ("csv", b"kind,name"),
        ("md", b"### `slow.json` compared"),
        ("png", b"\x89PNG"),
    ):
        assert run(["export", str(report), str(other), "--format", form]) == 0
        suffix = f"fast.comparison.{form}"
        assert report.with_name(suffix).read_bytes().startswith(start)


def test_a_sweep_is_exported_under_names_of_its_own_formats(tmp_path):
    path = tmp_path / "threads.json"
    path.write_bytes(sweep.to_json(planned().measured((0, 0), round_of(1e6))))
    assert run(["export", str(path), "--format", "json"]) == 0
    assert run(["export", str(path), "-o", str(tmp_path / "copy.json")]) == 0
    assert run(["export", str(path), "--format", "csv"]) == 0
    names = {each.name for each in tmp_path.iterdir()}
    assert names == {"threads.json", "threads.sweep.json", "copy.json", "threads.csv"}
    for name in ("threads.sweep.json", "copy.json"):
        assert (tmp_path / name).read_bytes() == path.read_bytes()


def test_the_heat_map_of_a_sweep_is_drawn(tmp_path):
    path = tmp_path / "sweep.json"
    path.write_bytes(sweep.to_json(planned().measured((0, 0), round_of(1e6))))
    assert run(["export", str(path), "--format", "svg", "--plot", "heat"]) == 0
    assert b"not measured" in (tmp_path / "sweep.heat.svg").read_bytes()
    assert run(["export", str(path), "-o", str(tmp_path / "sweep.pdf")]) == 0
    assert (tmp_path / "sweep.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--format", "pdf", "--plot", "memory"], "--plot requires the format svg or png"),
        (["--format", "md", "--table", "layers"], "--table requires the format csv"),
        (["--format", "svg", "--plot", "comparison"], "at least two reports"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(report, more, why):
    assert why in errors_of("export", report, *more)


def test_a_model_is_no_report(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(b"\x08\x09")
    why, hint = errors_of("export", path, "--format", "html").splitlines()
    assert why.startswith("Could not open net.onnx: it is not an Inspector report")
    assert hint == "Choose a report that Inspector saved."
