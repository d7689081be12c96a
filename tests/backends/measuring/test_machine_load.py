"""The load of the machine over time: in a made folder for /sys, and of this one's cores."""

import sys
from pathlib import Path
from time import perf_counter_ns

import pytest

from inspector.backends.measuring import machine_load
from inspector.backends.measuring.machine_load import MachineLoad, open_gauges
from inspector.pages.blocks import Rank
from inspector.pages.report.page import report_page
from inspector.platform.busy_cores import keep_busy
from inspector.render import terminal
from inspector.trace.kinds import ALL_PROGRAMS
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import example_report

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/sys is Linux's")

SYSTEM = {  # as drivers of AMD, Arm, Rockchip and Intel write them, before and after a second
    "class/drm/card0/device/gpu_busy_percent": ("40", "87"),
    "class/drm/card0/device/mem_info_vram_used": ("0", "1048576"),
    "class/devfreq/fb000000.gpu/load": ("0@300000000Hz", "23@800000000Hz"),
    "class/devfreq/fdab0000.npu/load": ("0@300000000Hz", "51@800000000Hz"),
    "class/accel/accel0/device/npu_busy_time_us": ("5000000", "5250000"),
    "class/powercap/intel-rapl:0/name": ("package-0", "package-0"),
    "class/powercap/intel-rapl:0/energy_uj": ("90000000", "2000000"),
    "class/powercap/intel-rapl:0/max_energy_range_uj": ("100000000", "100000000"),
}


def write(system: Path, moment: int) -> None:
    for name, texts in SYSTEM.items():
        place = system / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{texts[moment]}\n")


@pytest.fixture
def seconds(monkeypatch):
    """The clock of the readings, which no thread of its own makes here."""
    now = [0.0]
    monkeypatch.setattr(machine_load, "perf_counter_ns", lambda: int(now[0] * 1e9))
    monkeypatch.setattr(machine_load, "EVERY_SECONDS", 3600.0)
    monkeypatch.setattr(machine_load, "_nvidia", lambda: ())
    return now


def test_devices_and_power_are_read_where_linux_shows_them(tmp_path, seconds):
    write(tmp_path, 0)
    with MachineLoad(open_gauges(tmp_path)) as load:
        write(tmp_path, 1)
        seconds[0] = 1.0
    build = TraceBuilder()
    load.count_into(build)
    counters = build.trace(0).counters
    assert {each.process for each in counters} == {ALL_PROGRAMS}
    told = {each.name: (each.unit, each.values.tolist()) for each in counters}
    devices = {name: told for name, told in told.items() if "core" not in name}
    assert devices == {
        "CPU package power": ("watts", [12.0]),  # through a wrap at 100 J
        "GPU load": ("percent", [87.0]),
        "GPU memory in use": ("bytes", [1048576.0]),
        "GPU load 1": ("percent", [23.0]),
        "NPU load": ("percent", [51.0]),
        "NPU load 1": ("percent", [25.0]),
    }


def test_means_begin_a_trace_of_means_and_a_recording_has_its_own_clock(tmp_path, seconds):
    place = tmp_path / "class/drm/card0/device/gpu_busy_percent"
    place.parent.mkdir(parents=True)
    place.write_text("10")
    with MachineLoad(open_gauges(tmp_path)) as load:
        for second, busy in ((1.0, "40"), (2.0, "60"), (3.0, "80")):
            place.write_text(busy)
            seconds[0] = second
            load._read()
    means, moved = TraceBuilder(), TraceBuilder()
    load.mean_into(means)
    load.count_into(moved, offset_ns=5_000_000_000, since_ns=6_500_000_000)
    (mean,) = (each for each in means.trace(0).counters if each.name == "GPU load")
    assert (mean.times_ns.tolist(), mean.values.tolist()) == ([0], [60.0])
    (later,) = (each for each in moved.trace(0).counters if each.name == "GPU load")
    assert later.times_ns.tolist() == [6_500_000_000, 7_000_000_000]
    assert later.values.tolist() == [60.0, 80.0]


def test_a_busy_core_shows_and_the_report_says_what_is_unknown(tmp_path):
    with keep_busy(1), MachineLoad(open_gauges(tmp_path / "empty")) as load:
        end = perf_counter_ns() + 250_000_000
        while perf_counter_ns() < end:
            pass
    build = TraceBuilder()
    load.count_into(build)
    trace = build.trace(0)
    cores = [each for each in trace.counters if each.unit == "percent"]
    assert all(len(each.values) >= 2 for each in cores)
    assert max(each.values.max() for each in cores) > 50
    report = example_report(trace=trace)
    text = "\n".join(terminal.lines(report_page(report), terminal.Terminal(rank=Rank.FOLDED)))
    assert "Load of the machine" in text
    assert "CPU core 0" in text
    assert "Load of the GPU" in text
