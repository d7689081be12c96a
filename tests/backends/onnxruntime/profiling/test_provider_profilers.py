from inspector.backends.onnxruntime.profiling.provider_profilers import (
    ProviderCounters,
    inside,
    read,
    read_qnn,
    switched_on,
)
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.report.report import Device
from inspector.report.run_spec import ProviderOption, RunSpec

HEAD = (
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier"
)
RUN = """
0,BACKEND,0,COUNT,BACKEND,ROOT,Number of HVX threads used,
0,BACKEND,{whole},CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles),
0,NODE,40,CYCLES,BACKEND,SUB-EVENT,Input OpId_2 (cycles),
0,NODE,{first},CYCLES,BACKEND,SUB-EVENT,L0:OpId_17 (cycles),L0
0,NODE,60,CYCLES,BACKEND,SUB-EVENT,Transpose:OpId_19 (cycles),Transpose
0,NODE,{second},CYCLES,BACKEND,SUB-EVENT,L1_token_1:OpId_25 (cycles),L1_token_1;L2
0,EXECUTE,90885,US,BACKEND,ROOT,QNN (execute) time,"""
TEXT = (
    f"{HEAD},ONNX Source Ops\n0,FINALIZE,71992,US,BACKEND,ROOT,QNN (finalize) time,"
    + RUN.format(whole=9000, first=7000, second=1900)
    + RUN.format(whole=400, first=200, second=100)
    + RUN.format(whole=500, first=300, second=100)
)
QNN = DeviceHandle(Device("qnn:0", "NPU", "npu", "QNNExecutionProvider"), None)
SPEC = RunSpec(devices=("qnn",))


def test_each_operation_has_the_mean_of_the_predictions_that_count():
    assert read_qnn(TEXT.splitlines(), skipped=1) == (
        ProviderCounters((), 40),
        ProviderCounters(("L0",), 250),
        ProviderCounters(("Transpose",), 60),
        ProviderCounters(("L1_token_1", "L2"), 100),
    )


def test_layers_get_their_part_and_a_fused_one_is_never_split():
    operators = ("Mul", "DequantizeLinear", "Conv")
    told = inside(read_qnn(TEXT.splitlines(), skipped=1), operators)
    assert {layer: (each.amount, each.whole) for layer, each in told.items()} == {
        0: (250, 450),
        2: (100, 450),
    }


def test_without_the_column_of_sources_names_of_operations_count():
    rows = [line.rpartition(",")[0] for line in TEXT.splitlines()[1:] if "NODE" in line]
    found = read_qnn([HEAD, *rows])
    assert ProviderCounters(("L0",), 2500) in found
    assert ProviderCounters((), 40) in found


def test_a_broken_file_tells_nothing():
    assert read_qnn([]) == ()
    assert read_qnn(["x,y", "1", "0,NODE,a,CYCLES"]) == ()


def test_only_a_provider_with_a_profiler_is_asked(tmp_path):
    asked = switched_on(SPEC, [QNN], tmp_path)
    keys = [each.key for each in asked.provider_options]
    assert keys[0] == "profiling_level"
    assert str(tmp_path / "qnn.csv") in [each.value for each in asked.provider_options]
    cpu = devices.resolve(["cpu"])
    assert switched_on(RunSpec(), cpu, tmp_path) == RunSpec()
    mine = RunSpec(
        devices=("qnn",), provider_options=(ProviderOption("profiling_level", "off"),)
    )
    assert switched_on(mine, [QNN], tmp_path) == mine


def test_without_a_file_there_is_nothing(tmp_path):
    assert read(tmp_path, 0) == ()
    (tmp_path / "qnn.csv").write_text(TEXT)
    assert read(tmp_path, 1)[1] == ProviderCounters(("L0",), 250)
