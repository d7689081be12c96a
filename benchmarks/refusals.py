"""How many refusals of odd models leave a user without a hint, or with raw text of C++.

Run: python -m benchmarks.refusals [--models DIR ...] [--list]
Small models that ONNX Runtime refuses, each for another reason, and every model below the given
folders is opened, loaded and predicted once, as `inspector predict MODEL` does. Of what it is
refused with, the share that has no hint is the figure; the target is 0.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.parts.raw_text import RAW
from benchmarks.parts.refused_models import MODELS
from inspector.engine.client.engine_process import EngineProcess, Limits
from inspector.errors import EngineDied, InspectorError
from inspector.formats import opening
from inspector.preview.inputs import feeds
from inspector.report.run_spec import RunSpec

OWN_SECONDS = 30.0  # ours end by themselves, on a busy machine as well
SECONDS = 3.0  # hostile models run for ever, and are no refusals
SHARED = Path(__file__).resolve().parents[2] / "shared" / "models"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A model that was refused, and the error as a user gets it."""

    model: str
    error: InspectorError

    @property
    def complete(self) -> bool:
        """Whether the user is told what happened, why, and what to do."""
        return bool(self.error.what and self.error.why and self.error.hint)

    @property
    def raw(self) -> bool:
        """Whether it shows what only a reader of C++ understands."""
        return RAW.search(str(self.error)) is not None


def refusal(
    engine: EngineProcess, path: Path, given: Mapping[str, Any] | None = None
) -> InspectorError | None:
    """Predict once with the usual values, or the given ones; return why not, if not."""
    try:
        values = given or feeds.feeds_by_name(
            feeds.defaults(opening.open_model(path).inputs, {})
        )
        engine.predict(path, RunSpec(), values)
    except EngineDied:
        return None
    except InspectorError as error:
        return error
    return None


def of_own_models(engine: EngineProcess, folder: Path) -> Iterator[Refusal]:
    """Save and try each model that is refused; AssertionError: one is not."""
    for name, make in MODELS.items():
        model = make()
        path = model.save(folder / f"{name.replace(' ', '_')}.onnx")
        error = refusal(engine, path, model.feeds)
        assert error is not None, f"{name} is not refused"
        yield Refusal(name, error)


def below(engine: EngineProcess, folder: Path) -> Iterator[Refusal]:
    """Try each model below a folder; those that run are left out."""
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".onnx", ".ort")):
        if path.is_file() and (error := refusal(engine, path)) is not None:
            yield Refusal(path.relative_to(folder).as_posix(), error)


def main() -> None:
    """Print the share of refusals without a hint."""
    parser = argparse.ArgumentParser(description=__doc__)
    usual = [folder for name in ("odd", "bad", "real") if (folder := SHARED / name).is_dir()]
    parser.add_argument("--models", type=Path, nargs="*", default=usual, metavar="DIR")
    parser.add_argument("--list", action="store_true", help="print every refusal")
    options = parser.parse_args()
    with (
        TemporaryDirectory() as temporary,
        EngineProcess(limits=Limits(job_seconds=OWN_SECONDS)) as engine,
    ):
        groups = {"models of each kind of refusal": [*of_own_models(engine, Path(temporary))]}
    with EngineProcess(limits=Limits(job_seconds=SECONDS)) as engine:
        for models_folder in options.models:
            groups[models_folder.name] = [*below(engine, models_folder)]
    for name, refusals in groups.items():
        poor = [refusal for refusal in refusals if not refusal.complete]
        raw = [refusal for refusal in refusals if refusal.raw]
        share = 100 * len(poor) / max(1, len(refusals))
        print(
            f"{name}: {len(refusals)} refusals, {len(poor)} without a hint ({share:.1f}%; "
            f"target 0), {len(raw)} with text of C++ (target 0)"
        )
        for one in refusals if options.list else [*poor, *raw]:
            print(f"  {one.model}: {one.error}".replace("\n", "\n    "))


if __name__ == "__main__":
    main()
