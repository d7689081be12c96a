from dataclasses import replace

from inspector.analysis.measured.phases import (
    held_phases,
    loading_sentences,
    memory_sentences,
    packing_sentences,
    timed_phases,
)
from inspector.report.environment import MemoryUse, WeightPrepacking
from inspector.report.report import LoadPhase, PerformanceReport
from inspector.report.run_spec import RunSpec
from tests.reports import example_report

MIB = 1 << 20
HELD = MemoryUse(
    10 * MIB, 60 * MIB, 70 * MIB, 72 * MIB, 90 * MIB, 20 * MIB, 80 * MIB, 85 * MIB,
    71 * MIB, 15 * MIB, 6 * MIB, 8 * MIB,
)  # fmt: skip


def detailed() -> PerformanceReport:
    return example_report(
        spec=RunSpec(phases=True, loads=4),
        load_phases=(
            LoadPhase("read and parse", 3_000_000),
            LoadPhase("optimise, level 1", 9_000_000),
            LoadPhase("ConstantFolding", 8_000_000, "optimise, level 1"),
        ),
        loads_ns=(30_000_000, 14_000_000, 12_000_000, 13_000_000),
        warmup_ns=(2_000_000, 1_900_000),
    )


def test_phases_go_from_loading_to_the_warm_up():
    assert [(each.name, each.inside) for each in timed_phases(detailed())] == [
        ("read and parse", False),
        ("optimise, level 1", False),
        ("ConstantFolding", True),
        ("first run", False),
        ("more than the median run", True),
        ("warm-up, 2 runs", False),
    ]


def test_a_report_without_phases_still_has_its_first_prediction():
    report = example_report()
    first, once = timed_phases(report)
    assert first.duration_ns == report.first_prediction_ns
    assert once.duration_ns == report.first_prediction_ns - report.median_ns
    assert loading_sentences(report) == ()


def test_phases_of_the_load_itself_need_no_words():
    phases = (LoadPhase("read the model", 3_000_000), LoadPhase("compile", 27_000_000))
    report = example_report(load_phases=phases, loads_ns=(), load_ns=30_000_000)
    assert loading_sentences(report) == ()
    assert loading_sentences(replace(report, load_ns=90_000_000)) != ()


def test_later_loads_are_told_apart_from_the_first():
    again, source = loading_sentences(detailed())
    assert again == (
        "Loading again took 13.0 ms (median) with the file cached (12.0 ms to 14.0 ms, 3 "
        "loads)."
    )
    assert "in a separate load" in source


def test_memory_has_a_row_for_each_phase_that_was_looked_at():
    rows = held_phases(HELD)
    assert [each.resident_bytes // MIB for each in rows] == [10, 60, 70, 72, 71, 15]
    assert [each.peak_bytes and each.peak_bytes // MIB for each in rows] == [
        None, 80, 85, 90, None, None,
    ]  # fmt: skip
    assert len(held_phases(example_report().memory)) == 4


def test_memory_is_explained_as_far_as_it_is_known():
    weights, arena, back = memory_sentences(HELD)
    assert weights.startswith("Weights take 20.0 MiB. Loading added 30.0 MiB on top")
    assert arena.startswith("At most 6.00 MiB of the ")
    assert back == (
        "Closing the session freed 1.00 MiB; returning free memory to the system freed another "
        "56.0 MiB."
    )
    assert len(memory_sentences(example_report().memory)) == 1


def test_copies_of_a_model_are_counted_where_it_is_large_enough():
    _, copies, *_ = memory_sentences(HELD, 25 * MIB)
    assert copies == (
        "The size of the file is 25.0 MiB. Loading took up to 70.0 MiB of memory (2.8 times "
        "the file size), and the session kept 50.0 MiB (2.0 times)."
    )
    small = replace(HELD, weights_bytes=MIB)
    assert not any("times the file size" in words for words in memory_sentences(small, 2 * MIB))


def test_arenas_that_gave_memory_back_after_loading_are_told_so():
    shrunk = replace(HELD, arena_used_bytes=32 * MIB, arena_held_bytes=17 * MIB)
    assert (
        "The memory arenas allocated up to 32.0 MiB, including during loading, and reserved "
        "17.0 MiB (profiled session)."
    ) in memory_sentences(shrunk)


def packed(**counted: int | None) -> tuple[str, ...]:
    usual: dict[str, int | None] = {
        "prepacked_bytes": 17 * MIB, "replaced_bytes": 16 * MIB, "held_bytes": 21 * MIB,
        "held_plain_bytes": 41 * MIB, "spread_bytes": 2048, "loads": 3,
    }  # fmt: skip
    return packing_sentences(replace(HELD, packing=WeightPrepacking(**(usual | counted))))


def test_prepacked_copies_are_told_beside_what_the_session_holds():
    assert packed() == (
        "Kernels prepacked 16.0 MiB of weights into 17.0 MiB, which replaced them "
        "in the session.",
        "The session takes 21.0 MiB of memory, or 41.0 MiB without prepacking, because it "
        "then keeps the original weights of the graph as well (±2.00 KiB, 3 loads each).",
    )
    assert packing_sentences(HELD) == ()


def test_a_difference_within_the_noise_is_below_what_can_be_measured():
    told = packed(prepacked_bytes=0, replaced_bytes=0, held_plain_bytes=21 * MIB + 1000)
    assert told[0] == "Kernels prepacked no weights."
    assert told[1] == (
        "The session takes 21.0 MiB of memory. The effect of prepacking is too small to "
        "measure (below 2.00 KiB)."
    )


def test_what_is_not_known_of_packing_is_not_told():
    assert packed(prepacked_bytes=None, held_bytes=0, held_plain_bytes=0) == ()


def test_memory_words_have_the_packing_where_it_was_counted():
    told = WeightPrepacking(17 * MIB, 16 * MIB, 21 * MIB, 41 * MIB, 2048, 3)
    words = memory_sentences(replace(HELD, packing=told))
    assert set(packed()) <= set(words)
    assert words[0].startswith(
        "Weights take 20.0 MiB. Loading added 50.0 MiB in total: the session, "
    )
