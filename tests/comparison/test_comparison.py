from dataclasses import replace
from typing import Any

import pytest

from inspector.comparison.ci_conditions import Outcome, judged, parse
from inspector.comparison.comparison import AlignedLayer, Comparison, Metric, compare
from inspector.errors import BadInput
from inspector.report.environment import SystemLoad
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.significance import Verdict
from inspector.wording.support_marks import Status
from tests.reports import CPU, GPU, example_report


def layer(index: int, name: str, operator: str = "Conv", **changes: Any) -> LayerUse:
    use = LayerUse(index, name, operator, Status.EXECUTED, CPU, 1000 * (index + 1))
    return replace(use, **changes)


def other_model(*layers: LayerUse) -> PerformanceReport:
    report = example_report()
    return replace(report, model=replace(report.model, sha256="ab" * 32), layers=layers)


def on_machine(**changes: Any) -> PerformanceReport:
    report = example_report()
    return replace(report, environment=replace(report.environment, **changes))


def metric(comparison: Comparison, name: str) -> Metric:
    return next(found for found in comparison.metrics if found.name == name)


def aligned(comparison: Comparison, name: str) -> AlignedLayer:
    return next(found for found in comparison.layers if found.name == name)


def test_one_report_is_no_comparison():
    with pytest.raises(BadInput, match="two reports"):
        compare([example_report()])


def test_what_is_set_alike_is_told_from_what_differs():
    slow = example_report(spec=replace(example_report().spec, threads=4, devices=(CPU,)))
    found = compare([example_report(), slow])
    differing = {p.name: p.values for p in found.properties if not p.equal}
    assert differing == {"Threads": ("default", "4"), "Devices": ("WebGPU + CPU", "CPU")}
    assert not found.warnings


def test_metrics_are_held_against_the_first_report():
    one = example_report(prediction_ns=(100, 200, 300), load_ns=50)
    two = example_report(prediction_ns=(200, 400, 600), load_ns=25)
    found = compare([one, two, one])
    middle = metric(found, "prediction, p50")
    assert middle.values == (200, 400, 200)
    assert [middle.delta(i) for i in range(3)] == [0, 200, 0]
    assert middle.ratio(1) == 2
    assert metric(found, "load").ratio(1) == 0.5
    assert metric(found, "prediction, mean").values == (200, 400, 200)


def test_a_report_without_predictions_has_no_median_and_no_verdict():
    found = compare([example_report(), example_report(prediction_ns=())])
    middle = metric(found, "prediction, p50")
    assert (middle.values[1], middle.delta(1), middle.ratio(1)) == (None, None, None)
    assert found.judgements[1].verdict is Verdict.UNDECIDED


def test_the_same_samples_are_no_difference():
    found = compare([example_report(), example_report(), example_report(2_260_000)])
    verdicts = [judgement.verdict for judgement in found.judgements]
    assert verdicts == [Verdict.SAME, Verdict.SAME, Verdict.SLOWER]


def test_layers_of_the_same_model_are_aligned_by_index_whatever_their_names():
    one = example_report(layers=(layer(0, "a"), layer(1, "a"), layer(2, "")))
    two = example_report(layers=(layer(0, "x"), layer(1, "a", time_ns=500)))
    found = compare([one, two])
    assert not found.by_name
    assert [cells.name for cells in found.layers] == ["a", "a", "Conv 2"]
    assert [cells.delta_ns(1) for cells in found.layers] == [0, -1500, None]
    assert found.layers[2].cells[1] is None


def test_layers_of_different_models_are_aligned_and_new_ones_stand_by_their_neighbors():
    one = other_model(layer(0, "a"), layer(1, "b"), layer(2, "", "Cast"), layer(3, "a"))
    two = example_report(
        layers=(
            layer(0, "b"),
            layer(1, "new"),
            layer(2, "a"),
            layer(3, "a"),
            layer(4, "", "Cast"),
        )
    )
    found = compare([one, two])
    pairs = [
        tuple(cell.index if cell is not None else None for cell in cells.cells)
        for cells in found.layers
    ]
    assert found.by_name
    assert pairs == [(0, 2), (1, 0), (None, 1), (2, 4), (3, 3)]


@pytest.mark.parametrize(
    ("alike", "parameters", "sentence"),
    [
        (2, 2000, "a and b are different networks: only 20% of their layers match."),
        (3, 2000, ""),
        (10, 2000, ""),
        (0, 1021, "a and b are different networks: only 0% of their layers match."),
        (0, 1020, ""),  # one model, exported with other names
        (0, 980, ""),
    ],
)
def test_networks_with_few_layers_in_common_and_other_parameters_are_different(
    alike, parameters, sentence
):
    def named(stem: str, parameters: int) -> PerformanceReport:
        names = [f"{'both' if i < alike else stem}/part{chr(97 + i)}" for i in range(10)]
        report = other_model(*(layer(i, name) for i, name in enumerate(names)))
        sha256, file = stem[0] * 64, f"{stem}.onnx"
        changed = replace(report.model, sha256=sha256, name=file, parameters=parameters)
        return replace(report, model=changed)

    found = compare([named("one", 1000), named("two", parameters)], ["a", "b"])
    assert found.different_networks[0] == ""
    assert found.different_networks[1].startswith(sentence)
    assert bool(found.different_networks[1]) is bool(sentence)


