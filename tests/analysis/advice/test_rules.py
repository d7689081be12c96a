from dataclasses import replace
from typing import Any

import pytest

from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.advice.rules import Advice, advice, with_advice
from inspector.analysis.facts.model_facts import facts
from inspector.model.model import Model
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import (
    SYNCHRONIZED,
    InsertedNode,
    LayerUse,
    PerformanceReport,
    Support,
    from_json,
    to_json,
)
from inspector.report.run_spec import RunSpec
from inspector.trace.trace_file import without_spans
from inspector.wording.support_marks import Mark, Rule, Source, Status
from tests.analysis.build import layers, model, value, weight
from tests.reports import example_report


def use(index: int, operator: str, time_ns: int = 1000, **changes: Any) -> LayerUse:
    made = LayerUse(index, f"{operator} {index}", operator, Status.EXECUTED, "cpu", time_ns)
    return replace(made, output="float32 1×4", **changes)


def quiet(
    *uses: LayerUse, inserted: tuple[InsertedNode, ...] = (), **more: Any
) -> PerformanceReport:
    """A report of the CPU of which no rule has anything to say."""
    found = uses or tuple(
        use(i, operator) for i, operator in enumerate(("Conv", "Relu", "Add", "MaxPool"))
    )
    whole = sum(one.time_ns or 0 for one in found) + sum(node.time_ns for node in inserted)
    report = example_report(layers=found, inserted=inserted, kernel_ns=whole, spec=RunSpec())
    return replace(report, **more)


def put_in(kind: str, time_ns: int) -> InsertedNode:
    return InsertedNode("n", "Cast", kind, "cpu", time_ns, 64, 0, 1)


def of_rule(rule: str, report: PerformanceReport, net: Model | None = None) -> Advice | None:
    found = advice(report, net, facts(net) if net else None)
    return next((one for one in found if one.rule == rule), None)


def seen(rule: str, report: PerformanceReport, net: Model | None = None) -> Advice:
    found = of_rule(rule, report, net)
    assert found.gain
    assert found.check
    return found


def plain() -> Model:
    return model(layers(("Conv", "x w", "a"), ("Relu", "a", "b"), ("Add", "b b", "y")))


def test_a_measurement_without_fault_gets_no_advice():
    assert advice(quiet(), plain(), facts(plain())) == ()


def test_a_low_level_of_optimisation_comes_first():
    low = example_report(spec=RunSpec(optimization="basic"))
    first = advice(low)[0]
    assert (first.rule, first.settings) == ("optimization-level", ("optimization",))
    assert of_rule("optimization-level", quiet()) is None


def test_more_threads_than_cores_are_told():
    assert seen("threads", quiet(spec=RunSpec(threads=9))).settings == ("threads",)
    assert of_rule("threads", quiet(spec=RunSpec(threads=8))) is None


def test_a_fallback_in_the_middle_points_at_its_layer_and_copies():
    found = seen("fallback", example_report())
    assert found.layers == (9,)
    assert "no kernel for HardSigmoid" in found.sentence
    assert of_rule("fallback", quiet()) is None


def test_layers_kept_on_the_cpu_on_purpose_are_not_to_be_replaced():
    report = example_report()
    kept = replace(report, spec=replace(report.spec, on_cpu=("Softmax",)))
    away = {"webgpu:0": Support(Mark.EXCLUDED, Source.MEASURED, "Kept.")}
    layers = tuple(replace(layer, devices=away) for layer in kept.layers)
    found = seen("fallback", replace(kept, layers=layers))
    assert "Try it: leave them out of --on-cpu" in found.check


def test_transposes_and_conversions_of_the_runtime_are_questions():
    uses = (use(0, "Transpose", 300), use(1, "Conv", 900), use(2, "Relu", 900))
    report = quiet(*uses, inserted=(put_in("layout", 900),))
    found = seen("layout-changes", report)
    assert found.layers == (0,)
    assert found.share == pytest.approx(0.1)
    assert found.gain.startswith("It takes 300 ns (10.0% of kernel time).")
    assert found.check.startswith("Is it faster without them? Try it: ")
    assert "`inspector measure changed.onnx --against mobile_small.onnx`" in found.check
    assert of_rule("layout-changes", quiet(use(0, "Transpose", 10), *uses[1:])) is None
    plain = replace(report, spec=RunSpec(), devices=report.devices[:1])
    added = seen("added-layout-conversions", plain)
    assert added.share == pytest.approx(0.3)
    assert "saving" not in f"{added.sentence} {added.gain}".lower(), "nobody has tried it"
    assert added.check.startswith("Is it faster without them? Try it: ")
    extended = replace(plain, spec=RunSpec(optimization="extended"))
    fixed = seen("fixed-layout-conversions", extended)
    assert "--optimization" not in fixed.check


