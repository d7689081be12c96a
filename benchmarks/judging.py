"""Verdicts on changed models beside the truth: known damage, none, and real quantization.

`python -m benchmarks.judging` builds models with outputs of many kinds, changes them, and
scores each result by numpy on what plain onnxruntime gives. Beside it stands what `predict
--folder --against`, `improve`, `convert`, `verify` and `parity` say. Status 1 if a damaged
model is called good by any of them, if more than 2 of 60 sound ones are called bad, or if more
than 6 of 60 stay undecided where they saw enough inputs. `--quick` asks the judge alone,
without processes. `--seed` makes other models. `--fresh` takes damage that no threshold was
chosen with. `--every` asks about each action that keeps a model's ends, on each model that it
can change, and lists those with nothing to do.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime

from benchmarks.parts import judged_damage, judged_fresh
from benchmarks.parts.judged_families import FAMILIES, Family, Outputs, inputs
from inspector.analysis.verdicts.outputs import sentence
from inspector.app.changing import calibration, conversion, improvement
from inspector.app.changing.data_sets import TestInput
from inspector.app.changing.improvement import Workbench
from inspector.cli import main as command_line
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS, ONNX_ACTIONS
from inspector.conversion.result import Conversion
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import InspectorError
from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.model_comparison import comparison_of
from inspector.report.output_verdict import TEST_DATA, OutputVerdict

TEST, CALIBRATION = 24, 16  # inputs
SOUND, DAMAGED = 0.97, 0.9  # scores; between them a model is neither
# Sound ones called bad, and undecided ones, of 60 models. Verdicts are stricter than the score:
# errors of 10% of a spread are degraded, and 0.97 of explained variance are errors of 17%.
MOST_BAD, MOST_UNDECIDED = 2, 6
MOST_STRICT = 0.1  # share of sound ones called bad, where there are more models
GOOD_WORD, BAD_WORD, OPEN_WORD = "good", "bad", "open"
QUANTIZING = ("int8", "weights-", "palettize", "float8", "mxfp4", "nvfp4")
ONE_INPUT = ("parity",)  # which may leave it open


class Case(NamedTuple):
    """A changed model: of which family, what was done, both files; the action that `convert`
    makes it with, or none."""

    family: Family
    what: str
    original: Path
    changed: Path
    action: str = ""


class Row(NamedTuple):
    """What is true of a case, and what each surface says."""

    case: Case
    score: float
    truth: str
    said: dict[str, str]
    text: str


def main() -> int:
    """Print the table; see above."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="ask the judge alone")
    parser.add_argument("--fresh", action="store_true", help="other damage")
    parser.add_argument("--every", action="store_true", help="all actions on all models")
    parser.add_argument("--seed", type=int, default=1, help="of the models")
    parser.add_argument("--only", default="", help="part of a family's name")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as made:
        for case in _cases(Path(made), options):
            row = _judged(case, options.quick)
            rows.append(row)
            said = " ".join(f"{name} {word}" for name, word in row.said.items())
            mark = "!" if _wrong(row) else " "
            print(
                f"{mark} {row.truth:7} {row.score:5.3f}  {said:38}  "
                f"{case.family.name}, {case.what}: {row.text}",
                flush=True,
            )
    return _summary(rows)


def _cases(folder: Path, options: argparse.Namespace) -> Iterator[Case]:
    families = {each.name: each for each in FAMILIES if options.only in each.name}
    originals = {}
    for number, family in enumerate(families.values()):
        originals[family.name] = folder / f"model{number}.onnx"
        family.build(originals[family.name], options.seed)
    source: Any = judged_fresh if options.fresh else judged_damage
    planted = () if options.every else (*source.PLANTED, *source.HARMLESS)
    converted = [*product(families, _actions())] if options.every else source.QUANTIZED
    for name, what, output, damage in planted:
        if name in families:
            path = folder / f"changed{len(list(folder.iterdir()))}.onnx"
            judged_damage.damaged(originals[name], path, output, damage)
            yield Case(families[name], what, originals[name], path)
    with EngineProcess() as engine:
        for name, step in converted:
            if name not in families:
                continue
            own = folder / f"made{len(list(folder.iterdir()))}"
            own.mkdir()
            given = [{"x": x} for x in inputs(families[name], CALIBRATION, 77)]
            try:
                result = conversion.convert(
                    engine,
                    originals[name],
                    [parse_step(step, ACTIONS)],
                    own,
                    calibration.named(given),
                )
            except InspectorError as error:
                print(f"  left out: {name}, {step}: {error}")
                continue
            if not result.unchanged:
                yield Case(families[name], step, originals[name], result.path, step)
            elif options.every:
                print(f"  nothing to do: {name}, {step}")


def _actions() -> list[str]:
    """Return the actions on ONNX models whose answers are to stay, and what a search tries."""
    whole = [each.id for each in ONNX_ACTIONS.values() if each.keeps_ends and not each.edits]
    return [*dict.fromkeys((*whole, *improvement._RECIPES))]


def _judged(case: Case, quick: bool) -> Row:
    tests = inputs(case.family, TEST, 5)
    before, after = (_answers(path, tests) for path in (case.original, case.changed))
    score = case.family.score(before, after)
    truth = GOOD_WORD if score >= SOUND else BAD_WORD if score <= DAMAGED else "between"
    verdict = _by_judge(case, before, after)
    said = {"judge": _word(verdict.level)}
    if not quick:
        said |= _by_surfaces(case, tests, before)
    return Row(case, score, truth, said, sentence(verdict))


