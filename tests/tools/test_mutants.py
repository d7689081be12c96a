import ast
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tools import line_records, mutants
from tools.line_records import FileRecord
from tools.mutants import Mutant, Records, Result, mutants_of, mutated, score

CODE = '''\
"""A module, 7 lines."""
import sys
from typing import Literal

Kind = Literal["a", "b"]
SIZES: dict[str, int] = {"small": 1}
_WAIT_SECONDS = 3.0

def chosen(found, known=True, *, way="plain", most=100):
    """Return what is chosen; not more than 3."""
    if not found or known and len(found) >= most:
        return SIZES["small"]
    log.debug("found %d", 5)
    if sys.platform == "win32":
        return 9
    return f"{100 * found[0]:.1f} %" + "s"


def paint_box(painter):
    painter.draw(1, 2)


class Card:
    def nothing(self):
        return None

    def styled(self):
        palette = QPalette(3)

    def twice(self, one):
        self.setContentsMargins(8, 4, 8, 4)
        total = [a is b for a, b in zip(one, one, strict=True)]
        return total

    def wrapped(self, call):
        @wraps(call)
        def inner(): return call()
        return inner
'''


def changes(text: str) -> list[tuple[str, str]]:
    """Each mutated line beside the kind of its mutant."""
    lines = []
    for mutant in mutants_of("inspector/a.py", text):
        ast.parse(mutated(text, mutant))
        before = text.splitlines()
        after = re.sub(
            r"(return None)\n +(?=if|self|@)", r"\1; ", mutated(text, mutant)
        ).splitlines()
        (changed,) = [a for b, a in zip(before, after, strict=True) if a != b]
        lines.append((mutant.kind, changed.strip()))
    return lines


def test_each_kind_of_token_is_changed_and_what_a_rule_names_is_not():
    signature = 'def chosen(found, known={}, *, way="plain{}", most={}):'
    condition = "if {}found {} known {} len(found) {} most:"
    assert sorted(changes(CODE)) == sorted(
        [
            ("string key", 'SIZES: dict[str, int] = {"smallX": 1}'),
            ("off by one", 'SIZES: dict[str, int] = {"small": (1 + 1)}'),
            ("early return", "return None; if not found or known and len(found) >= most:"),
            ("True/False", signature.format(False, "", 100)),
            ("default argument", signature.format(True, "X", 100)),
            ("off by one", signature.format(True, "", "(100 + 1)")),
            ("and/or", condition.format("not ", "and", "and", ">=")),
            ("and/or", condition.format("not ", "or", "or", ">=")),
            ("comparison", condition.format("not ", "or", "and", ">")),
            ("not removed", condition.format(" ", "or", "and", ">=")),
            ("string key", 'return SIZES["smallX"]'),
            ("arithmetic", 'return f"{100 / found[0]:.1f} %" + "s"'),
            ("off by one", 'return f"{(100 + 1) * found[0]:.1f} %" + "s"'),
            ("off by one", 'return f"{100 * found[(0 + 1)]:.1f} %" + "s"'),
            ("early return", "return None; self.setContentsMargins(8, 4, 8, 4)"),
            ("comparison", "total = [a is not b for a, b in zip(one, one, strict=True)]"),
            ("early return", "return None; @wraps(call)"),
        ]
    )


def test_what_only_the_import_runs_is_told_from_bodies_of_functions():
    found = {mutant.kind for mutant in mutants_of("inspector/a.py", CODE) if mutant.at_import}
    assert found == {"string key", "off by one", "True/False", "default argument"}
    bodies = [mutant for mutant in mutants_of("inspector/a.py", CODE) if not mutant.at_import]
    assert min(mutant.line for mutant in bodies) == 11


def test_the_same_seed_chooses_the_same_mutants_after_a_module_has_moved():
    keys = [mutant.key for mutant in mutants_of("inspector/a.py", CODE)]
    moved = mutants_of("inspector/deep/b.py", f"# moved\n{CODE}")
    assert [mutant.key for mutant in moved] == keys
    assert len(set(keys)) == len(keys)


def test_a_sample_is_decided_by_its_seed_and_stays_below_a_folder():
    some = mutants.sample(3, 12, "inspector/sandbox")
    assert some == mutants.sample(3, 12, "inspector/sandbox")
    assert some[:5] == mutants.sample(3, 5, "inspector/sandbox")
    assert some != mutants.sample(4, 12, "inspector/sandbox")
    assert {mutant.module.split("/")[1] for mutant in some} == {"sandbox"}