def halves(computed_in: str, count: int = 3) -> list[LayerUse]:
    kinds = ("Conv", "Relu", "Add")
    uses = [use(i, kinds[i % 3]) for i in range(count)]
    return [replace(one, output="float16 1×4", computed_in=computed_in) for one in uses]


def test_that_a_float16_model_runs_in_float32_is_the_first_finding():
    whole = [*halves("float32", 2), replace(use(2, "Reshape"), output="float16 4")]
    casts = (put_in("cast", 9), put_in("cast", 9))
    low = quiet(*whole, inserted=casts, spec=RunSpec(optimization="basic"))
    first, second = advice(low)[:2]
    assert first.rule == "float16-on-cpu"
    assert first.sentence == (
        "This float16 model runs in float32: the CPU has no float16 kernels, so 2 of 3 layers "
        "are converted."
    )
    assert first.gain.startswith("ONNX Runtime inserted 2 Cast nodes, which take 18.0 ns (")
    assert sorted(first.layers) == [0, 1]
    assert second.rule == "optimization-level"  # with more time at stake, and yet behind


def test_a_float16_model_that_runs_in_float16_is_not_said_to_be_converted():
    casts = (put_in("cast", 900),)
    assert of_rule("float16-on-cpu", quiet(*halves("float16"), inserted=casts)) is None
    assert of_rule("float16-on-cpu", quiet(inserted=casts)) is None
    mostly = [replace(one, output="float32 1×4") for one in halves("float32", 4)]
    mostly[0] = replace(mostly[0], output="float16 1×4")
    assert of_rule("float16-on-cpu", quiet(*mostly)) is None


def test_an_operator_that_dominates_says_what_it_could_save():
    uses = (use(0, "Conv", 2000), use(1, "Conv", 6000), use(2, "Relu", 2000))
    found = seen("dominant-operator", quiet(*uses))
    assert found.layers == (1, 0)
    assert found.sentence == "Speed up 2 Conv layers first."
    assert found.sentence not in bottleneck(quiet(*uses)).sentence
    assert "by 40%" in found.gain
    assert of_rule("dominant-operator", quiet()) is None


def test_free_axes_that_a_device_refuses_are_told():
    no = Support(Mark.UNSUPPORTED, Source.TABLE, "It needs fixed shapes.", Rule.DYNAMIC_SHAPE)
    uses = [replace(one, devices={"cuda": no}) for one in quiet().layers]
    assert seen("free-axes", quiet(*uses)).settings == ("dimensions",)
    kind = replace(no, rule=Rule.OPERATOR)
    other = [replace(one, devices={"cuda": kind}) for one in quiet().layers]
    assert of_rule("free-axes", quiet(*other)) is None


def test_layers_that_no_output_needs_are_told():
    assert seen("dead-layers", example_report()).layers == (21,)
    assert of_rule("dead-layers", quiet()) is None


def test_initializers_that_a_caller_may_override_are_told():
    net = replace(plain(), ir_version=3, defaults=(value("w"),))
    found = seen("initializers-as-inputs", quiet(), net)
    assert found.layers == (0,)
    assert found.sentence.startswith("1 weight is also a graph input, which")
    assert of_rule("initializers-as-inputs", quiet(), plain()) is None


def test_float32_edges_of_a_float16_model_are_told():
    nodes = layers(("Cast", "x", "a"), ("Conv", "a w", "b"), ("Cast", "b", "y"))
    uses = [use(i, kind) for i, kind in enumerate(("Cast", "Conv", "Cast"))]
    half = [replace(one, output="float16 1×4") for one in uses[:2]]
    assert seen("float32-edges", quiet(*half, uses[2]), model(nodes)).layers == (0, 2)
    assert of_rule("float32-edges", quiet(*uses), model(nodes)) is None


@pytest.mark.parametrize(
    ("operators", "opset", "told"),
    [
        ("Erf Add Mul", 17, "Gelu"),
        ("Erf Add Mul", 20, ""),
        ("Erf Exp Add Mul", 17, ""),
        ("ReduceMean Sub Pow ReduceMean Add Sqrt Div", 13, "LayerNormalization"),
        ("ReduceMean Sub Pow ReduceMean Add Sqrt Div", 17, ""),
        ("ReduceMean Add Mul", 13, ""),
    ],
)
def test_parts_of_an_operator_of_a_later_opset_are_told(operators, opset, told):
    kinds = operators.split()
    report = quiet(*(use(i, kind) for i, kind in enumerate(kinds)))
    chain = ((kind, f"v{i}", f"v{i + 1}") for i, kind in enumerate(kinds))
    net = model(layers(*chain), opset=opset)
    found = of_rule("old-opset", report, net)
    assert (told in found.sentence) if found and told else (found is None and not told)


