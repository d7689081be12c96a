"""What the timeline paints is looked up in the picture."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from inspector.pages.charts.palette import DARK, LIGHT, mix, on_top
from inspector.trace.trace import Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import build_level_of_detail
from inspector.ui.selection import Selection
from inspector.ui.timeline.model import geometry
from inspector.ui.timeline.model.geometry import CHILD, FRAME, THIN, Bar, Scale
from inspector.ui.timeline.model.state import SHORTEST_NS, TimeWindow
from inspector.ui.timeline.render.rows import ramp, see_bars, shade
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.widgets.theme import Theme
from tests.reports import ACTIVITY, CPU, DATA, GPU, UNITS, example_report, example_trace


def painted(qtbot: QtBot, theme: Theme, trace: Trace) -> tuple[QImage, Timeline]:
    made = Timeline(theme, example_report(trace=trace), Selection())
    qtbot.addWidget(made)
    made.resize(900, made.sizeHint().height())
    made.window_of_time.fit()
    return made.lanes.grab().toImage(), made


def color_at(image: QImage, timeline: Timeline, instant: float, y: float) -> QColor:
    return image.pixelColor(round(timeline.lanes.scale.x(instant)), round(y))


def far(one: QColor, other: str) -> int:
    wanted = QColor(other)
    pairs = zip(one.getRgb()[:3], wanted.getRgb()[:3], strict=True)
    return max(abs(a - b) for a, b in pairs)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_more_coverage_is_more_color_and_the_least_is_seen(palette):
    pixels = shade(np.array([0, 1e-5, 0.5, 1]), palette.gpu, palette.surface)
    assert pixels[0] == 0, "the grid shines through"
    shades = [QColor.fromRgba(int(pixel)) for pixel in pixels[1:]]
    distances = [far(shade, palette.surface) for shade in shades]
    assert 20 < distances[0] < distances[1] < distances[2]
    assert far(shades[2], palette.gpu) <= 1


def test_density_leaves_out_the_wide_spans_that_are_drawn_one_by_one():
    build = TraceBuilder()
    build.add(UNITS[CPU], "wide", 0, 500, Kind.KERNEL)
    for start in range(600, 700, 10):
        build.add(UNITS[CPU], "narrow", start, 5, Kind.KERNEL)
    looked_at = build_level_of_detail(build.trace())
    bar, scale = Bar(looked_at.rows[0], 0, 20, 0.0), Scale(0, 1000, 0, 100)
    seen = see_bars([bar], scale, 1.0)[0]
    assert seen.places.tolist() == [0]
    assert seen.shares is not None
    line = shade(seen.shares, LIGHT.cpu, LIGHT.surface)
    assert not line[:60].any()
    assert (line[60:70] == ramp(LIGHT.cpu, LIGHT.surface)[32]).all()
    assert not line[70:].any()


def test_spans_without_length_are_seen():
    build = TraceBuilder()
    build.add(UNITS[CPU], "mark", 500, 0, Kind.EVENT)
    build.add(UNITS[CPU], "end", 1_000_000, 10, Kind.EVENT)
    bar = Bar(build_level_of_detail(build.trace(zero_ns=0)).rows[0], 0, 20, 0.0)
    shares = see_bars([bar], Scale(0, 1_000, 0, 100), 1.0)[0].shares
    assert shares is not None
    assert np.flatnonzero(shares).tolist() == [50]


def test_each_row_lies_in_its_lane_and_nested_calls_fade(qtbot, theme):
    trace = example_trace()
    bands = geometry.bands(build_level_of_detail(trace))
    assert [trace.tracks[band.track].name for band in bands] == [
        "Activity",
        "Data",
        "CPU",
        "GPU",
    ]
    assert [band.opens for band in bands] == [True, True, True, False]
    activity, _, cpu, _ = (band.bars for band in bands)
    assert [bar.fade for bar in activity] == [0.0, CHILD]
    assert [(bar.fade, bar.height) for bar in cpu] == [(FRAME, THIN), (0.0, geometry.BAR)]
    image, timeline = painted(qtbot, theme, trace)
    outer, inner = activity
    at = trace.start_ns[trace.name == trace.names.index("run")][0] + 900_000
    look = theme.palette
    assert far(color_at(image, timeline, at, outer.top + 4), look.activity) <= 2
    faded = mix(look.activity, look.surface, CHILD)
    assert far(color_at(image, timeline, at, inner.top + 4), faded) <= 2


def test_copies_are_hatched_and_casts_are_plain(qtbot, theme):
    build = TraceBuilder()
    build.add(DATA, "", 0, 400, Kind.COPY)
    build.add(DATA, "", 600, 400, Kind.CAST)
    image, timeline = painted(qtbot, theme, build.trace())
    top = 10
    line = [
        {color_at(image, timeline, begin + x, top).name() for x in range(80, 300, 5)}
        for begin in (0, 600)
    ]
    assert len(line[0]) > 1
    assert line[1] == {theme.palette.data.lower()}


def test_a_moment_is_seen_in_the_gaps_of_rows(qtbot, theme):
    build = TraceBuilder()
    for begin in (0, 600):
        build.add(UNITS[CPU], "kernel", begin, 400, Kind.KERNEL)
    build.moment("killed", 500)
    _, timeline = painted(qtbot, theme, build.trace())
    for begin, end in ((0, 1_000), (400, 600)):
        timeline.window_of_time.show(begin, end)
        image = timeline.lanes.grab().toImage()
        line, beside = (color_at(image, timeline, at, 6) for at in (500, 480))
        assert far(line, theme.palette.surface) > 40
        assert far(beside, theme.palette.surface) < 20


def test_how_long_a_mark_is_stands_on_the_axis_and_covers_no_name(qtbot, theme):
    build = TraceBuilder()
    build.add(UNITS[CPU], "kernel", 0, 1_000_000, Kind.KERNEL)
    plain, made = painted(qtbot, theme, build.trace())
    axis = made.axis.grab().toImage()
    made.state.mark(500_000, 510_000)
    marked = made.lanes.grab().toImage()
    left, right = (made.lanes.scale.x(instant) for instant in made.state.marked or ())
    other = [
        x
        for x in range(plain.width())
        if any(plain.pixel(x, y) != marked.pixel(x, y) for y in range(plain.height()))
    ]
    assert left - 1 <= min(other) < max(other) <= right
    told = made.axis.grab().toImage()
    blue = theme.palette.fill
    middle = [told.pixelColor(x, 3) for x in range(round(left) - 10, round(right) + 10)]
    assert sum(far(one, blue) <= 2 for one in middle) > 20
    assert told != axis
    made.state.mark(0, 0)
    assert made.axis.grab().toImage() == axis


def test_the_smallest_and_the_largest_window_are_kept():
    window = TimeWindow(0, 1e9)
    window.zoom(1e-12, 5e8)
    assert window.length_ns == SHORTEST_NS
    assert window.begin_ns == pytest.approx(5e8, abs=SHORTEST_NS)
    window.zoom(1e12)
    assert (window.begin_ns, window.end_ns) == (0, 1e9)
    window.show(2e8, 4e8)
    window.pan(-1e12)
    assert (window.begin_ns, window.end_ns) == (0, 2e8)
    window.reveal(9e8, 9.1e8, 0.01)
    assert window.begin_ns < 9e8 < 9.1e8 < window.end_ns
    assert window.length_ns == pytest.approx(2e8)


def test_tracks_come_in_the_order_of_the_lanes_whatever_their_own():
    build = TraceBuilder()
    for track in (UNITS[GPU], DATA, Track(Lane.COMPUTE, "NPU", "npu", "npu"), ACTIVITY):
        build.track(track)
    build.add(DATA, "check", 0, 10, Kind.CHECK)
    trace = build.trace()
    bands = geometry.bands(build_level_of_detail(trace))
    assert [trace.tracks[b.track].name for b in bands] == ["Activity", "Data", "GPU", "NPU"]
    assert [bool(band.bars) for band in bands] == [False, True, False, False]


def test_the_name_of_a_hatched_copy_can_be_read(qtbot, theme):
    build = TraceBuilder()
    build.add(Track(Lane.DATA, "Data", family="data"), "MemcpyToHost", 0, 900, Kind.COPY)
    image, made = painted(qtbot, theme, build.trace())
    box = made.lanes.box_of(0)
    fill = theme.palette.lane("data")
    dark = [
        (x, y)
        for x in range(round(box.left()) + 6, round(box.left()) + 90)
        for y in range(round(box.top()) + 4, round(box.bottom()) - 4)
        if far(image.pixelColor(x, y), on_top(fill)) < 60
    ]
    assert len(dark) > 20


def test_names_lie_on_their_spans_below_rows_of_copies(qtbot, theme):
    build = TraceBuilder()
    for begin in range(0, 900, 100):
        build.add(DATA, "hatched", begin, 80, Kind.COPY)
        build.add(UNITS[CPU], "kernel", begin, 80, Kind.KERNEL)
    image, made = painted(qtbot, theme, build.trace())
    fill = theme.palette.lane("cpu")
    for span in np.flatnonzero(made.state.detail.trace.kind != 2).tolist()[:3]:
        box = made.lanes.box_of(span)
        written = [
            x
            for x in range(round(box.left()) + 2, round(box.right()) - 2)
            if far(image.pixelColor(x, round(box.center().y())), on_top(fill)) < 90
        ]
        assert written, "each has its name"
        assert min(written) - box.left() < 12
    between = made.lanes.box_of(0).right() + 4
    beside = {image.pixelColor(round(between), y).name() for y in range(32, 52)}
    assert len(beside) <= 2


def test_pinned_rows_are_drawn_as_far_as_the_bar_beside_the_others(qtbot, theme):
    build = TraceBuilder()
    for n in range(40):
        build.add(Track(Lane.COMPUTE, f"unit {n}", "npu", "npu"), "kernel", 0, 900, Kind.KERNEL)
    made = Timeline(theme, example_report(trace=build.trace()), Selection())
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    made.lanes.pin(made.lanes.bands[0])
    qtbot.waitUntil(lambda: made.pinned.width() > made.lanes.width())
    canvas = QImage(made.pinned.size(), QImage.Format.Format_RGB32)
    canvas.fill(QColor("#FF00FF"))
    made.pinned.render(canvas)
    last = {canvas.pixelColor(canvas.width() - 1, y).name() for y in range(canvas.height())}
    assert last == {theme.palette.surface.lower()}
