from inspector.backends.onnxruntime.attribution.attribution import Attribution
from inspector.backends.onnxruntime.profiling.report_layers import (
    layers_off_cpu,
    observed_marks,
)
from inspector.report.report import Device, LayerUse
from inspector.wording.support_marks import Mark, Source, Status

GPU = Device("webgpu:0", "Graphics", "gpu", "WebGpuExecutionProvider")
CPU = Device("cpu", "CPU", "cpu", "CPUExecutionProvider")
USES = (
    LayerUse(0, "conv", "Conv", Status.EXECUTED, "webgpu:0", 10),
    LayerUse(1, "add", "Add", Status.FUSED, None, None, into=0),
    LayerUse(2, "relu", "Relu", Status.EXECUTED, "cpu", 10),
    LayerUse(3, "cast", "Cast", Status.FOLDED, None, None),
)
NOTHING = Attribution((), (), ())


def test_a_layer_kept_on_the_cpu_is_excluded_elsewhere_by_configuration():
    marks = observed_marks(USES, NOTHING, (), {}, (GPU, CPU), frozenset({2, 3}))
    away = marks[2]["webgpu:0"]
    assert (away.mark, away.source) == (Mark.EXCLUDED, Source.MEASURED)
    assert "forces the layer to the CPU" in away.reason
    assert marks[2]["cpu"].mark is Mark.RAN
    assert marks[3]["webgpu:0"].mark is Mark.FOLDED
    assert "cpu" not in marks[0]


def test_a_layer_that_strayed_is_told_with_what_it_was_fused_into():
    (note,) = layers_off_cpu(USES, frozenset({1, 2, 3}), "cpu")
    assert note == (
        "'add' should have been forced to the CPU, but ran on WebGPU, fused into 'conv'. Force "
        "that layer to the CPU as well."
    )
    marks = observed_marks(USES, NOTHING, (), {}, (GPU, CPU), frozenset({1}))
    assert marks[1]["webgpu:0"].mark is Mark.FUSED
