"""Devices that a package would add, and graphics cards that are there without one."""

import re
from contextlib import nullcontext

import pytest

from inspector.backends.hardware import cards, graphics_cards, of_registry
from inspector.backends.onnxruntime.sessions.installable import absent, installing
from inspector.report.report_values import Device, Hardware

CPU = Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider")
WEBGPU = Device("webgpu:0", "Some GPU", "gpu", "WebGpuExecutionProvider")


_ENGINE = "inspector engines --install [a-z]+$"  # for what would replace the runtime


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux", "x86_64", ["webgpu", "cuda", "openvino", "migraphx"]),
        ("win32", "AMD64", ["webgpu", "cuda", "directml", "openvino"]),
        ("win32", "ARM64", ["webgpu", "qnn"]),
        ("darwin", "arm64", ["webgpu"]),
        ("linux", "riscv64", []),
    ],
)
def test_each_system_is_offered_the_packages_that_exist_for_it(system, machine, expected):
    devices = absent([CPU], system, machine, ())
    assert [device.id for device in devices] == expected
    hints = [device.hint.replace('"', "") for device in devices]
    assert all(
        re.search(f"pip install (onnxruntime-|onnx-inspector)|{_ENGINE}", hint)
        for hint in hints
    )


@pytest.mark.parametrize(
    ("device", "system", "command"),
    [
        ("cuda:0", "linux", "inspector engines --install cuda"),
        ("tensorrt", "win32", "inspector engines --install cuda"),
        ("webgpu", "linux", "pip install onnxruntime-ep-webgpu"),
        ("directml", "linux", ""),
        ("openvino", "linux", ""),  # its devices are openvino:cpu and others
        ("abacus", "linux", ""),
    ],
)
def test_a_device_that_is_missing_has_a_command(device, system, command):
    assert installing(device, system, "x86_64") == command


def test_what_is_there_is_not_offered_and_a_card_comes_first_with_what_is_known_of_it():
    card = Hardware("NVIDIA", "Tesla T4", "550.54", 16 << 30)
    first, *others = absent([CPU, WEBGPU], "linux", "x86_64", (card,))
    assert first.id == "cuda"
    assert first.problem == "not installed; Tesla T4, 16.0 GiB, driver 550.54"
    assert first.hint == "inspector engines --install cuda"
    assert [device.id for device in others] == ["openvino", "migraphx"]


class Registry:
    """As `winreg`, with the keys of a machine."""

    HKEY_LOCAL_MACHINE = None

    def __init__(self, keys):
        self.keys = keys

    def OpenKey(self, _root, place):
        if place not in self.keys:
            raise FileNotFoundError(place)
        return nullcontext(self.keys[place])

    def QueryValueEx(self, key, name):
        if name not in key:
            raise FileNotFoundError(name)
        return key[name], 1


def test_cards_and_npus_are_read_from_where_windows_lists_them():
    display, npu = (
        rf"SYSTEM\CurrentControlSet\Control\Class\{each}"
        for each in (
            "{4d36e968-e325-11ce-bfc1-08002be10318}", "{f01a9d53-3ff6-48d2-9f97-c8a7004be10c}",
        )
    )  # fmt: skip
    size = "HardwareInformation.qwMemorySize"
    registry = Registry({
        rf"{display}\0000": {"DriverDesc": "Basic Display", "ProviderName": "Microsoft"},
        rf"{display}\0002": {
            "DriverDesc": "GeForce RTX 4070", "ProviderName": "NVIDIA", size: 12 << 30,
            "DriverVersion": "32.0.15.6094", "MatchingDeviceId": r"pci\ven_10de&dev_2786",
        },
        rf"{display}\0003": {
            "DriverDesc": "Iris Xe", "ProviderName": "Intel Corporation",
            size: (128 << 20).to_bytes(8, "little"), "MatchingDeviceId": r"PCI\VEN_8086&DEV_1",
        },
        rf"{npu}\0000": {
            "DriverDesc": "Hexagon NPU", "ProviderName": "Qualcomm Technologies, Inc.",
            "DriverVersion": "30.0", "MatchingDeviceId": r"ACPI\QCOM0D0A",
        },
    })  # fmt: skip
    assert [*of_registry(registry)] == [
        Hardware("NVIDIA", "GeForce RTX 4070", "32.0.15.6094", 12 << 30),
        Hardware("Intel", "Iris Xe", "", 128 << 20),
        Hardware("Qualcomm", "Hexagon NPU", "30.0", None, "npu"),
    ]
    assert [*of_registry(Registry({}))] == []


def test_cards_are_read_from_where_linux_lists_them(tmp_path):
    places = [
        ("0000:01:00.0", "0x10de", "0x030200"),
        ("0000:02:00.0", "0x1002", "0x030000"),
        ("0000:03:00.0", "0x8086", "0x020000"),  # a network card
        ("0000:04:00.0", "0x8086", "0x120000"),
        ("0000:05:00.0", "0x1022", "0x118000"),  # an NPU of which only the driver tells
    ]
    for name, vendor, kind in places:
        (tmp_path / name).mkdir()
        (tmp_path / name / "vendor").write_text(f"{vendor}\n")
        (tmp_path / name / "class").write_text(f"{kind}\n")
    (tmp_path / "0000:02:00.0" / "mem_info_vram_total").write_text("8589934592\n")
    assert graphics_cards(tmp_path) == (
        Hardware("NVIDIA", "NVIDIA GPU"),
        Hardware("AMD", "AMD GPU", "", 8 << 30),
    )
    drivers = tmp_path / "drivers" / "amdxdna"
    drivers.mkdir(parents=True)
    (tmp_path / "0000:05:00.0" / "driver").symlink_to(drivers)
    assert [card for card in cards(tmp_path) if card.kind == "npu"] == [
        Hardware("Intel", "Intel NPU", kind="npu"),
        Hardware("AMD", "AMD NPU", "amdxdna", kind="npu"),
    ]
    assert graphics_cards(tmp_path / "none") == ()
