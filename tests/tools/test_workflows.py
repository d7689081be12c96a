"""The workflows: valid, and what they run is there."""

import re
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SYSTEMS = {"ubuntu-latest", "macos-latest", "windows-latest"}


def read(path: Path) -> dict[str, Any]:
    made = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(made, dict)
    return made


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_runs_is_there(path):
    jobs = read(path)["jobs"]
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for job in jobs.values():
        needs = job.get("needs", ())
        assert {*([needs] if isinstance(needs, str) else needs)} <= {*jobs}
        text = "\n".join(step.get("run", "") for step in job["steps"])
        assert {*re.findall(r"\bmake ([a-z][\w-]*)", text)} <= {*targets}
        for script in re.findall(r"\b(?:sh|bash) ([\w./-]+\.sh)", text):
            assert (ROOT / script).is_file(), script
        for module in re.findall(r"-m (tools|benchmarks)((?:\.\w+)+)", text):
            assert (ROOT / f"{''.join(module).replace('.', '/')}.py").is_file(), module


def test_the_program_without_python_is_built_for_three_systems():
    bundle = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]["bundle"]
    assert {*bundle["strategy"]["matrix"]["os"]} == SYSTEMS
    text = "\n".join(step.get("run", "") for step in bundle["steps"])
    assert "out/bundle/dist/inspector" in text
    script = (ROOT / "tools" / "bundle.sh").read_text("utf-8")
    assert 'place="$root/out/bundle"' in script
    assert 'program="$place/dist/inspector/inspector"' in script
