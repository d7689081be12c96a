import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from inspector.export.pages.page_rows import MOST_ROWS

from inspector.export.charts.palette import DARK, LIGHT
from inspector.export.registry import export
from inspector.report.environment import SystemLoad
from inspector.report.report import (
    Device,
    InsertedNode,
    LayerUse,
    LoadPhase,
    PerformanceReport,
    Support,
    separate_submissions,
)
from inspector.report.run_spec import Dimension, InputSource, RunSpec
from inspector.report.support_marks import Mark, Source, Status
from inspector.trace.trace import Kind
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import CPU, GPU, UNITS, example_report, predicted_report

VOID = {"meta", "input", "link", "br", "img"}
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp\x00\n{{ 7 * 7 }}"


class Page(HTMLParser):
    """Reads a page strictly: every element closed in turn."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._open: list[str] = []
        self.text = body.decode()
        self.feed(self.text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        target = self.scripts if self._open[-1:] == ["script"] else self.words
        if data.strip() and self._open[-1:] != ["style"]:
            target.append(data.strip())

    def values(self, name: str) -> list[str]:
        return [value for _, found, value in self.attributes if found == name]


def page(report: PerformanceReport) -> Page:
    return Page(export(report, "html"))


def many_layers(count: int) -> tuple[LayerUse, ...]:
    return tuple(
        LayerUse(i, f"l{i}", "Conv", Status.EXECUTED, CPU, 1000 + i) for i in range(count)
    )


def hostile_report(text: str) -> PerformanceReport:
    """A report with `text` wherever a model, a runtime or a machine can put one."""
    report, build = example_report(), TraceBuilder()
    build.add(UNITS[CPU], text, 0, 100, Kind.KERNEL, 0, 0)
    support = Support(Mark.UNSUPPORTED, Source.PROBED, text)
    layer = LayerUse(0, text, text, Status.EXECUTED, CPU, 100, {CPU: support}, None, text)
    spec = RunSpec((CPU,), dimensions=(Dimension(text, 1),), inputs=(InputSource(text, text),))
    machine = dict.fromkeys(("inspector", "onnxruntime", "python", "system", "cpu"), text)
    return replace(
        report,
        model=replace(report.model, name=text, sha256=text, opset=text),
        spec=spec,
        environment=replace(report.environment, packages=(text,), **machine),  # type: ignore[arg-type]
        created=text,
        devices=(Device(CPU, text, text, text, text, text),),
        layers=(replace(layer, output=text), replace(layer, index=1, name=f"a/{text}/b")),
        inserted=(InsertedNode(text, text, text, CPU, 5),),
        trace=build.trace(),
        notes=(text,),
    )  # fmt: skip


def test_the_page_tells_what_was_measured() -> None:
    found = page(example_report())
    numbers = "median of all runs", "p95 of all runs", "Peak model memory"
    for text in ("mobile_small.onnx", "1.85", *numbers, "155", "· 89%", "· 7%"):
        assert any(text in word for word in found.words), text
    assert "14 March 2026, 09:26 UTC+01:00 · ONNX Runtime 1.31.1" in found.words


def test_nothing_is_asked_of_the_network() -> None:
    found = page(example_report())
    links = found.values("href") + found.values("src") + found.values("xlink:href")
    assert links
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"url\((?!data:|#)", found.text)
    assert "@import" not in found.text
    assert not found.tags.keys() & {"link", "iframe", "object", "embed", "img"}


def test_the_only_script_that_may_run_is_ours() -> None:
    found = page(example_report())
    (script,) = re.findall(r"<script>(.*?)</script>", found.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(value for value in found.values("content") if "default-src" in value)
    assert "default-src 'none'" in policy
    assert re.findall(r"script-src ([^;]*)", policy) == [f"'sha256-{digest}'"]


def test_hostile_texts_change_nothing_but_words() -> None:
    plain, hostile = page(hostile_report("conv")), page(hostile_report(HOSTILE))
    for tag in ("script", "img"):
        assert hostile.tags[tag] == plain.tags[tag]
    assert not [name for _, name, _ in hostile.attributes if name.startswith("on")]
    shown = "".join(hostile.words) + "".join(hostile.values("title"))
    assert "\\u202e" in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00]", hostile.text)
    assert "{{ 7 * 7 }}" in shown


def test_a_name_of_megabytes_is_cut() -> None:
    assert len(export(hostile_report("n" * 3_000_000), "html")) < 200_000


def test_a_layer_shows_scope_and_name_apart() -> None:
    text = page(example_report()).text
    assert '<span class="scope"><bdi>blocks.0/expand</bdi></span>' in text
    assert '<bdi class="leaf">conv</bdi>' in text


def test_marks_are_shapes_with_words() -> None:
    found = page(example_report())
    used = set(found.values("href"))
    drawn = {f"#{value}" for value in found.values("id") if value.startswith("mark-")}
    assert drawn == {f"#mark-{mark.value}" for mark in Mark}
    assert {"#mark-ran", "#mark-fused", "#mark-unsupported", "#mark-excluded"} <= used
    words = "WebGPU: Not supported: no kernel for HardSigmoid (probed)"
    assert words in found.values("aria-label")


def test_the_legend_has_the_marks_of_this_report_only() -> None:
    legend = page(example_report()).text.partition('class="legend"')[2].partition("</p>")[0]
    shown = [mark for mark in Mark if f"#mark-{mark.value}" in legend]
    assert shown == [
        Mark.RAN, Mark.SUPPORTED, Mark.EXCLUDED, Mark.UNSUPPORTED, Mark.FUSED, Mark.FOLDED,
        Mark.UNKNOWN,
    ]  # fmt: skip


def test_a_fused_layer_links_to_the_one_that_has_its_time() -> None:
    text = page(example_report()).text
    assert 'fused into <a href="#layer-2">2</a>' in text
    assert 'id="layer-2"' in text


def test_why_layers_ran_as_they_did_is_grouped() -> None:
    reason = Support(Mark.UNSUPPORTED, Source.PROBED, "no kernel for it")
    layers = tuple(
        replace(layer, devices={GPU: reason}) for layer in example_report().layers[:7]
    )
    text = page(example_report(layers=layers)).text
    assert text.count("no kernel for it (probed)") == 2 * 7
    section = text.partition("Support by device, with reasons")[2].partition("</section>")[0]
    assert section.count("no kernel for it") == 1
    assert '<td class="number">7</td>' in section


def test_a_model_too_long_for_a_page_keeps_its_slowest_layers_and_says_so() -> None:
    text = page(example_report(layers=many_layers(MOST_ROWS + 500))).text
    assert text.count('<tr id="layer-') == MOST_ROWS
    assert f'id="layer-{MOST_ROWS + 499}"' in text
    assert 'id="layer-499"' not in text
    assert "500 more are omitted" in text
    assert "CSV" in text


def test_a_model_that_fits_leaves_nothing_out() -> None:
    assert "left out" not in page(example_report(layers=many_layers(50))).text


def test_both_themes_are_inside_and_print_is_light() -> None:
    text = page(example_report()).text
    assert f"--surface:{LIGHT.surface}" in text
    dark = text.partition("@media screen and (prefers-color-scheme: dark)")[2]
    assert f"--surface:{DARK.surface}" in dark


def test_an_unfinished_measurement_says_so_at_the_top() -> None:
    text = page(example_report(complete=False)).text
    assert text.index("ended early") < text.index("Timeline")
    assert "ended early" not in page(example_report()).text


@pytest.mark.parametrize("created", ["2026-03-14T09:26:53", "yesterday", ""])
def test_a_date_without_zone_or_form_is_no_trouble(created: str) -> None:
    assert page(example_report(created=created))


def test_parts_of_the_model_link_to_their_first_layers() -> None:
    page = Page(export(example_report(), "html"))
    links = [value for tag, name, value in page.attributes if (tag, name) == ("a", "href")]
    assert {"#layer-0", "#layer-9", "#layer-10", "#layer-19"} <= set(links)
    said = " ".join(" ".join(page.words).split())
    assert "4 partitions · 3 device transitions" in said
    assert "on CPU: 2 copies, 256 B" in said


def test_one_device_has_no_partition() -> None:
    report = example_report()
    alone = tuple(replace(layer, ran_on=CPU, into=None) for layer in report.layers)
    assert b"Partition" not in export(replace(report, layers=alone), "html")


def test_a_predicted_device_has_a_column_and_no_share() -> None:
    body = export(predicted_report(), "html").decode()
    assert ">CUDA</th>" in body
    assert "CUDA: Supported: It has a kernel. Estimated from a table: 1 of 2026." in body
    assert "CUDA <b>" not in body


def test_phases_and_what_disturbed_are_on_the_page() -> None:
    phases = (LoadPhase("read and parse", 3_000_000), LoadPhase("Fusion", 1_000_000, "read"))
    report = replace(example_report(), load_phases=phases, surroundings=SystemLoad(stolen=0.25))
    found = page(report)
    for text in ("read and parse", "Fusion", "3.00 ms", "before loading", "Noisy."):
        assert text in found.words, text
    assert "The host took 25% of this virtual machine's CPU time." in found.words
    phases = (replace(phases[0], grown_bytes=-(3 << 20)), *phases[1:])
    assert "−3.00 MiB" in page(replace(report, load_phases=phases)).words
    assert "Noisy." not in page(example_report()).words


def test_the_bar_of_units_shows_what_its_key_says_of_the_time() -> None:
    report = example_report()
    text = export(report, "html").decode()
    bar = text.split('aria-label="Time by device"', 1)[1].split("</svg>", 1)[0]
    widths = [float(found) for found in re.findall(r'width="([\d.]+)%"', bar)]
    inserted = sum(node.time_ns for node in report.inserted) / report.kernel_ns
    assert widths[-1] == pytest.approx(100 * inserted, abs=0.01)
    assert sum(widths) == pytest.approx(100, abs=1)


def test_commands_in_advice_are_set_as_code() -> None:
    layout = InsertedNode("nhwc", "Transpose", "layout", CPU, 900_000, 100, None, 0)
    report = replace(example_report(), inserted=(layout,))
    assert '<code class="mono">inspector measure MODEL' in export(report, "html").decode()


def test_times_of_a_device_that_is_handed_its_work_say_so() -> None:
    words = b"On WebGPU, layer times are not available: only submission to the device was timed"
    plain = separate_submissions(example_report(layer_timing={}))
    page = export(plain, "html")
    assert page.count(words) == 2, "above the layers, and at their times"
    assert "submitted in 207 µs".encode() in page
    assert b"not timed" in page
    assert words not in export(example_report(), "html"), "it told the times itself"
