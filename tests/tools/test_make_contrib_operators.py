import json

import pytest
from onnxruntime.capi import onnxruntime_pybind11_state as state

from inspector.analysis.facts.requirements import contrib_operators, order
from tools import make_contrib_operators


def test_the_table_of_contrib_operators_is_what_its_script_writes():
    stored = make_contrib_operators.TABLE.read_text("utf-8")
    table = json.loads(stored)
    assert make_contrib_operators.written(table) == stored
    assert all(version.startswith(name) for name, version in table["releases"].items())


def test_operators_are_kept_from_their_first_to_their_last_release():
    found = {"1.0": ["d.A", "d.Gone"], "1.1": ["d.A", "d.Gone", "d.B"], "1.2": ["d.A", "d.B"]}
    assert make_contrib_operators.spans(found) == {
        "d.A": ["1.0"],
        "d.B": ["1.1"],
        "d.Gone": ["1.0", "1.1"],
    }


def test_the_table_has_what_the_installed_runtime_registers():
    import onnxruntime

    release = ".".join(onnxruntime.__version__.split(".")[:2])
    table = contrib_operators()
    if release not in table.releases:
        pytest.skip(f"the table does not know ONNX Runtime {release}")
    registered = {
        f"{schema.domain}.{schema.name}"
        for schema in state.get_all_operator_schema()
        if schema.domain in make_contrib_operators.DOMAINS
    }
    listed = {
        name
        for name, releases in table.operators.items()
        if order(releases[0]) <= order(release) and len(releases) == 1
    }
    assert listed == registered
