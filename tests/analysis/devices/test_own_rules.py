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

    def write(**plain):
        (tmp_path / "chip.json").write_text(json.dumps({"devices": {"my-chip": {}}, **plain}))

    return write


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


def test_a_file_is_added_once_and_replaces_no_other(own, tmp_path):
    plain = {"devices": {"my-chip": {}}, "rules": RULES}
    chip = tmp_path / "elsewhere" / "new.json"
    chip.parent.mkdir()
    chip.write_text(json.dumps(plain))
    assert "my-chip" not in absent_devices.known()
    assert support_tables.add_own(chip) == support_tables.add_own(chip) == ("my-chip",)
    assert "my-chip" in absent_devices.known()
    chip.write_text(json.dumps({**plain, "source": "another"}))
    with pytest.raises(BadInput, match="has another file of this name"):
        support_tables.add_own(chip)
    chip.write_text("{}")
    with pytest.raises(BadInput, match="it has no rules of devices"):
        support_tables.add_own(chip)
