import pytest

from inspector.engine.client.cpu_speed_history import MOST_KEPT, full_speed_probe_ns, save
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed

ALONE = RunSpec(threads=1)


def pace(ns: int, count: int = 200) -> CpuSpeed:
    return CpuSpeed((ns,) * count, tuple(range(count)))


def test_full_pace_is_the_second_fastest_of_the_latest_measurements(tmp_path):
    file = tmp_path / "made" / "paces.json"
    assert full_speed_probe_ns(ALONE, "a", file) == 0
    save(pace(5000), ALONE, "a", file)
    assert full_speed_probe_ns(ALONE, "a", file) == 5000
    for ns in (3000, 4000, 7000):
        save(pace(ns), ALONE, "a", file)
    assert full_speed_probe_ns(ALONE, "a", file) == 4000


def test_a_machine_that_is_slower_now_is_believed_after_a_while(tmp_path):
    file = tmp_path / "paces.json"
    for _ in range(3):
        save(pace(4000), ALONE, "a", file)
    for _ in range(MOST_KEPT):
        save(pace(5000), ALONE, "a", file)
    assert full_speed_probe_ns(ALONE, "a", file) == 5000


def test_a_short_measurement_has_no_pace_to_keep(tmp_path):
    file = tmp_path / "paces.json"
    save(pace(5000, count=20), ALONE, "a", file)
    assert not file.exists()


@pytest.mark.parametrize("body", [b"", b"{", b'{"x": 3}', b"\xff"])
def test_a_damaged_file_is_written_anew(tmp_path, body):
    file = tmp_path / "paces.json"
    file.write_bytes(body)
    assert full_speed_probe_ns(ALONE, "a", file) == 0
    save(pace(5000), ALONE, "a", file)
    assert full_speed_probe_ns(ALONE, "a", file) == 5000


def test_a_home_that_cannot_be_written_to_costs_the_memory_alone(tmp_path):
    (tmp_path / "file").write_text("in the way")
    save(pace(5000), ALONE, "a", tmp_path / "file" / "paces.json")
    assert full_speed_probe_ns(ALONE, "a", tmp_path / "file" / "paces.json") == 0


def test_other_threads_have_a_full_pace_of_their_own(tmp_path):
    file = tmp_path / "paces.json"
    save(pace(4000), ALONE, "a", file)
    assert full_speed_probe_ns(RunSpec(threads=2), "a", file) == 0
    save(pace(4600), RunSpec(threads=2), "a", file)
    assert (
        full_speed_probe_ns(ALONE, "a", file),
        full_speed_probe_ns(RunSpec(threads=2), "a", file),
    ) == (4000, 4600)


def test_other_models_tell_what_full_pace_takes_at_most(tmp_path):
    file = tmp_path / "paces.json"
    save(pace(4000), ALONE, "a", file)
    assert full_speed_probe_ns(ALONE, "b", file) == 4600
    save(pace(4300), ALONE, "b", file)
    assert (full_speed_probe_ns(ALONE, "a", file), full_speed_probe_ns(ALONE, "b", file)) == (
        4000,
        4300,
    )
