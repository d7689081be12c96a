import re
from dataclasses import replace

from inspector.compare.ci_conditions import judged, parse
from inspector.compare.comparison import compare
from inspector.export.pages.comparison_markdown import comparison_summary
from tests.reports import CPU, example_report


def test_verdict_conditions_and_moved_layers_are_told() -> None:
    slow = example_report(2_200_000, seed=11)
    layers = list(slow.layers)
    layers[13] = replace(layers[13], ran_on=CPU, time_ns=900_000)
    reports = (example_report(), replace(slow, layers=tuple(layers)))
    found = compare(reports, ("base.json", "new.json"))
    text = comparison_summary(found, judged([parse("layers.moved>0")], reports, found)).decode()
    assert "- `new.json`: **18.4 % slower (95 % CI" in text
    assert "| `layers.moved>0` | `new.json` | ✗ met | 1 layer |" in text
    assert "- `head/conv` moved to another device: `webgpu:0` → `cpu`" in text
    assert "| latency, median of all runs | 1.85 ms | 2.19 ms (+340 µs, +18.4 %) ▲ |" in text


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
    for pair, word in (((base, slower), "new"), ((slower, base), "gone")):
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
