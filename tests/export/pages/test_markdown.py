import re
from dataclasses import replace

from inspector.export.pages.markdown import comparison_summary

from inspector.comparison.ci_conditions import judged, parse
from inspector.comparison.comparison import compare
from inspector.export.registry import export
from inspector.report.environment import SystemLoad
from inspector.report.report import LayerUse, LoadPhase, PerformanceReport, Support
from inspector.report.support_marks import Mark, Source, Status
from tests.reports import CPU, example_report


def text(report: PerformanceReport) -> str:
    return export(report, "md").decode()


def rows(body: str) -> list[list[str]]:
    lines = [line for line in body.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def named(name: str) -> PerformanceReport:
    return example_report(layers=(LayerUse(0, name, "Conv", Status.EXECUTED, CPU, 5000),))


def test_the_summary_has_the_numbers_that_a_reviewer_asks_for() -> None:
    found = dict(row for row in rows(text(example_report())) if len(row) == 2)
    assert found["Latency, median of all runs"] == "**1.85 ms** (95% CI 1.82 ms to 1.87 ms)"
    assert found["Latency, p95 of all runs"].endswith(" ms")
    assert found["Peak model memory"] == "94.2 MiB"
    assert found["Peak process memory"] == "155 MiB"
    assert found["Ran on `Example Graphics 7`"].startswith("12 layers, 8")
    assert found["Added by the runtime"].startswith("4 nodes")


def test_the_slowest_layers_come_first_and_the_rest_is_counted() -> None:
    body = text(example_report())
    slow = [row for row in rows(body) if len(row) == 7][1:]
    assert slow[0][:3] == ["13", "`head/conv`", "`Conv`"]
    assert len(slow) == 10
    assert "10 slowest of 15 timed layers" in body


def test_every_row_of_a_table_has_the_columns_of_its_head() -> None:
    for line in text(named("a|b`c``|d\\|e")).splitlines():
        if line.startswith("| 0"):
            assert len(re.split(r"(?<!\\)\|", line)) == 9


def test_nothing_in_a_name_acts_on_the_page() -> None:
    body = text(named("<img src=x> @everyone `tick` #1 \u202e\n# title"))
    line = next(line for line in body.splitlines() if line.startswith("| 0"))
    assert "``<img src=x> @everyone `tick` #1 \\u202e\\u000a# title``" in line


def test_an_unfinished_measurement_is_said_in_bold_and_notes_are_listed() -> None:
    body = text(example_report(complete=False, notes=("Stopped by the user.",)))
    assert "**The measurement ended early.**" in body
    assert "- `Stopped by the user.`" in body


def test_without_predictions_there_is_no_made_up_median() -> None:
    body = text(replace(example_report(), prediction_ns=()))
    assert "Prediction, median" not in body


def test_reasons_to_doubt_the_latency_stand_below_the_numbers() -> None:
    body = text(replace(example_report(), surroundings=SystemLoad(stolen=0.25)))
    assert "\n**Noisy:** The host took 25% of this virtual machine's CPU time.\n" in body
    assert "Noisy" not in text(example_report())


def test_load_and_memory_are_told_by_phase() -> None:
    phases = (LoadPhase("read and parse", 3_000_000), LoadPhase("Fusion", 1_000_000, "read"))
    found = rows(text(replace(example_report(), load_phases=phases)))
    assert ["`read and parse`", "3.00 ms"] in found
    assert ["of which `Fusion`", "1.00 ms"] in found
    phases = (LoadPhase("read and parse", 3_000_000, "", 2 << 20), *phases[1:])
    found = rows(text(replace(example_report(), load_phases=phases)))
    assert ["`read and parse`", "3.00 ms", "+2.00 MiB"] in found
    assert ["of which `Fusion`", "1.00 ms", ""] in found
    assert ["before loading", "61.0 MiB", ""] in found


def test_advice_is_told_and_no_sign_of_a_file_acts_in_it() -> None:
    report = example_report()
    hostile = "<b>@you*_|`[x](http://y)"
    layers = tuple(
        replace(layer, operator=hostile if layer.operator == "Conv" else layer.operator)
        for layer in report.layers
    )
    body = text(replace(report, layers=layers))
    advised = body.partition("**Suggestions**")[2].partition("| # |")[0]
    assert "\\<b\\>@\u200byou\\*\\_\\|\\`\\[x\\](http:\u200b//y)" in advised
    assert "Layers 13, 0, 4" in advised


def test_marks_and_their_reasons_are_told_in_words() -> None:
    report = example_report()
    first, second, *rest = report.layers
    device = report.devices[0].id
    put = {
        Mark.EXCLUDED: "This measurement did not ask for it.",
        Mark.FAILED: "It took it, and then failed: boom | <b>.",
    }
    changed = [
        replace(layer, devices={device: Support(mark, Source.PROBED, why)})
        for layer, (mark, why) in zip((first, second), put.items(), strict=True)
    ]
    found = rows(text(replace(report, layers=(*changed, *rest))))
    told = [(row[1], row[2]) for row in found if len(row) == 4]
    assert ("Excluded by this configuration", "`This measurement did not ask for it.`") in told
    assert any(mark == "Accepted, then failed" and "boom" in why for mark, why in told)


def test_verdict_conditions_and_moved_layers_are_told() -> None:
    slow = example_report(2_200_000, seed=11)
    layers = list(slow.layers)
    layers[13] = replace(layers[13], ran_on=CPU, time_ns=900_000)
    reports = (example_report(), replace(slow, layers=tuple(layers)))
    found = compare(reports, ("base.json", "new.json"))
    text = comparison_summary(found, judged([parse("layers.moved>0")], reports, found)).decode()
    assert "- `new.json`: **18.4% slower (95% CI" in text
    assert "| `layers.moved>0` | `new.json` | ✗ FAIL | 1 layer |" in text
    assert "- `head/conv` ran on a different device: `webgpu:0` → `cpu`" in text
    assert "| latency, median of all runs | 1.85 ms | 2.19 ms (+340 µs, +18.4%) ▲ |" in text


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    reports = tuple(example_report(seed=seed) for seed in (1, 2, 3))
    hostile = replace(reports[1].layers[0], name="a|b`c\n<img>")
    reports = (reports[0], replace(reports[1], layers=(hostile,)), reports[2])
    text = comparison_summary(compare(reports, ("a", "b|c", "d"))).decode()
    wide = 0
    for line in text.splitlines():
        cells = line.replace("\\|", "").count("|")
        assert not cells or not wide or cells == wide, line
        wide = cells
    assert "<img>" not in text.replace("<img>`", "")


def test_layers_that_are_new_or_gone_say_what_they_take() -> None:
    base = example_report()
    last = base.layers[-1]
    more = replace(last, index=last.index + 1, name="added", operator="Erf", time_ns=250_000)
    slower = replace(base, layers=(*base.layers, more))
    for pair, word in (((base, slower), "added"), ((slower, base), "removed")):
        text = comparison_summary(compare(pair, ("a.json", "b.json"))).decode()
        assert f"- `b.json`: 1 layer {word} (1 × `Erf`), 250 µs" in text


def test_less_has_a_real_minus_wherever_it_is_read() -> None:
    reports = (example_report(2_200_000, seed=11), example_report())
    found = compare(reports, ("old", "new"))
    (finding,) = judged([parse("prediction.p50>+5%")], reports, found)
    text = comparison_summary(found, [finding]).decode()
    assert "| −15." in text
    assert not re.search(r"-\d", text.partition("Set differently")[0])
    assert finding.plain.startswith("-15.")
