"""The page of a language model's speed: conditions stand beside each number."""

import re
from dataclasses import replace

import pytest

from inspector.analysis.advice.summary import next_steps
from inspector.analysis.language.roles import roles
from inspector.pages.blocks import Chart, Table
from inspector.pages.charts.language.token_plots import curve_plot, strip_plot
from inspector.pages.language.speed import headline
from inspector.pages.report.page import report_page
from inspector.report.language.speed import CacheMemory, GenerationSpeed, PhaseLayers, SpeedRow
from inspector.report.model_results import ModelResults
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling, Roofline
from tests.reports import example_report


def speed(report: PerformanceReport) -> GenerationSpeed:
    """Return rows of two prompts and two contexts, with both phases of a report's layers."""
    steps = tuple((40_000_000, 41_500_000, 44_600_000) * 8 for _ in range(6))
    memory = CacheMemory(300_000_000, 372_000_000, 8_400_000)
    prompts = tuple(
        SpeedRow(count, count, 1, (count * 800_000,) * 6, (300_000,) * 6, (58_200_000,) * 6)
        for count in (128, 256)
    )
    contexts = tuple(SpeedRow(0, each, step_ns=steps, memory=memory) for each in (0, 512))
    times = tuple(each.time_ns for each in report.layers)
    halves = tuple(None if each is None else each // 2 for each in times)
    whole = report.kernel_ns
    return GenerationSpeed(
        (*prompts, *contexts),
        "Inspector's own loop",
        "shared",
        repetitions=6,
        weights_read_bytes=238_000_000,
        cache_token_bytes=16_400,
        decode_layers=PhaseLayers("decode", 1, 512, times, 0, whole, whole),
        prefill_layers=PhaseLayers("prefill", 128, 0, halves, 0, whole // 2, 3 * whole),
    )


@pytest.fixture
def report():
    bare = example_report()
    peak = Ceiling("cpu", "float32", 0, 1e11, 3e10)
    return replace(bare, generation=speed(bare), roofline=Roofline((peak,)))


def test_both_speeds_have_their_conditions(report):
    text = str(headline(report.generation))
    assert text == "24.1 tokens/s at context 512 · first token 103 ms (prompt 128)"
    assert report_page(report).verdict.value == text
    only = replace(report.generation, rows=report.generation.rows[:1])
    assert str(headline(only)) == "first token 103 ms (prompt 128)"
    assert headline(GenerationSpeed(())) is None


def test_rows_say_what_is_timed(report):
    section = next(each for each in report_page(report).sections if each.id == "speed")
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [str(row.cells[0]) for row in table.rows] == [
        "Read a prompt of 128 tokens", "Read a prompt of 256 tokens",
        "Write 24 tokens after 0", "Write 24 tokens after 512",
    ]  # fmt: skip


def test_roles_have_the_time_of_each_phase(report):
    found = roles(report)
    assert sum(role.decode_ns or 0 for role in found) == sum(
        each.time_ns or 0 for each in report.layers
    )
    result = sorted((role.decode_ns for role in found), key=lambda ns: -(ns or 0))
    assert [role.decode_ns for role in found] == result
    numbered = tuple(
        replace(each, name=f"/layers.{each.index}/mlp/up", operator="MatMul")
        for each in report.layers
    )
    (role,) = roles(replace(report, layers=numbered))
    assert role.name == "/layers.*/mlp/up"
    assert len(role.layers) == len(report.layers)


def test_a_sum_that_does_not_fit_is_said(report):
    section = next(each for each in report_page(report).sections if each.id == "phases")
    sums = [block for block in section.blocks if not isinstance(block, Table)]
    assert [text.tone.value for text in sums] == ["caution", "secondary"]


def test_a_sum_of_quick_layers_names_what_they_take_with_their_waits(report):
    """Single layers take 60% of the phase, since each run waited at other ones."""
    decode = report.generation.decode_layers
    profiling = replace(
        decode.profiling, together_ns=round(1.6 * decode.kernel_ns), kernel_share=0.97
    )

    def told(phase):
        page = report_page(
            replace(report, generation=replace(report.generation, decode_layers=phase))
        )
        section = next(each for each in page.sections if each.id == "phases")
        return str(section.blocks[-1].value)

    waited = replace(decode, run_ns=round(decode.kernel_ns / 0.6), profiling=profiling)
    assert "97.0%" in told(waited)
    same = replace(waited, profiling=replace(profiling, together_ns=decode.kernel_ns))
    reconciled = replace(waited, run_ns=decode.kernel_ns)
    assert not any("97.0%" in told(each) for each in (same, reconciled))


def test_the_limit_of_decode_is_the_memory(report):
    page = report_page(report)
    facts = {
        fact.label: str(fact.value)
        for block in page.sections[0].blocks
        for fact in getattr(block, "facts", ())
    }
    assert "Memory bandwidth" in facts["Bottleneck"]
    assert "235 MiB per token" in facts["Bottleneck"]


def test_next_steps_are_those_of_a_language_model(report):
    known = replace(report, model_results=ModelResults())
    commands = [re.findall("`inspector ([a-z]+)", text) for text in next_steps(known)]
    assert commands[:3] == [["chat"], ["improve"], ["memory"]]
    picture = replace(known, generation=None)
    assert ["chat"] not in [re.findall("`inspector ([a-z]+)", x) for x in next_steps(picture)]


def test_charts_show_the_curve_and_single_tokens(report):
    section = next(each for each in report_page(report).sections if each.id == "tokens")
    assert [block.id for block in section.blocks if isinstance(block, Chart)] == [
        "tokens", "strip",
    ]  # fmt: skip
    drawn = curve_plot(report.generation, 720)
    assert drawn.height > 100
    strip = strip_plot(report.generation.decode, 720)
    assert len(strip.shapes) > 24
    assert strip_plot(SpeedRow(1, 1), 300).shapes
    assert curve_plot(GenerationSpeed(()), 300).shapes
