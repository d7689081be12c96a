"""Which frames are open at first: those that leave everything wide enough to be read."""

import pytest

from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import Body
from inspector.analysis.graph_layout.layout import READABLE_WIDTH
from inspector.formats.opening import open_model
from tests.analysis.build import model
from tests.analysis.graph_layout.test_layout import named


def fan(scope: str, wide: int, source: str) -> list[tuple[str, str, str, str]]:
    """So many layers side by side that take one value, and one that takes theirs."""
    made = [f"{scope}_{n}" for n in range(wide)]
    rows = [(f"{scope}/op{n}", "Relu", source, name) for n, name in enumerate(made)]
    return [*rows, (f"{scope}/last", "Sum", " ".join(made), f"{scope}_out")]


def opened(body: Body) -> set[str]:
    return {body.tree.groups[key[0]].title for key in layout.first_drawn(body)[0]}


def body_of(*rows: tuple[str, str, str, str]) -> Body:
    return layout.body(model(named(*rows)))


def test_a_frame_too_wide_to_be_read_is_closed_and_the_others_stay_open():
    body = body_of(
        ("first", "Relu", "x", "a"),
        *fan("narrow", 3, "a"),
        *fan("broad", 12, "narrow_out"),
        ("end", "Relu", "broad_out", "y"),
    )
    assert layout.draw(body, layout.first_opened(body)).width > READABLE_WIDTH
    assert opened(body) == {"narrow"}
    assert layout.first_drawn(body)[1].width <= READABLE_WIDTH


def test_the_inner_frame_that_makes_it_wide_is_closed_not_the_one_around_it():
    rows = [*fan("block/wide", 12, "x"), *fan("block/small", 2, "block/wide_out")]
    more = [("tail", "Relu", "block/small_out", "t"), *fan("other", 3, "t")]
    assert opened(body_of(*rows, *more)) == {"block", "small", "other"}


def test_where_closing_cannot_help_frames_stay_open():
    rows = [(f"op{n}", "Relu", "x", f"v{n}") for n in range(20)]
    rows.append(("all", "Sum", " ".join(f"v{n}" for n in range(20)), "s"))
    body = body_of(*rows, *fan("small", 3, "s"))
    found, drawing = layout.first_drawn(body)
    assert found == layout.first_opened(body)
    assert drawing.width > READABLE_WIDTH


def test_a_frame_around_nearly_everything_stays_open():
    assert opened(body_of(*fan("all", 20, "x"), ("end", "Relu", "all_out", "y"))) == {"all"}


@pytest.mark.parametrize(("blocks", "opens"), [(20, True), (200, False)])
def test_numbered_blocks_are_all_open_or_all_closed(blocks, opens):
    rows, source = [], "x"
    for block in range(blocks):
        for step in range(4):
            value = f"v{block}_{step}"
            rows.append((f"block{block}/op{step}", "Relu", source, value))
            source = value
    assert opened(body_of(*rows)) == {f"block{n}" for n in range(blocks) if opens}


def test_the_drawing_is_that_of_the_open_frames(samples):
    body = layout.body(open_model(samples / "sequence_loop.onnx"))
    found, drawing = layout.first_drawn(body)
    assert {frame.key for frame in drawing.frames} == found


def test_branches_of_control_flow_are_readable_at_first(shared):
    paths = sorted((shared / "real").glob("silero_vad*.onnx"))
    for path in paths:
        drawing = layout.first_drawn(layout.body(open_model(path)))[1]
        assert drawing.width <= READABLE_WIDTH
        assert len(drawing) > 40, "much is still seen"
    assert len(paths) == 2
