import re
from dataclasses import replace
from typing import Any

from inspector.analysis.advice.rules import advice
from inspector.cli.render import report_summary
from inspector.report.environment import SystemLoad
from inspector.report.report import LoadPhase
from inspector.report.support_marks import Status
from tests.reports import example_report, predicted_report


def text_of(**changes: Any) -> str:
    return "\n".join(report_summary.lines(example_report(**changes)))


def test_the_longest_layers_come_first_and_shares_add_up() -> None:
    text = text_of()
    times = [float(t) for t in re.findall(r"^ +(\d[\d.]*) µs .*█", text, re.MULTILINE)]
    assert len(times) == report_summary.MOST_LAYERS
    assert times == sorted(times, reverse=True)
    row = r" µs +(\d+\.\d)%  (?:█| +all other layers| +added by the runtime)"
    shares = [float(share) for share in re.findall(row, text)]
    assert abs(sum(shares) - 100) < 0.6


def test_each_device_tells_how_much_ran_there() -> None:
    text = text_of()
    assert re.search(r"^on webgpu:0 +\S+ ms +12 layers, \d+\.\d% of kernel time", text, re.M)
    assert re.search(r"^on cpu +\S+ µs +3 layers, ", text, re.M)


def test_what_the_runtime_put_in_is_counted_by_kind() -> None:
    assert "added by the runtime: 3 copies, 1 layout conversion" in text_of()


def test_notes_come_last() -> None:
    assert text_of(notes=("First.", "Second.")).endswith("note: First.\nnote: Second.")


def test_a_hostile_name_stays_on_its_line() -> None:
    report = example_report()
    odd = replace(report.layers[0], name="a\nb\x1b[31m" + "x" * 500)
    text = "\n".join(report_summary.lines(replace(report, layers=(odd, *report.layers[1:]))))
    assert "\x1b" not in text
    assert all(len(line) < 200 for line in text.splitlines())


def test_nothing_measured_is_no_failure() -> None:
    report = example_report()
    idle = tuple(
        replace(layer, time_ns=None, ran_on=None, status=Status.NOT_REACHED)
        for layer in report.layers
    )
    bare = replace(report, layers=idle, inserted=(), kernel_ns=0, prediction_ns=())
    text = "\n".join(report_summary.lines(bare))
    assert "not reached" in text
    assert re.search(r"^on cpu +unused$", text, re.MULTILINE)


def test_reasons_to_doubt_the_latency_are_told() -> None:
    text = text_of(surroundings=SystemLoad(others=0.4))
    assert "\nnoisy: Other processes used 40% of CPU capacity.\n" in text
    assert "noisy: " not in text_of()


def test_the_longest_phases_of_loading_and_later_loads_are_told() -> None:
    phases = (
        LoadPhase("read", 1_000_000),
        LoadPhase("optimise", 9_000_000),
        LoadPhase("Fusion", 8_000_000, "optimise"),
    )
    text = text_of(load_phases=phases, loads_ns=(30_000_000, 12_000_000, 14_000_000))
    assert "optimise 9.00 ms, read 1.00 ms; later loads 13.0 ms (median of 2)" in text


def test_what_stays_in_memory_is_told_where_it_is_known() -> None:
    held = replace(example_report().memory, closed_bytes=100 << 20, trimmed_bytes=64 << 20)
    text = text_of(memory=held)
    assert re.search(
        r"^after close +100 MiB +process memory \(RSS\) after closing the session, "
        r"64.0 MiB after heap trim$",
        text,
        re.M,
    )
    assert "closed" not in text_of()


def test_parts_and_their_copies_are_told_where_several_devices_ran() -> None:
    text = text_of()
    assert "4 partitions, 3 device transitions, 4.2 KiB copied per run in" in text or (
        "4 partitions, 3 device transitions, 4.16 KiB copied per run in" in text
    )
    assert "blocks.1/squeeze/gate on cpu: 2 copies, 256 B in" in text
    alone = tuple(replace(layer, ran_on="cpu", into=None) for layer in example_report().layers)
    assert "device transition" not in text_of(layers=alone)


def test_predictions_and_free_axes_are_told() -> None:
    text = "\n".join(report_summary.lines(predicted_report()))
    assert re.search(
        r"^cuda +21 +of 22 layers supported, estimated from a table, 1 of 2026", text, re.M
    )
    assert "hint: 1 layer are refused" not in text
    assert "hint: 1 layer is not supported because of dynamic axes" in text


def test_how_sure_the_latency_is_and_what_it_means_are_told() -> None:
    text = "\n".join(report_summary.lines(example_report()))
    assert re.search(
        r"^latency +1.85 ms  median of all 30 runs\n +95% CI 1.8\d ms to 1.8\d ms; "
        r"p95 2.\d+ ms, p99: too few runs, min .*, max .*, std dev ",
        text,
        re.M,
    )
    rate = r"^throughput +\d+  inferences/s, calculated as 1 / mean latency of all runs"
    assert re.search(rate, text, re.M)
    assert "100% of runs took less than 8.33 ms (120 fps)." in text


def test_the_three_findings_with_most_at_stake_point_at_their_layers() -> None:
    report = example_report()
    found = advice(report)
    text = "\n".join(report_summary.lines(report, advised=found))
    assert text.count("suggestion: ") == min(3, len(found))
    assert re.search(r"^suggestion: .*Conv.* \d+%.* \[layers 13, 0, 4, 2, 11, 6\]$", text, re.M)
    assert "suggestion:" not in text_of()
