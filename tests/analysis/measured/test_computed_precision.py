from inspector.analysis.measured.computed_precision import (
    changes,
    main_precision,
    precision_of,
    precision_summary,
)
from inspector.report.report import InsertedNode, LayerUse
from inspector.wording.support_marks import Status
from tests.reports import CPU, example_report


def layer(
    index: int,
    output: str,
    computed_in: str,
    time_ns: int | None = 1000,
    into: int | None = None,
) -> LayerUse:
    status = Status.EXECUTED if into is None else Status.FUSED
    return LayerUse(
        index, f"l{index}", "Conv", status, CPU, time_ns, {}, into, output=output,
        computed_in=computed_in,
    )  # fmt: skip


def test_a_type_that_is_the_models_own_is_no_change():
    assert changes((layer(0, "float32 1×3", "float32"), layer(1, "int64 2", "int64")), ()) == ()


def test_half_precision_that_ran_in_full_is_told_with_its_casts():
    layers = (
        layer(0, "float16 1×3", "float32"),
        layer(1, "float16 1×3", "", None, into=0),
        layer(2, "float16 1×3", "float16"),
    )
    casts = (InsertedNode("c", "Cast", "cast", CPU, 5), InsertedNode("m", "M", "copy", CPU, 5))
    assert changes(layers, casts) == (
        "2 float16 layers ran in float32, as 1 kernel; ONNX Runtime inserted 1 Cast node.",
    )
    assert changes(layers, ()) == ("2 float16 layers ran in float32, as 1 kernel.",)


def test_layers_of_a_quantised_model_ran_quantised():
    layers = (layer(0, "float32 1×3", "uint8"), layer(1, "int8 1×3", "uint8"))
    assert changes(layers, ()) == ("1 float32 layer ran quantized, in uint8.",)


def test_what_no_kernel_tells_is_no_change():
    layers = (layer(0, "float16 1", ""), layer(1, "", "float32"), layer(2, "bool 1", "int64"))
    assert changes(layers, ()) == ()


def test_a_report_is_called_after_the_type_that_took_most_time():
    layers = (
        layer(0, "", "uint8", 700), layer(1, "", "float32", 290), layer(2, "", "int64", 10),
    )  # fmt: skip
    report = example_report(layers=layers)
    assert main_precision(report) == "uint8"
    assert precision_summary(report) == "uint8 70.0%, float32 29.0%"
    assert precision_summary(example_report()) == "unknown"


def test_the_precision_of_a_layer_is_the_type_it_computed_in():
    layers = (
        layer(0, "float16 1×3", "float32"),
        layer(1, "float16 1×3", "", None, into=0),
        layer(2, "float16 1×3", "float16"),
        layer(3, "int64 4", "int64"),
    )
    told = [precision_of(each, layers) for each in layers]
    assert told == ["float16 → float32", "float16 → float32", "float16", "int64"]
