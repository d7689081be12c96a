import msgspec
import pytest

from inspector.pages.on_devices.devices import devices_page
from inspector.report.report import Device
from inspector.wording.values import ENGLISH, Code
from tests import command_line

CPU = Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider", "AMD", "onnxruntime 1.31.1")
GPU = Device(
    "webgpu:0", "NVIDIA GPU (WebGPU)", "gpu", "WebGpuExecutionProvider", "NVIDIA", "x 1"
)
BROKEN = Device("qnn", "QNN", "npu", "QNNExecutionProvider", "", "y 2", "no chip", "Get one.")


def test_what_cannot_be_used_or_is_not_installed_follows_with_what_helps():
    absent = Device(
        "cuda", "CUDA", "gpu", "", "NVIDIA", "", "not installed; T4", "pip install x"
    )
    page = devices_page([BROKEN, CPU, GPU], [absent])
    by_id = {section.id: section.blocks for section in page.sections}
    (usable,), (unusable,), (missing,) = by_id["devices"], by_id["unusable"], by_id["absent"]
    assert [row.cells[0] for row in usable.rows] == [Code("cpu"), Code("webgpu:0")]
    assert ENGLISH.text(unusable.rows[0].details) == "no chip. Get one."
    assert missing.rows[0].cells[-1] == Code("pip install x")
    assert ENGLISH.text(missing.rows[0].details) == "T4"
    assert not by_id["machines"]


@pytest.mark.engine
def test_json_is_one_object_with_the_cpu_in_it():
    done = command_line.run("devices", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = msgspec.json.decode(done.stdout)
    assert found["schema"] == "devices/1"
    cpu = found["devices"][0]
    assert (cpu["id"], cpu["kind"], cpu["problem"]) == ("cpu", "cpu", "")
    assert cpu["source"].startswith("onnxruntime ")
