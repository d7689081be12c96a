from inspector.analysis.facts.requirements import contrib_operators
from tools.check_requirements import RELEASES, Verdict, verdict
from tools.make_cpu_kernels import Kernel, Kernels, Operator, exceptions, later_parts, own

FLOAT, INT8 = ["tensor(float)"], ["tensor(int8)"]


def test_a_requirement_is_too_low_where_a_later_release_refuses_or_differs():
    answers = {"1.17": "refused", "1.18": [[6.0]], "1.20": [[6.0]], "1.27": [[5.0]]}
    right = verdict("1.27", "", answers)
    assert right == Verdict("1.27", "", "1.18", "")
    assert verdict("1.18", "", answers).problem == "1.20 computes something else than 1.27"
    assert verdict("1.17", "", {"1.17": "no such", "1.18": None}).problem.startswith("1.17 ref")
    assert verdict("1.18", "", {"1.17": "no such", "1.18": None}).problem == ""
    assert verdict("", "", {"1.32": "refused"}).problem == ""
    assert verdict("1.18", "", {"1.32": "invalid model"}).problem == ""
    assert verdict("1.18", "", {"1.32": "NOT_IMPLEMENTED"}).problem


def test_numbers_may_round_and_nan_is_equal():
    nan = float("nan")
    answers = {"1.18": [[1.0, nan]], "1.19": [[1.001, nan]]}
    assert verdict("1.18", "", answers).problem == ""
    assert verdict("1.18", "", {"1.18": [[1.0]], "1.19": [[1.1]]}).problem


def test_at_least_six_releases_are_asked_and_the_newest_is_the_tables():
    releases = RELEASES.split(",")
    assert len(releases) >= 6
    assert releases[-1] == contrib_operators().newest


def _operator(function: bool = False) -> Operator:
    kinds = (("0", "T", [*FLOAT, *INT8, "tensor(float16)"]),)
    return Operator("", "Op", 14, "1.17", function, kinds)


def test_only_kernels_that_the_runtime_takes_for_a_version_count():
    kernels: Kernels = {
        "1.17": {("", "Op"): [Kernel(13, 2**31 - 1, {"T": FLOAT})]},  # of exactly version 13
        "1.18": {("", "Op"): [Kernel(13, 15, {"T": FLOAT})]},
        "1.19": {("", "Op"): [Kernel(14, 2**31 - 1, {"T": [*FLOAT, *INT8]})]},
    }
    assert exceptions(_operator(), kernels, {}) == {"all": "1.18", "0": {"int8": "1.19"}}
    assert exceptions(_operator(), {"1.17": {}}, {}) == {"all": ""}


def test_combinations_that_a_release_lacks_need_a_later_one():
    kinds = tuple((place, name, [*FLOAT, *INT8]) for place, name in (("0", "T"), ("-1", "U")))
    operator = Operator("", "Op", 14, "1.17", False, kinds)
    types = {"T": [*FLOAT, *INT8], "U": [*FLOAT, *INT8]}
    lacks = frozenset([frozenset([("T", "tensor(int8)"), ("U", "tensor(float)")])])
    kernels: Kernels = {
        "1.17": {("", "Op"): [Kernel(14, 14, types, lacks)]},
        "1.18": {("", "Op"): [Kernel(14, 14, types)]},
    }
    assert exceptions(operator, kernels, {}) == {"0 -1": {"int8 float32": "1.18"}}


def test_parts_of_an_operator_that_came_after_it_are_listed():
    schemas = {
        "1.17": [["com.microsoft", "Op", 1, ["bits"], 2, [], []]],
        "1.18": [["com.microsoft", "Op", 1, ["bits", "mode"], 3, [], []]],
    }
    assert later_parts(schemas) == {"com.microsoft.Op 1": {"mode": "1.18", "3": "1.18"}}
    answers = {release: {"schemas": found} for release, found in schemas.items()}
    assert [(o.qualified, o.base) for o in own(answers)] == [("com.microsoft.Op", "1.17")]
