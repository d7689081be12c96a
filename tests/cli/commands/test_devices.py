import msgspec
import pytest

from inspector.cli.commands.devices import absent_lines, lines
from inspector.report.report import Device
from tests import command_line

CPU = Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider", "AMD", "onnxruntime 1.31.1")
GPU = Device(
    "webgpu:0", "NVIDIA GPU (WebGPU)", "gpu", "WebGpuExecutionProvider", "NVIDIA", "x 1"
)
BROKEN = Device("qnn", "QNN", "npu", "QNNExecutionProvider", "", "y 2", "no chip", "Get one.")


def test_devices_stand_in_columns_with_where_they_come_from():
    assert list(lines([CPU, GPU])) == [
        "ID        DEVICE               KIND  PACKAGE",
        "cpu       Some CPU             CPU   onnxruntime 1.31.1",
        "webgpu:0  NVIDIA GPU (WebGPU)  GPU   x 1",
    ]


def test_what_cannot_be_used_follows_with_reason_and_hint():
    assert list(lines([BROKEN, CPU]))[2:] == [
        "",
        "Not available:",
        "qnn  QNN       NPU   y 2",
        "     no chip",
        "     Get one.",
    ]


@pytest.mark.engine
def test_json_is_one_object_with_the_cpu_in_it():
    done = command_line.run("devices", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = msgspec.json.decode(done.stdout)
    assert found["schema"] == "devices/1"
    cpu = found["devices"][0]
    assert (cpu["id"], cpu["kind"], cpu["problem"]) == ("cpu", "cpu", "")
    assert cpu["source"].startswith("onnxruntime ")


def test_devices_that_a_package_would_add_follow_with_its_command():
    absent = Device(
        "cuda", "CUDA", "gpu", "", "NVIDIA", "", "not installed; T4", "pip install x"
    )
    assert list(absent_lines([absent])) == [
        "",
        "Not installed:",
        "cuda  CUDA  pip install x",
        "      T4",
    ]
    assert list(absent_lines([])) == []