def test_a_layer_that_changed_its_device_has_moved():
    one = example_report(layers=(layer(0, "a"), layer(1, "b")))
    two = example_report(layers=(layer(0, "a", ran_on=GPU), layer(1, "b", ran_on=None)))
    found = compare([one, two])
    assert aligned(found, "a").moved
    assert not aligned(found, "b").moved


def test_a_cell_says_how_many_layers_share_its_time():
    fused = layer(1, "relu", "Relu", status=Status.FUSED, time_ns=None, into=0)
    one = example_report(layers=(layer(0, "conv"), layer(1, "relu", "Relu")))
    two = example_report(layers=(layer(0, "conv"), fused))
    conv, relu = compare([one, two]).layers
    assert [cell.holds for cell in conv.cells if cell] == [1, 2]
    assert relu.cells[1].into == 0
    assert relu.delta_ns(1) is None


@pytest.mark.parametrize(
    ("other", "warning"),
    [
        (on_machine(cpu="X"), "different machines"),
        (on_machine(packages=()), "versions of the runtime"),
        (other_model(), "models differ"),
        (example_report(spec=RunSpec(inputs=())), "Inputs or sizes"),
        (example_report(complete=False), "B is incomplete"),
    ],
)
def test_what_makes_times_incomparable_is_said(other, warning):
    assert any(warning in text for text in compare([example_report(), other]).warnings)


def test_names_are_letters_unless_given():
    reports = [example_report(), example_report()]
    assert compare(reports).names == ("A", "B")
    assert compare(reports, ("before", "after")).names == ("before", "after")


def computed(kind: str) -> PerformanceReport:
    report = example_report()
    layers = tuple(
        replace(use, computed_in=kind) if use.time_ns else use for use in report.layers
    )
    return replace(report, layers=layers)


def test_reports_of_different_precision_are_not_compared_without_a_mark():
    (warning,) = compare([computed("float32"), computed("float16")]).warnings
    assert warning == (
        "The models ran at different precisions (A in float32, B in float16); the faster one "
        "may be less accurate."
    )
    assert not compare([computed("float32"), computed("float32")]).warnings
    assert not compare([computed("float32"), example_report()]).warnings


def test_a_disturbed_report_is_named_with_its_reasons():
    busy = example_report(surroundings=SystemLoad(others=0.5))
    assert compare([example_report(), busy]).warnings == (
        "B is noisy: Other programs used 50% of the CPU.",
    )


def measured(step_ns, first_ns=200_000_000, context=512, repetitions=6):
    """Return a report whose steps and prompts scatter by 2%."""
    scatter = [0.98, 1.0, 1.02, 0.99, 1.01, 1.0]
    steps = tuple(tuple(round(step_ns * x) for x in scatter * 3) for _ in range(repetitions))
    prompts = tuple(round(first_ns * x) for x in scatter[:repetitions])
    rows = (
        SpeedRow(128, 128, 1, prompts, (0,) * repetitions),
        SpeedRow(0, context, step_ns=steps),
    )
    flat = tuple(ns for each in steps for ns in each)
    generation = GenerationSpeed(rows)
    return example_report(prediction_ns=flat, generation=generation)


def outcome(text, *reports):
    reports = reports if len(reports) > 1 else reports * 2
    names = tuple("ab")
    (found,) = judged([parse(text)], reports, compare(reports, names))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("generation.tokens_per_second<20", Outcome.FAILS),
        ("generation.tokens_per_second<200 tokens/s", Outcome.HOLDS),
        ("generation.tokens_per_second<100", Outcome.UNDECIDED),
        ("generation.first_token>100ms", Outcome.HOLDS),
        ("generation.first_token>300ms", Outcome.FAILS),
    ],
)
def test_limits_of_one_report(text, expected):
    assert outcome(text.replace(" ", ""), measured(10_000_000)).outcome is expected


def test_a_slower_model_has_fewer_tokens_per_second():
    pair = measured(10_000_000), measured(20_000_000, first_ns=400_000_000)
    found = outcome("generation.tokens_per_second<-20%", *pair)
    assert found.outcome is Outcome.HOLDS
    assert found.plain.startswith("-50")
    assert outcome("generation.first_token>+50%", *pair).outcome is Outcome.HOLDS
    assert outcome("generation.tokens_per_second<-20%", *pair[::-1]).outcome is Outcome.FAILS


def test_what_cannot_be_decided_says_why():
    assert "--new-tokens" in outcome("generation.first_token>1ms", example_report()).text
    few = measured(10_000_000, repetitions=2)
    assert "--runs 6" in outcome("generation.first_token>1ms", few).text
    pair = measured(10_000_000), measured(10_000_000, context=2048)
    found = outcome("generation.tokens_per_second<-20%", *pair)
    assert found.outcome is Outcome.UNDECIDED
    assert "512 and 2048" in found.text


def test_a_comparison_has_each_prompt_and_context_that_both_have():
    pair = measured(10_000_000), measured(20_000_000, first_ns=100_000_000)
    metrics = {metric.title: metric for metric in compare(pair, ("a", "b")).metrics}
    first = metrics["first token, prompt 128"]
    assert first.judgements[1].verdict is Verdict.FASTER
    steps = metrics["time per token, context 512"]
    assert steps.judgements[1].verdict is Verdict.SLOWER
    assert steps.ratio(1) == pytest.approx(2)
    other = compare((pair[0], measured(10_000_000, context=9)), ("a", "b"))
    assert not [each for each in other.metrics if each.title.startswith("time per token")]
    mixed = compare((pair[0], example_report()), ("a", "b"))
    assert not [each for each in mixed.metrics if each.title.startswith("first token")]