def test_weights_in_float32_say_what_int8_would_save():
    big = replace(plain(), weights=(weight("w", "float32", 1 << 20, 4 << 20),))
    assert "3.00 MiB less" in seen("quantisation", quiet(), big).gain
    int8 = weight("q", "int8", 8 << 20, 8 << 20)
    assert of_rule("quantisation", quiet(), replace(big, weights=(*big.weights, int8))) is None


def test_most_time_at_stake_comes_first():
    shares = [one.share for one in advice(example_report())]
    assert shares == sorted(shares, reverse=True)


def test_a_report_carries_to_others_what_its_model_says():
    big = replace(plain(), weights=(weight("w", "float32", 1 << 20, 4 << 20),))
    whole = advice(quiet(), big, facts(big))
    saved = replace(quiet(), trace=without_spans(quiet().trace))  # spans of other layers
    away = from_json(to_json(with_advice(saved, big, facts(big))), "r.json")
    assert "quantisation" in [one.rule for one in whole]
    assert advice(away) == whole
    assert advice(quiet()) == ()


def test_findings_of_a_file_point_at_its_own_layers_and_are_short():
    odd = Advice("x", "y" * 5000, "", "", layers=(0, 99), share=7.0)
    (shown,) = advice(replace(quiet(), advised=(odd,)))
    assert (shown.layers, shown.share, len(shown.sentence)) == ((0,), 1.0, 1000)


NOISY = TimeSpread(100, 9000, 900, 1100, 20, 5)
UNSURE = TimeSpread(100, 10**9, 100, 10**9, 20, 0)


def with_spread(report: PerformanceReport, spread: TimeSpread) -> PerformanceReport:
    return replace(
        report,
        layers=tuple(replace(x, spread=spread if x.time_ns else None) for x in report.layers),
        inserted=tuple(replace(node, spread=spread) for node in report.inserted),
    )


def refused_for_free_axes() -> PerformanceReport:
    no = Support(Mark.UNSUPPORTED, Source.TABLE, "It needs fixed shapes.", Rule.DYNAMIC_SHAPE)
    return quiet(*(replace(one, devices={"cuda": no}) for one in quiet().layers))


@pytest.mark.parametrize("spread", [NOISY, UNSURE], ids=["noisy", "not ranked"])
@pytest.mark.parametrize(
    ("rule", "report"),
    [
        ("fallback", example_report(profiling=Profiling(20))),
        ("free-axes", refused_for_free_axes()),
    ],
)
def test_a_finding_states_no_time_of_noisy_layers(rule, report, spread):
    sure = seen(rule, report)
    assert "of kernel time" in sure.gain
    assert sure.share > 0
    doubtful = seen(rule, with_spread(report, spread))
    assert "an unknown time (too noisy)" in doubtful.gain
    assert "of kernel time" not in doubtful.gain
    assert doubtful.share == 0


@pytest.mark.parametrize("spread", [NOISY, UNSURE], ids=["noisy", "not ranked"])
def test_a_finding_that_is_only_a_share_is_withheld_from_noisy_layers(spread):
    report = quiet(use(0, "Transpose", 80_000), use(1, "Relu", 20_000))
    assert of_rule("layout-changes", report) is not None
    assert of_rule("layout-changes", with_spread(report, spread)) is None


@pytest.mark.parametrize("spread", [None, NOISY, UNSURE], ids=["quiet", "noisy", "not ranked"])
def test_there_is_advice_on_the_layers_that_the_bottleneck_names(spread):
    report = quiet(use(0, "FusedConv", 80_000), use(1, "Relu", 20_000))
    report = report if spread is None else with_spread(report, spread)
    advice, named = of_rule("dominant-operator", report), bottleneck(report).layers
    assert (() if advice is None else advice.layers) == named
    quantized = replace(report.layers[0], computed_in="int8")
    report = replace(report, layers=(quantized, *report.layers[1:]))
    if named:
        assert "in int8 already" in str(of_rule("dominant-operator", report).check)


def test_times_of_layers_that_were_timed_one_by_one_are_not_advised_from():
    report = replace(refused_for_free_axes(), layer_timing={"cpu": SYNCHRONIZED})
    found = seen("free-axes", report)
    assert "layers were timed one at a time" in found.gain
    assert found.share == 0
    one = quiet(use(0, "Conv", 80_000), use(1, "Relu", 20_000))
    assert of_rule("dominant-operator", one) is not None
    slow = replace(one, layer_timing={"cpu": SYNCHRONIZED})
    assert of_rule("dominant-operator", slow) is None
