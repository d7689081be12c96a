"""Files with the rules of a user's own devices."""

import json

import pytest

from inspector.analysis.devices import support_tables
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import BadInput
from inspector.platform import settings
from inspector.wording.support_marks import Mark
from tests.analysis.build import layers, model, value

RULES = [{"operators": ["Conv"], "checks": [["rank", 0, [4]]]}, {"operators": ["Add"]}]


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return a function that writes a file of rules."""
    monkeypatch.setattr(settings, "devices_folder", lambda: tmp_path)
    caches = support_tables.of_plugins, absent_devices.table

    def write(**plain):
        (tmp_path / "chip.json").write_text(json.dumps({"devices": {"my-chip": {}}, **plain}))
        for each in caches:
            each.cache_clear()

    yield write
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize(
    ("axes", "mark"), [((1, 3, 8, 8), Mark.SUPPORTED), ((1, 3, 8), Mark.UNSUPPORTED)]
)
def test_a_device_takes_the_operators_and_ranks_that_its_file_says(own, axes, mark):
    own(rules=RULES)
    made = model(layers(("Conv", "x", "a"), ("Relu", "a", "b"), ("Add", "b", "y")))
    values = {name: value(name, shape=axes) for name in "xaby"}
    (said,) = absent_devices.predict(made, ["my-chip"], values).values()
    assert [each.mark for each in said] == [mark, Mark.UNSUPPORTED, Mark.SUPPORTED]


def test_a_file_with_an_unknown_condition_is_the_reason(own):
    own(rules=[{"operators": ["Conv"], "checks": [["rnk", 0]]}])
    with pytest.raises(BadInput) as caught:
        absent_devices.table("my-chip")
    assert "chip.json" in caught.value.hint
    assert "'rnk'" in caught.value.hint
