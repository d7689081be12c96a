"""A new advice rule is one function and one line in the registry: this adds a toy one."""

from collections.abc import Iterator

import pytest

from inspector.analysis.advice import rules
from inspector.analysis.advice.advice_helpers import Advice
from inspector.analysis.facts.model_facts import facts
from inspector.model.model import Model
from inspector.report.report import PerformanceReport, from_json, to_json
from tests.analysis.build import layers, model
from tests.reports import example_report


def many_layers(report: PerformanceReport) -> Iterator[Advice]:
    if len(report.layers) > 2:
        yield Advice("toy-report", "The toy rule read the report.", "None.", "Remove it.")


def named_toy(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    if model.graph_name == "toy":
        yield Advice("toy-model", "The toy rule read the model.", "None.", "Remove it.")


@pytest.fixture
def toy_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    toys = (rules.on_report(many_layers), rules.on_model(named_toy))
    monkeypatch.setattr(rules, "RULES", (*rules.RULES, *toys))


@pytest.mark.usefixtures("toy_rules")
def test_a_registered_rule_shows_in_the_advice_of_a_report():
    report = example_report()
    assert "toy-report" in [item.rule for item in rules.advice(report)]


@pytest.mark.usefixtures("toy_rules")
def test_a_rule_on_the_model_is_stored_in_the_report_for_readers_without_the_model():
    net = model(layers(("Relu", "x", "y")), graph_name="toy")
    stored = rules.with_advice(example_report(), net, facts(net))
    opened = from_json(to_json(stored), "r.json")
    assert [item.rule for item in rules.advice(opened) if item.rule == "toy-model"] == [
        "toy-model"
    ]
    assert "toy-model" not in [item.rule for item in rules.advice(example_report())]


def test_without_registration_no_toy_rule_applies():
    assert not [item for item in rules.advice(example_report()) if item.rule.startswith("toy")]
