"""Differences between two models as Markdown and as a page: how much of them is shown."""

import re
from dataclasses import replace
from functools import cache

import pytest
from inspector.export.pages.model_diff_pages import (
    MOST_GROUPS,
    MOST_LAYERS,
    MOST_PAGE_LAYERS,
    AtAGlance,
    model_diff_html,
    model_diff_markdown,
)

from inspector.comparison.model_changes import ChangeGroup, ModelDiff, State
from inspector.comparison.model_diff import diff
from tests.analysis.build import layers, model, value

COUNT = MOST_PAGE_LAYERS + 3


@cache
def relus_as_tanhs() -> ModelDiff:
    """Return the differences of two chains of layers that differ in each operator."""

    def chain(operator: str) -> ModelDiff:
        rows = ((operator, f"v{i}", f"v{i + 1}") for i in range(COUNT))
        ends = {"inputs": (value("v0"),), "outputs": (value(f"v{COUNT}"),)}
        return model(layers(*rows), name=f"{operator} & co", **ends)

    return diff(chain("Relu"), chain("Tanh"))


def with_groups(groups: int, pairs: int = 1) -> ModelDiff:
    group = ChangeGroup(State.CHANGED, "a < b", "detail", tuple(range(pairs)))
    return replace(relus_as_tanhs(), groups=(group,) * groups)


def markdown(of: ModelDiff) -> str:
    return model_diff_markdown(of).decode()


@pytest.mark.parametrize(
    ("groups", "more"),
    [(1, []), (MOST_GROUPS, []), (MOST_GROUPS + 1, ["1 more group"]), (30, ["10 more groups"])],
)
def test_a_comment_has_twenty_groups_and_the_number_of_others(
    groups: int, more: list[str]
) -> None:
    text = markdown(with_groups(groups))
    assert text.count("| `~` |") == text.count("**a") == min(groups, MOST_GROUPS)
    assert re.findall(r"^and (.*)$", text, re.MULTILINE) == more


@pytest.mark.parametrize("pairs", [MOST_LAYERS, MOST_LAYERS + 2])
def test_a_comment_has_ten_layers_of_a_group(pairs: int) -> None:
    lines = markdown(with_groups(1, pairs)).splitlines()
    assert sum(line.startswith("- `") for line in lines) == MOST_LAYERS
    assert ("- and 2 more" in lines) is (pairs > MOST_LAYERS)
    assert not any(line.startswith("- and 0") for line in lines)


@pytest.mark.parametrize("pairs", [MOST_PAGE_LAYERS, COUNT])
def test_a_page_has_all_groups_and_two_hundred_layers_of_each(pairs: int) -> None:
    text = model_diff_html(with_groups(30, pairs)).decode()
    assert text.count("<details>") == 30
    assert text.count("a &lt; b") == 30
    assert text.count("<li><code>") == 30 * MOST_PAGE_LAYERS
    assert text.count("<li>and 3 more</li>") == (30 if pairs > MOST_PAGE_LAYERS else 0)
    assert "<li>and 0" not in text


def test_both_begin_with_the_models_and_what_differs() -> None:
    of = relus_as_tanhs()
    text, page = markdown(of), model_diff_html(of).decode()
    assert text.startswith("### `Relu & co` and `Tanh & co`\n")
    assert re.search(rf"^\| A \| `Relu & co` \| {COUNT} \| 0 \|", text, re.MULTILINE)
    assert "<tr><td>B</td><td>Tanh &amp; co</td>" in page
    for each in (text, page):
        assert f"Layers: {COUNT} " in each
        assert "Condition" not in each


def test_what_the_window_knows_comes_first() -> None:
    of = relus_as_tanhs()
    rows = {"Latency (median)": ("1 ms", "2 ms", "2.00x < slower")}
    known = AtAGlance("B is slower.", rows, "Latency: 2.00x slower (95% CI 1.90x to 2.10x).")
    text = model_diff_markdown(of, (), known).decode()
    page = model_diff_html(of, (), known).decode()
    assert "| Latency (median) | 1 ms | 2 ms | 2.00x" in text
    assert "<td>1 ms</td><td>2 ms</td><td>2.00x &lt; slower</td>" in page
    for each in (text, page):
        places = [each.index(part) for part in ("B is slower.", "Latency (median)", "1.90x")]
        assert places == sorted(places)
        assert places[-1] < each.index("Layers:")


def test_models_without_a_difference_have_no_list_of_changes() -> None:
    same = diff(relus_as_tanhs().first, relus_as_tanhs().first)
    assert "<details>" not in markdown(same)
    assert "<details>" not in model_diff_html(same).decode()
    assert "the same layers" in markdown(same)
