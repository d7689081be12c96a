"""The page of a model that inspector info prints, and what other answers need of it."""

import argparse
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec.structs import replace

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts, facts
from inspector.backends.values import Progress as Step
from inspector.cli import pages
from inspector.cli.command_timer import ended_after
from inspector.cli.dimensions import checked_dimensions
from inspector.cli.estimates import estimated
from inspector.cli.progress import Progress
from inspector.engine.client.engine import Engine
from inspector.errors import InspectorError
from inspector.formats.opening import digest
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.pages.blocks import Page
from inspector.pages.model.computed import computed
from inspector.pages.model.layers import layers
from inspector.pages.model.page import model_page
from inspector.preview.identity import identify
from inspector.units import clip

GetEngine = Callable[[], Engine]
_LOOK_SECONDS = 0.1  # between two looks at how far the SHA-256 is


def print_page(
    path: Path,
    model: Model,
    options: argparse.Namespace,
    engine: "GetEngine",
    around: Callable[[Page], Page] = lambda page: page,
) -> None:
    """Print what the file says, then what is computed of it.

    around: makes the page of a folder of that of its main graph.
    """
    known = facts(model)
    pages.show(around(_page(model, known, options)), options.details)
    sys.stdout.flush()
    checksum = None if options.no_hash else Checksum(path)
    if not options.no_shapes:
        estimate = estimated_cost(model, path, options, engine())
        pages.show_section(computed(estimate))
        if options.details:
            pages.show_section(layers(model, estimate))
    if checksum is not None:
        print(f"\nSHA-256  {checksum.wait()}", flush=True)


def in_time(path: Path, options: argparse.Namespace) -> AbstractContextManager[None]:
    """Return a block that ends when the time for one model is over, with an InspectorError."""
    return ended_after(options.time_limit, f"Could not finish {clip(path.name)}")


class Checksum:
    """The SHA-256 of a file, computed on a thread while other things are."""

    def __init__(self, path: Path) -> None:
        self._path, self._size = path, max(1, path.stat().st_size)
        self._read = 0
        self._found: str | InspectorError = ""
        self._thread = threading.Thread(target=self._compute, name="SHA-256", daemon=True)
        self._thread.start()

    def wait(self) -> str:
        """Return the digest; a terminal sees how it comes along. Raises UnreadableFile."""
        with Progress(sys.stderr) as progress:
            while self._thread.is_alive():
                self._thread.join(_LOOK_SECONDS)
                progress.show(Step("checksum", min(1.0, self._read / self._size)))
        if isinstance(self._found, str):
            return self._found
        raise self._found

    def _compute(self) -> None:
        def count(size_bytes: int) -> None:
            self._read += size_bytes

        try:
            self._found = digest(self._path, count)
        except InspectorError as error:
            self._found = error


def estimated_cost(
    model: Model, path: Path, options: argparse.Namespace, engine: Engine
) -> Estimate:
    """Return what running the model costs, at the sizes of --dim."""
    return estimated(model, path, lengths(model, options), engine)


def lengths(model: Model, options: argparse.Namespace) -> dict[str, int]:
    """Return the lengths of --dim; of several models, those of the axes that this one has.

    Raises BadInput: the only model has no such axis.
    """
    if len(options.models) == 1:
        return checked_dimensions(options, model)
    names = free_axes(model.inputs)
    return {name: size for name, size in options.dimensions if name in names}


def _page(model: Model, known: Facts, options: argparse.Namespace) -> Page:
    """Return what the file says; what has to be computed follows."""
    page = model_page(model, known, identify(model), types_follow=not options.no_shapes)
    if options.no_shapes:
        return page
    sections = tuple(section for section in page.sections if section.id != "layers")
    return replace(page, sections=sections)
