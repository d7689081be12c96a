"""Energy as Linux shows it, in a made folder for /sys: counted, wrapped, locked, or missing."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.backends.measuring import energy
from inspector.backends.measuring.energy import EnergyMeter, open_counters
from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.pages.report.machine_load import energy_fact
from inspector.pages.report.page import report_page
from inspector.render import terminal
from inspector.report import report as reports
from inspector.report.environment import EnergyUse, SystemLoad, join_energy
from tests.reports import example_report

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/sys is Linux's")


@pytest.fixture
def clock(monkeypatch):
    seconds = [0.0]
    monkeypatch.setattr(energy, "perf_counter", lambda: seconds[0])
    monkeypatch.setattr(energy, "_nvidia", lambda: ())
    return seconds


def write(folder: Path, **texts: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(f"{text}\n")
    return folder


def package(system: Path, number: int, joules: float) -> Path:
    zone = system / "class" / "powercap" / f"intel-rapl:{number}"
    uj = round(joules * 1e6)
    return write(zone, name=f"package-{number}", energy_uj=uj, max_energy_range_uj=100_000_000)


def test_packages_are_counted_through_a_wrap_and_not_while_paused(tmp_path, clock):
    package(tmp_path, 0, 99.0)
    package(tmp_path, 1, 10.0)
    core = tmp_path / "class" / "powercap" / "intel-rapl:0:0"  # a part of the package
    write(core, name="core", energy_uj=5, max_energy_range_uj=9)
    meter = EnergyMeter(open_counters(tmp_path))
    meter.resume()
    clock[0] += 2.0
    package(tmp_path, 0, 3.0)  # it began anew at 100 J
    package(tmp_path, 1, 12.0)
    meter.pause()
    clock[0] += 60.0
    package(tmp_path, 0, 50.0)  # by somebody else
    meter.resume()
    clock[0] += 1.0
    package(tmp_path, 0, 51.0)
    meter.pause()
    assert meter.use() == EnergyUse((("CPU package", 5.0), ("CPU package 1", 2.0)), 3.0)
    assert meter.use().watts == pytest.approx(7 / 3)


def test_a_battery_counts_where_it_feeds_the_machine(tmp_path, clock):
    supply = tmp_path / "class" / "power_supply" / "BAT0"
    write(supply, status="Discharging", current_now=1_000_000, voltage_now=12_000_000)
    meter = EnergyMeter(open_counters(tmp_path))
    meter.resume()
    clock[0] += 2.0
    write(supply, current_now=1_500_000)
    meter.pause()
    assert meter.use() == EnergyUse((("battery", 30.0),), 2.0)
    plugged = tmp_path / "plugged"
    write(plugged / "class" / "power_supply" / "BAT0", status="Charging", power_now=1)
    assert "battery" in EnergyMeter(open_counters(plugged)).use().missing


def test_what_is_missing_says_why(tmp_path, clock, monkeypatch):
    meter = EnergyMeter(open_counters(tmp_path / "empty"))
    meter.resume()
    meter.pause()
    assert "no energy counter" in meter.use().missing
    zone = package(tmp_path, 0, 1.0)
    usual = os.open

    def refuse(path, *args, **kinds):
        if path == zone / "energy_uj":
            raise PermissionError(path)
        return usual(path, *args, **kinds)

    with monkeypatch.context() as patch:
        patch.setattr(energy.os, "open", refuse)
        assert "only root" in EnergyMeter(open_counters(tmp_path)).use().missing
    hwmon = tmp_path / "amd"
    labels = {"energy1_label": "Esocket0", "energy1_input": 4_000_000}
    write(hwmon / "class" / "hwmon" / "hwmon3", name="amd_energy", **labels)
    short = EnergyMeter(open_counters(hwmon))
    short.resume()
    short.pause()
    assert "too short" in short.use().missing


def test_the_load_of_the_timed_runs_has_their_energy(clock, monkeypatch):
    joules = [100.0]
    counters = energy.Counters((energy.Counter("CPU package", lambda: joules[0]),))
    monkeypatch.setitem(energy._opened, energy.SYSTEM, counters)
    watch = SystemLoadMonitor()
    joules[0], clock[0] = 104.0, 2.0
    watch.pause()
    joules[0] = 900.0  # while another measurement had its turn
    watch.resume()
    joules[0], clock[0] = 902.0, 3.0
    assert watch.load().energy == EnergyUse((("CPU package", 6.0),), 3.0)


def test_the_page_says_the_energy_of_a_run(tmp_path):
    report = example_report(prediction_ns=(10_000_000, 30_000_000))
    assert energy_fact(report) is None  # of an earlier version
    halves = [
        EnergyUse((("CPU package", 10.0),), 1.0),
        EnergyUse((("CPU package", 30.0),), 1.0),
    ]
    used = replace(report, surroundings=SystemLoad(energy=join_energy(halves)))
    assert used.run_joules == pytest.approx(0.4)  # 20 W for 20 ms
    text = os.linesep.join(terminal.lines(report_page(used)))
    assert "400 mJ per run" in text
    assert "CPU package 20.0 W" in text
    reports.save(used, tmp_path / "used.json")
    assert reports.load(tmp_path / "used.json").surroundings == used.surroundings
    none = replace(report, surroundings=SystemLoad(energy=EnergyUse(missing="no counter")))
    assert str(energy_fact(none).value) == "not available"
    assert "Energy" not in os.linesep.join(terminal.lines(report_page(none)))
