from dataclasses import replace

import pytest

from inspector.analysis.measured.noise import disturbances, waiting_share
from inspector.report.environment import SystemLoad
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report

ALONE = RunSpec(("cpu",), threads=1)


def on_one_thread(busy_share: float) -> PerformanceReport:
    wall = (1_000_000,) * 10
    cpu = tuple(int(busy_share * sample) for sample in wall)
    return example_report(spec=ALONE, prediction_ns=wall, prediction_cpu_ns=cpu)


def on_a_machine(**changes: object) -> PerformanceReport:
    report = example_report()
    return replace(report, environment=replace(report.environment, **changes))


def texts(report: PerformanceReport) -> tuple[str, ...]:
    return tuple(map(str, disturbances(report)))


def test_a_quiet_measurement_has_no_reasons():
    assert disturbances(example_report()) == ()
    assert disturbances(on_one_thread(0.95)) == ()


def test_a_thread_that_waited_for_a_core_is_a_reason():
    assert texts(on_one_thread(0.7)) == (
        "The single thread had to wait for a CPU core 30% of the time.",
    )


def test_waiting_for_a_device_is_no_disturbance():
    report = replace(on_one_thread(0.2), spec=RunSpec(("webgpu:0",), threads=1))
    assert waiting_share(report) is None
    assert disturbances(report) == ()


def test_a_report_without_samples_waited_for_nothing():
    assert disturbances(replace(on_one_thread(0.2), prediction_ns=())) == ()


@pytest.mark.parametrize(("load", "reasons"), [(3.9, 0), (4.1, 1)])
def test_a_load_of_half_the_cores_is_a_reason(load, reasons):
    found = disturbances(on_a_machine(load_average=load))
    assert len(found) == reasons
    assert all("load average was 4.1 on 8 cores" in str(reason) for reason in found)


def test_other_programs_and_the_host_are_reasons():
    report = example_report(surroundings=SystemLoad(stolen=0.05, others=0.4))
    assert texts(report) == (
        "Other programs used 40% of the CPU.",
        "The host took 5% of this virtual machine's CPU time.",
    )


def test_what_is_unknown_or_small_is_no_reason():
    report = example_report(surroundings=SystemLoad(stolen=0.01, others=0.1))
    assert disturbances(report) == ()


@pytest.mark.parametrize(
    ("governor", "driver", "reasons"),
    [
        ("powersave", "acpi-cpufreq", 1),
        ("powersave", "intel_pstate", 0),
        ("performance", "acpi-cpufreq", 0),
        ("", "", 0),
    ],
)
def test_saving_power_is_a_reason_where_it_holds_the_frequency_down(governor, driver, reasons):
    found = disturbances(on_a_machine(governor=governor, frequency_driver=driver))
    assert len(found) == reasons


def at_pace(times: tuple[int, ...]) -> PerformanceReport:
    wall = (1_000_000,) * 10 * (len(times) - 1)
    pace = CpuSpeed(times, tuple(range(0, 10 * len(times), 10)), 4000)
    return example_report(spec=ALONE, prediction_ns=wall, prediction_cpu_ns=wall, pace=pace)


def test_a_processor_that_was_seldom_or_never_at_full_pace_is_a_reason():
    assert disturbances(at_pace((4000,) * 30)) == ()
    assert disturbances(at_pace((4000,) * 20 + (6400,) * 11)) == ()
    assert texts(at_pace((4000,) * 10 + (6400,) * 31)) == (
        "For 76% of the time, the CPU was slowed by 20% or more; only 90 of 400 "
        "runs were at full CPU speed.",
    )
    assert texts(at_pace((6400,) * 31)) == (
        "The CPU was throttled or busy in all runs, at 62% of full speed.",
    )
