"""A new setting is one field: options, fields, axes, other machines and documents follow.

A process reads `report/run_spec.py` with one field more, and every other file as it is.
"""

import json
import os
import subprocess
import sys
from typing import Any

from tests.conftest import ROOT

TOY = """    toys: int = Setting(
        "Number of toys",
        SettingKind.COUNT,
        "Number of toys that the runtime plays with",
        most=7,
        zero="default",
        runtimes=(_ONNX_RUNTIME,),
    ).default(0)
"""
LOADED = f"""
import importlib.util, io, json, sys
from contextlib import redirect_stdout, suppress
name = "inspector.report.run_spec"
spec = importlib.util.find_spec(name)
text = open(spec.origin, encoding="utf-8").read()
place = text.index("    @property")
text = text[:place] + {TOY!r} + text[place:]
module = sys.modules[name] = importlib.util.module_from_spec(spec)
exec(compile(text, spec.origin, "exec"), vars(module))
RunSpec = module.RunSpec
found = {{}}
"""
PROGRAM = (
    LOADED
    + """
from inspector.analysis.measured.tuning_results import settings_text
from inspector.analysis.verdicts.contradictions import run_settings
from inspector.backends import registry
from inspector.cli import main
from inspector.errors import BadInput
from inspector.analysis.measured.sweep_labels import axis_label, value_label
from inspector.remote import messages
from inspector.report.report import ModelIdentity
from inspector.report.sweep import Axis, plan
from tools.make_schemas import schema_of
for command in ("measure", "sweep", "code"):
    with redirect_stdout(io.StringIO()) as printed, suppress(SystemExit):
        main.run([command, "--help"])
    found[command] = " ".join(printed.getvalue().split())
chosen = RunSpec(toys=3)
found["sent"] = messages.settings_of(chosen)
found["received"] = messages.read_spec(found["sent"]) == chosen
try:
    messages.read_spec({"toys": 8})
except BadInput as error:
    found["refused"] = error.why
cells = plan([ModelIdentity("m", "0" * 64, 1, 1, 1, "20")], RunSpec(), [Axis("toys", (0, 2))])
found["cells"] = [cells.spec_of(cell).toys for cell in cells.cells]
found["axis"] = [axis_label("toys"), value_label("toys", 0), value_label("toys", 2)]
found["text"] = settings_text(chosen)
found["alike"] = run_settings(chosen) == run_settings(RunSpec())
found["fitted"] = registry.BACKENDS["litert"].fitted(chosen).toys
found["documented"] = schema_of("report/1")["$defs"]["RunSpec"]["properties"]["toys"]
print(json.dumps(found))
"""
)
WINDOW = (
    LOADED
    + """
from pathlib import Path
from inspector.ui.app.application import make_application
application = make_application()
from inspector.ui.tabs.performance.settings import MeasureFields, spec_summary
from inspector.ui.tabs.sweep.plan_card import PlanAxes
from inspector.ui.widgets.theme import Theme
from tests.ui import made_documents
path = Path("sample_models/digits_float32.onnx")
document = made_documents.document(path, made_documents.KeepingEngine())
theme = Theme()
fields = MeasureFields(theme, document)
field = fields.backend["toys"]
found["field"] = [field.accessibleName(), field.toolTip()]
field.setValue(4)
found["chosen"] = document.spec.toys
found["summary"] = spec_summary(document.spec)
found["swept"] = list(PlanAxes(theme, document).chips["toys"].values)
print(json.dumps(found))
"""
)


def ran(program: str) -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=120,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def test_a_field_is_an_option_an_axis_a_message_and_documented():
    found = ran(PROGRAM)
    about = "number of toys that the runtime plays with; 0 lets the runtime decide (default: 0)"
    for command in ("measure", "code"):
        assert f"--toys N {about}" in found[command]
    assert "--toys A,B Number of toys; 0 lets the runtime decide" in found["sweep"]
    assert (found["sent"], found["received"]) == ({"toys": 3}, True)
    assert found["refused"] == "toys is above 7, the most that an agent accepts"
    assert found["cells"] == [0, 2]
    assert found["axis"] == ["number of toys", "default", "2"]
    assert found["text"] == "number of toys 3"
    assert not found["alike"], "two measurements with different toys are no repetitions"
    assert found["fitted"] == 0, "LiteRT has no toys"
    assert found["documented"]["description"] == (
        "Number of toys that the runtime plays with. 0: default."
    )


def test_a_field_is_one_of_the_window_too():
    found = ran(WINDOW)
    assert found["field"][0] == "Number of toys"
    assert "Number of toys that the runtime plays with" in found["field"][1]
    assert found["chosen"] == 4
    assert "number of toys 4" in found["summary"]
    assert 4 in found["swept"]