def mutant(module: str = "inspector/ui/kit/seldom.py", line: int = 10) -> Mutant:
    return Mutant(module, line, 0, "", "", "early return", "", "")


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Records:
    """Of a checkout in which three test files can run a module's line 10."""
    (tmp_path / "tests/ui/kit").mkdir(parents=True)
    for name in ("kit/test_seldom", "kit/test_table", "test_all"):
        (tmp_path / f"tests/ui/{name}.py").write_text(f"# {name}")
    (tmp_path / "tests/ui/test_all.py").write_text(
        "from inspector.ui.kit import bars, seldom\n"
    )
    (tmp_path / "inspector/ui/kit").mkdir(parents=True)
    (tmp_path / "inspector/ui/kit/seldom.py").write_text("code")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "RECORDS", tmp_path / "records")
    (tmp_path / "records").mkdir()
    return Records()


def keep(name: str, tests: dict[str, float], *lines: int) -> None:
    """Keep a record of a test file that runs these lines of the module."""
    module = mutant().module
    texts = line_records.digest(mutants.ROOT / name), line_records.digest(mutants.ROOT / module)
    record = FileRecord(
        texts[0], tests, {module: [*lines]} if lines else {}, {module: texts[1]}
    )
    line_records.save(mutants.RECORDS, name, record)


def test_tests_that_run_the_line_come_nearest_first_and_within_their_time(records):
    keep("tests/ui/kit/test_seldom.py", {"mirror of another line": 1.0}, 11)
    keep("tests/ui/kit/test_table.py", {"near": 2.0, "slow": 19.0, "after 20 seconds": 1.0}, 10)
    keep("tests/ui/test_all.py", {"importer": 9.0}, 9, 10)
    records.bring_up_to_date(1)  # nothing is left to record
    running = ["importer", "near", "slow"]
    assert records.tests_of(mutant()) == [*running, "mirror of another line"]
    constant = replace(mutant(), line=1, at_import=True)
    assert records.tests_of(constant) == ["mirror of another line", *running]
    (mutants.ROOT / mutant().module).write_text("changed, so that lines have moved")
    assert records.tests_of(mutant()) == records.tests_of(constant)


def test_a_record_of_another_text_is_made_again(records, monkeypatch):
    made: list[str] = []
    monkeypatch.setattr(mutants, "_record", lambda files, _: made.extend(files))
    names = [
        f"tests/ui/{name}.py" for name in ("kit/test_seldom", "kit/test_table", "test_all")
    ]
    for name in names:
        keep(name, {})
    (mutants.ROOT / names[1]).write_text("# changed")
    records.bring_up_to_date(1)
    assert made == [names[1]]


def test_the_score_counts_what_no_test_runs_as_not_killed():
    outcomes = ("killed", "survived", "untested", "killed")
    assert score(Result(mutant(), outcome) for outcome in outcomes) == (2, 4)


@pytest.mark.parametrize("broken", [False, True])
def test_a_test_that_fails_without_a_change_kills_nothing(records, monkeypatch, broken, capsys):
    """An environment without a package gave 100 %: nothing that pytest loads could pass."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # Qt takes a second each time
    root, module = mutants.ROOT, "inspector/ui/kit/seldom.py"
    subprocess.run(["git", "init", "--quiet", root], check=True)
    (root / module).write_text("KNOWN = True\n")
    # pytest loads it in any folder of that name where Inspector is installed.
    plugin = root / "inspector/api/pytest_plugin.py"
    plugin.parent.mkdir()
    plugin.write_text("")
    name = "tests/ui/kit/test_seldom.py"
    (root / name).write_text(
        "from inspector.ui.kit import seldom\n"
        f"import {'json_of_nowhere' if broken else 'json'}\n\n\n"
        "def test_known():\n    assert seldom.KNOWN\n"
    )
    keep(name, {f"{name}::test_known": 1.0}, 1)
    records = Records()
    records.bring_up_to_date(0)
    tried = mutants_of(module, (root / module).read_text())
    assert [one.kind for one in tried] == ["True/False"]
    results = list(mutants.run_all(tried, records, 1))
    assert [result.outcome for result in results] == ["untested" if broken else "killed"]
    assert (f"fails without a change: ERROR {name}" in capsys.readouterr().out) is broken
