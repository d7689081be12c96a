from xml.etree import ElementTree

from msgspec.structs import replace

from inspector.comparison.ci_conditions import Finding, Outcome, parse
from inspector.render.tables.junit import junit

CONDITION = parse("prediction.p50>+10%")
FINDINGS = (
    Finding(CONDITION, "slow.json", Outcome.HOLDS, "+12.0%"),
    Finding(CONDITION, "same.json", Outcome.FAILS, "+0.1%"),
    Finding(CONDITION, "noisy.json", Outcome.UNDECIDED, "+9.8%"),
)


def test_a_condition_that_holds_is_a_failed_test():
    suite = ElementTree.fromstring(junit(FINDINGS))
    counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "0", "1"]
    cases = {case.get("classname"): [child.tag for child in case] for case in suite}
    assert cases == {"slow.json": ["failure"], "same.json": [], "noisy.json": ["skipped"]}


def test_undecided_counts_as_failed_where_that_is_wanted():
    suite = ElementTree.fromstring(junit(FINDINGS, undecided_fails=True))
    assert (suite.get("failures"), suite.get("skipped")) == ("2", "0")


def test_hostile_names_leave_the_file_whole():
    finding = replace(FINDINGS[0], name='a"<b>\x00\udce9&\n')
    suite = ElementTree.fromstring(junit((finding,)))
    assert suite[0].get("classname") == 'a"<b>\\u0000\\udce9&\\u000a'


def test_the_same_findings_give_the_same_bytes():
    assert junit(FINDINGS) == junit(FINDINGS)
