"""Conditions on a changed model: what is true, what is not, and what noise leaves open."""

import pytest
from msgspec.structs import replace

from inspector.comparison.ci_conditions import Outcome
from inspector.comparison.improvement_conditions import judged, parse
from inspector.errors import BadInput
from inspector.report.improvement import Accuracy, Candidate, Improvement, Latency, headline
from inspector.statistics.significance import Verdict

TOP1 = Accuracy("top1", "Top-1 accuracy", 0.95, 0.97, -0.02, -0.035, -0.008, 400)
MADE = Candidate(
    "int8",
    ("int8",),
    300_000,
    4,
    latency=Latency(8e5, change=-0.2, low=-0.22, high=-0.18, original=Latency(1e6)),
    accuracy=(TOP1,),
    peak_bytes=60_000_000,
    sqnr_db=22.0,
    changed=9,
    original_peak_bytes=80_000_000,
)
STATE = Improvement(
    "net.onnx", "", "cpu", Candidate("net.onnx", (), 1_000_000), (MADE,), "top1", best=0
)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("accuracy<-0.5%", Outcome.HOLDS),
        ("accuracy<-1%", Outcome.UNDECIDED),
        ("accuracy<-4%", Outcome.FAILS),
        ("accuracy<0.97", Outcome.HOLDS),
        ("accuracy<0.9", Outcome.FAILS),
        ("latency.p50>+0%", Outcome.FAILS),
        ("latency.p50>-20%", Outcome.UNDECIDED),
        ("latency.p50>-0.3ms", Outcome.HOLDS),
        ("latency.p50>1ms", Outcome.FAILS),
        ("model.size>-50%", Outcome.FAILS),
        ("model.size>200KiB", Outcome.HOLDS),
        ("memory.peak>+0%", Outcome.FAILS),
        ("output.sqnr<30", Outcome.HOLDS),
        ("inputs.changed>10", Outcome.FAILS),
    ],
)
def test_condition_holds_where_the_whole_interval_meets_it(text, outcome):
    (finding,) = judged([parse(text)], STATE)
    assert finding.outcome is outcome, finding.text


def test_twenty_inputs_decide_nothing_about_accuracy():
    few = replace(STATE, candidates=(replace(MADE, accuracy=(replace(TOP1, count=20),)),))
    (finding,) = judged([parse("accuracy<-0.5%")], few)
    assert finding.outcome is Outcome.UNDECIDED
    assert finding.text == "20 inputs, but at least 30 are needed"


def test_only_candidate_counts_where_none_is_better_and_several_leave_it_open():
    alone = replace(STATE, best=-1)
    assert judged([parse("model.size>200KiB")], alone)[0].name == "int8"
    several = replace(alone, candidates=(MADE, MADE))
    (finding,) = judged([parse("model.size>200KiB")], several)
    assert finding.outcome is Outcome.UNDECIDED
    broken = replace(alone, candidates=(replace(MADE, problem="none: it died"),))
    assert judged([parse("model.size>1B")], broken)[0].text == "none: it died"


def test_unknown_metric_is_refused_with_the_known_ones():
    with pytest.raises(BadInput, match="no metric 'acuracy'") as error:
        parse("acuracy<-1%")
    assert "Did you mean 'accuracy'?" in error.value.hint


def test_a_contradicted_latency_decides_nothing_and_is_shown_nowhere():
    """The verdict is stored; files of earlier versions have only the interval."""
    reason = "uninterrupted runs say 27.0× faster, CPU time 2.30× faster"
    timed = Latency(
        4e4, change=-0.963, low=-0.97, high=-0.95, original=Latency(1e6),
        verdict=Verdict.CONTRADICTED.value, reason=reason,
    )  # fmt: skip
    candidate = replace(MADE, latency=timed)
    state = replace(STATE, candidates=(candidate,))
    (finding,) = judged([parse("latency.p50>-50%")], state)
    assert finding.outcome is Outcome.UNDECIDED
    assert reason in finding.text
    assert headline(state).endswith("latency inconclusive")
    assert "27" not in headline(state)
    assert candidate.cautions[0] == f"{reason[0].upper()}{reason[1:]}."
    assert timed.known_change is None
    old = replace(timed, verdict="", reason="")
    assert old.judgement.verdict is Verdict.FASTER
    bare = replace(old, low=None, high=None)
    (finding,) = judged([parse("latency.p50>-50%")], replace(state, candidates=(
        replace(MADE, latency=bare),)))  # fmt: skip
    assert finding.outcome is Outcome.UNDECIDED
