import pytest

from inspector.errors import BadInput
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.aggregation import aggregate
from inspector.trace.event_search import find
from inspector.trace.trace import Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder

CALLS = Track(Lane.ACTIVITY, "Calls", "", "activity", "app", "net.onnx", "main")
CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
DATA = Track(Lane.DATA, "Data", "", "data")
LAYERS = (TracedLayer(0, "stem/conv", "Conv"), TracedLayer(4, "head/relu", "Relu"))


@pytest.fixture(scope="module")
def traced():
    build = TraceBuilder()
    build.add(CALLS, "Run of net", 0, 5_000_000, run=0)
    build.add(CPU, "fused kernel", 100, 2_000_000, Kind.KERNEL, 0, 0)
    build.add(CPU, "clip", 2_000_100, 700, Kind.KERNEL, 4, 0)
    build.add(DATA, "copy to GPU", 3_000_000, 40_000, Kind.COPY, run=0, size_bytes=1 << 20)
    build.add(DATA, "copy back", 4_000_000, 40_000, Kind.COPY, run=1, size_bytes=512)
    return OpenedTrace(build.trace(), LAYERS, (), "made up")


def names(traced, text):
    mask = find(traced, text)
    trace = traced.trace
    chosen = mask.nonzero()[0]
    return {trace.names[trace.name[place]] for place in chosen}


@pytest.mark.parametrize(
    ("text", "fitting"),
    [
        ("COPY", {"copy to GPU", "copy back"}),
        ("copy gpu", {"copy to GPU"}),
        ('"copy to"', {"copy to GPU"}),
        ("relu", {"clip"}),  # the operator of its layer
        ("copy -back", {"copy to GPU"}),
        ("/^(run|copy b)/", {"Run of net", "copy back"}),
        ("/copy to/ /gpu$/", {"copy to GPU"}),
        ("op:conv", {"fused kernel"}),
        ("layer:head*", {"clip"}),
        ("name:/^c/", {"clip", "copy to GPU", "copy back"}),
        ("track:cpu dur>=2ms", {"fused kernel"}),
        ("track:cpu dur<1us", {"clip"}),
        ("kind:kernel", {"fused kernel", "clip"}),
        ("lane:data size>64KiB", {"copy to GPU"}),
        ("size=512", {"copy back"}),
        ("run=2", {"copy back"}),
        ("start>3.5ms", {"copy back"}),
        ("thread:main", {"Run of net"}),
        ("model:net*", {"Run of net"}),
        ("-dur>1us", {"clip"}),
        ("c*p", {"clip"}),
    ],
)
def test_an_event_is_found_by_what_is_known_of_it(traced, text, fitting):
    assert names(traced, text) == fitting


def test_an_empty_text_searches_nothing(traced):
    assert find(traced, "  ") is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dur>long", "'long' after 'dur' is not a time such as 1.5ms"),
        ("size>3ms", "'3ms' after 'size' is not a size such as 64KiB"),
        ("run>=first", "'first' after 'run' is not a number"),
        ("op:", "'op:' needs a value after the colon"),
        ("/(/", "'(' is not a regular expression"),
    ],
)
def test_a_mistake_is_explained(traced, text, why):
    with pytest.raises(BadInput) as caught:
        find(traced, text)
    assert caught.value.why.startswith(why)
    assert caught.value.hint


def test_groups_of_a_search_count_what_it_found_and_share_the_whole(traced):
    every = aggregate(traced.trace, LAYERS)
    copies = aggregate(traced.trace, LAYERS, found=find(traced, "kind:copy"))
    assert copies.names == ("copy to GPU", "copy back")
    assert copies.total_ns.tolist() == [40_000, 40_000]
    place = every.names.index("copy back")
    assert copies.shares()[1] == pytest.approx(every.shares()[place])
