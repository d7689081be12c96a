from inspector.pages.on_devices.machines import ceilings_page
from inspector.report.roofline import Ceiling
from tests.page_text import text


def test_each_device_has_a_row_with_both_limits():
    found = [
        Ceiling("cpu", "float32", 1, 34.1e9, 9.6e9, "2026-01-02T03:04:05+00:00"),
        Ceiling("webgpu:0", "float32", 0, 2e12, 3e11, "2026-01-02T03:04:05+00:00", busy=True),
    ]
    _, _, head, cpu, gpu, *_ = text(ceilings_page(found)).splitlines()
    assert head.split() == [
        "Device",
        "Arithmetic",
        "Type",
        "Memory",
        "Ridge",
        "point",
        "Measured",
    ]
    assert cpu.split()[1:6] == ["34.1", "GFLOP/s", "float32", "9.60", "GB/s"]
    assert gpu.endswith("2026-01-02 03:04, busy")


def test_integers_are_no_floating_point_and_what_is_missing_is_said():
    found = [Ceiling("cpu", "int8", 1, 388e9, 9.6e9, "2026-01-02T03:04:05+00:00")]
    shown = text(ceilings_page(found, ["CPU has no float16."])).splitlines()
    assert shown[3].split()[1:4] == ["388", "GOP/s", "int8"]
    assert shown[-1].endswith("CPU has no float16.")
