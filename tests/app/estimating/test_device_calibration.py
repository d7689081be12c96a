"""The ceilings of a machine become a device that estimates read."""

import pytest

from inspector.analysis.devices import known_devices
from inspector.app.estimating.device_calibration import measure_ceilings, save_device
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, EngineFailed
from inspector.report.roofline import Ceiling


class OtherEngine(Engine):
    """Another machine, whose runtime does not multiply float16."""

    elsewhere = True

    def call(self, request):
        if request.dtype == "float16":
            raise EngineFailed("Could not measure", "it does not support float16")
        return Ceiling("cpu", request.dtype, 0, 4e11, 2e10, "2026-11-30T10:00:00+00:00")


def test_ceilings_of_another_machine_are_a_device_and_overwrite_nothing(tmp_path):
    path = tmp_path / "pi.json"
    ceilings = measure_ceilings(OtherEngine())
    assert [each.dtype for each in ceilings] == ["float32", "int8"]
    save_device(path, "pi", "Cortex-A76", 8 << 30, ceilings)
    (device,) = known_devices.read(path)
    assert device.id == "pi"
    assert device.rates.operations_per_second == {"float32": 4e11, "int8": 4e11}
    assert device.rates.bytes_per_second == 2e10
    assert device.ram_bytes == 8 << 30
    with pytest.raises(BadInput, match="already exists"):
        save_device(path, "pi", "Cortex-A76", 8 << 30, ceilings)
