"""What many reports say together: the newest of each series, held against a baseline."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from msgspec.structs import replace

from inspector.analysis.measured.history import History, PastReport, in_series
from inspector.analysis.verdicts.results import BASELINE, Results, Series
from inspector.analysis.verdicts.speed import compare_medians
from inspector.errors import BadInput, InspectorError
from inspector.platform import files
from inspector.render import registry
from inspector.report.report import load

_AT_ONCE = 4  # reports that are read together


def gathered(
    reports: Sequence[PastReport],
    tag: str = BASELINE,
    authors: Mapping[Path, str] | None = None,
    links: Mapping[Path, str] | None = None,
) -> Results:
    """Return reports as series with their verdicts; those that cannot be read are left out.

    tag: of baselines, or the file of one. Raises BadInput: that file is none of the reports.
    """
    if files.exists(Path(tag)):
        reports, tag = _tagged(reports, Path(tag).resolve()), BASELINE
    found = sorted(in_series(reports), key=lambda each: each[-1].created, reverse=True)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        series = tuple(pool.map(lambda each: _judged(each, tag), found))
    return Results(series, authors or {}, links or {}, tag)


def reports_in(
    places: Sequence[Path],
    model: str = "",
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> tuple[PastReport, ...]:
    """Return the reports in files and folders, oldest first, without adding them to a library.

    model: the beginning of a name or of a SHA-256, "" for all. Raises BadInput: there is no
    such file or folder.
    """
    with TemporaryDirectory(prefix="inspector-") as folder:
        history = History(Path(folder))
        history.add(places)
        return history.reports(model, progress)


def page_names(reports: Sequence[PastReport]) -> dict[Path, str]:
    """Return a name for the web page of each report, such as "net-4f2a90c1d2e3"."""
    return {each.path: _page_name(each) for each in reports}


def _page_name(report: PastReport) -> str:
    word = "".join(letter if letter.isascii() and letter.isalnum() else "-"
                   for letter in Path(report.model).stem[:40]).strip("-")  # fmt: skip
    digest = hashlib.sha256(str(report.path).encode("utf-8", "surrogateescape")).hexdigest()
    return f"{word or 'report'}-{digest[:12]}"


def links_beside(page: Path, reports: Sequence[PastReport]) -> dict[Path, str]:
    """Return how a page leads to the files of reports that lie in or below its folder."""
    folder, found = page.resolve().parent, dict[Path, str]()
    for each in reports:
        with suppress(ValueError):
            beside = each.path.resolve().relative_to(folder)
            found[each.path] = quote(beside.as_posix())
    return found


def save_report_pages(page: Path, reports: Sequence[PastReport]) -> dict[Path, str]:
    """Write each report as a web page into a folder beside a page, and return their links.

    Raises NotSaved: a file cannot be written.
    """
    folder = page.with_name(f"{page.stem}_reports")
    files.make_folder(folder)
    found = dict[Path, str]()
    for path, name in page_names(reports).items():
        with suppress(BadInput, OSError):
            files.write_atomic(folder / f"{name}.html", report_html(path))
            found[path] = f"{quote(folder.name)}/{name}.html"
    return found


def report_html(path: Path) -> bytes:
    """Return a report as a web page, without the input image. Raises InspectorError."""
    return registry.export(load(path).without_picture, "html")


def _tagged(reports: Sequence[PastReport], baseline: Path) -> tuple[PastReport, ...]:
    """Return reports of which the one in a file alone has the tag of a baseline."""
    if all(each.path.resolve() != baseline for each in reports):
        hint = "Choose one of the reports, or a tag; `inspector history` lists both."
        raise BadInput(
            f"Could not use the baseline {baseline.name}", "it is none of the reports", hint
        )
    return tuple(
        replace(each, tags=(BASELINE,) if each.path.resolve() == baseline else ())
        for each in reports
    )


def _judged(reports: tuple[PastReport, ...], tag: str) -> Series:
    newest, baseline = reports[-1], next(_baselines(reports, tag), None)
    if baseline is None:
        return Series(reports)
    verdict = None
    with suppress(InspectorError, OSError):
        verdict = compare_medians(load(baseline.path), load(newest.path))
    return Series(reports, baseline, verdict)


def _baselines(reports: Sequence[PastReport], tag: str) -> Iterator[PastReport]:
    *others, _ = reports
    yield from (each for each in reversed(others) if tag in each.tags)
    yield from others
