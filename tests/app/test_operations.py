"""Each thing one can ask has one record; whatever lists such things has these."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import inspector
from inspector import api
from inspector.app.operations import OPERATIONS, Operation
from inspector.cli.command_table import COMMANDS
from inspector.cli.main import command_parser
from inspector.engine import requests
from inspector.pages.blocks import Page
from inspector.ui.window.tabs import all_tabs

DOCS = Path(__file__).parents[2] / "docs"
VIEWS = {
    "sweep",
    "machines",
    "compare",
    "diff",
    "trace",
}  # of the window, beside a model's tabs
by_name = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)


def test_the_python_api_is_what_the_operations_have():
    functions = {name for each in OPERATIONS for name in each.functions}
    results = {name for each in OPERATIONS for name in each.results}
    errors = {"Cancelled", "InspectorError", "OutputsDestroyed"}
    around_calls = {"Cancellation", "run_async"}
    assert functions | results | errors | around_calls == {*api.__all__, "recording"}
    assert all(hasattr(inspector, name) for name in {*api.__all__, "recording"})


def test_every_request_belongs_to_an_operation():
    listed = {name for each in OPERATIONS for name in each.requests}
    ours = {
        each
        for each in requests.Request.__subclasses__()
        if each.__module__ == requests.__name__
    }
    assert listed == {each.__name__ for each in ours}


def test_every_tab_belongs_to_an_operation():
    shown = {each.tab for each in OPERATIONS if each.tab}
    assert shown - VIEWS <= {tab.id for tab in all_tabs()}
    assert {tab.id for tab in all_tabs() if tab.runs_model} <= shown


def test_names_are_given_once():
    assert len({each.name for each in OPERATIONS}) == len(OPERATIONS)
    tools = [name for each in OPERATIONS for name in (*each.tools, *each.saving_tools)]
    assert len({*tools}) == len(tools)


@by_name
def test_an_operation_has_its_command(operation: Operation):
    (command,) = (each for each in COMMANDS if each.name == operation.name)
    options = command_parser(operation.name)._option_string_actions
    assert command.summary == operation.summary
    assert ("--on" in options) == operation.elsewhere


@by_name
def test_what_runs_elsewhere_is_asked_by_requests_that_do(operation: Operation):
    kinds = [getattr(requests, name).kind for name in operation.requests]
    assert any(kinds) or not operation.elsewhere


@by_name
def test_an_operation_has_its_page(operation: Operation):
    module, _, name = operation.page.partition(":")
    builder = getattr(import_module(f"inspector.pages.{module}"), name)
    assert builder.__annotations__["return"] in (Page, "Page")
    assert not operation.tab or (DOCS / "tabs" / f"{operation.tab}.md").exists()


@by_name
def test_a_command_asks_for_its_use_case(operation: Operation):
    """The command parses and shows; what is done stands in `app`, for all who ask."""
    if not operation.use_case:
        return
    name, _, function = operation.use_case.partition(":")
    assert callable(getattr(import_module(f"inspector.app.{name}"), function))
    run = import_module(f"inspector.cli.runs.{operation.name}")
    tree = ast.parse(Path(str(run.__file__)).read_text("utf-8"))
    imported = {
        f"{node.module}.{each.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    place = f"inspector.app.{name}"
    assert any(each == place or each.startswith(f"{place}.") for each in imported)