def _answers(path: Path, tests: Sequence[Any]) -> list[Outputs]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    return [session.run(None, {"x": x}) for x in tests]


def _by_judge(case: Case, before: Sequence[Outputs], after: Sequence[Outputs]) -> OutputVerdict:
    model = open_model(case.original)
    names = [output.name for output in model.outputs]
    first = inputs(case.family, 1, 5)[0]
    comparison = comparison_of(case.original, model, {"x": first})
    for one, two in zip(before, after, strict=True):
        comparison.add(_values(names, one), _values(names, two))
    return comparison.verdict(TEST_DATA)


def _values(names: Sequence[str], arrays: Outputs) -> list[OutputValue]:
    pairs = zip(names, arrays, strict=True)
    return [OutputValue(name, "tensor", str(array.dtype), array) for name, array in pairs]


def _by_surfaces(case: Case, tests: Sequence[Any], before: Sequence[Outputs]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "tests"
        folder.mkdir()
        names = [output.name for output in open_model(case.original).outputs]
        sets = []
        for number, x in enumerate(tests):
            np.save(folder / f"{number:02}.npy", x)
            if number < 6:
                sets.append(str(Path(made) / f"{number}.npz"))
                arrays: dict[str, Any] = dict(zip(names, before[number], strict=True))
                np.savez(sets[-1], x=x, **arrays)
        original, changed = str(case.original), str(case.changed)
        one = ["--input", f"x={folder / '00.npy'}"]
        predict = ["predict", original, "--folder", str(folder), "--against", changed]
        said = {
            "predict": _of_command(*predict),
            "parity": _of_command("parity", original, "--against", changed, *one),
            "improve": _by_improve(case, tests),
        }
        # Whoever edits a float model says what may differ; quantized ones have it by default.
        integers = case.action.startswith(QUANTIZING)
        loose = () if integers else ("--rtol", "0.05", "--atol", "0.05")
        if case.action:
            said["convert"] = _by_convert(case, Path(made), folder)
        status, _ = _run("verify", changed, *sets, *loose)
        said["verify"] = BAD_WORD if status else GOOD_WORD
    return said


def _by_convert(case: Case, made: Path, tests: Path) -> str:
    typical, target = made / "typical", made / "converted.onnx"
    typical.mkdir()
    for number, x in enumerate(inputs(case.family, CALIBRATION, 77)):
        np.save(typical / f"{number:02}.npy", x)
    folders = ("--calibration", str(typical), "--test", str(tests))
    words = ("convert", str(case.original), case.action, *folders, "-o", str(target))
    status, text = _run(*words, "--accept", "--json")
    verdict = json.loads(text)["verdict"] if text else None
    return BAD_WORD if status or verdict is None else _word(verdict["level"])


def _by_improve(case: Case, tests: Sequence[Any]) -> str:
    known = [
        TestInput(str(number), lambda x=x: {"x": x})  # type: ignore[misc]
        for number, x in enumerate(tests)
    ]
    model = open_model(case.original)
    made = Conversion(case.changed, (), (), (), (), original=case.original)
    with Workbench(case.original, model, known, [], starts=0) as bench:
        candidate = bench.evaluate("changed", made)
    if candidate.problem or candidate.outputs is None:
        return BAD_WORD if candidate.problem else OPEN_WORD
    return _word(candidate.outputs.level)


def _of_command(*words: str) -> str:
    status, text = _run(*words, "--json")
    return _word(json.loads(text)["verdict"]["level"]) if text and not status else BAD_WORD


def _run(*words: str) -> tuple[int, str]:
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        status = command_line.run([*words])
    return status, out.getvalue()


def _word(level: str) -> str:
    known = {"same": GOOD_WORD, "within limit": GOOD_WORD, "undecided": OPEN_WORD}
    return known.get(level, BAD_WORD)


def _wrong(row: Row) -> bool:
    opposite = {GOOD_WORD: BAD_WORD, BAD_WORD: GOOD_WORD}.get(row.truth)
    return any(word == opposite for word in row.said.values())


def _summary(rows: Sequence[Row]) -> int:
    count = Counter(row.truth for row in rows)
    print(f"\n{len(rows)} changed models: {dict(count)}")
    failed = False
    for name in dict.fromkeys(name for row in rows for name in row.said):
        asked = [row for row in rows if name in row.said]
        count = Counter(row.truth for row in asked)
        good = sum(r.truth == BAD_WORD and r.said[name] == GOOD_WORD for r in asked)
        bad = sum(r.truth == GOOD_WORD and r.said[name] == BAD_WORD for r in asked)
        undecided = sum(row.said[name] == OPEN_WORD for row in asked)
        print(
            f"{name:8} damaged called good: {good} of {count[BAD_WORD]}, sound called bad: "
            f"{bad} of {count[GOOD_WORD]}, undecided: {undecided} of {len(asked)}"
        )
        many = undecided > MOST_UNDECIDED * len(asked) / 60 and name not in ONE_INPUT
        failed |= bool(good) or bad > max(MOST_BAD, MOST_STRICT * count[GOOD_WORD]) or many
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
