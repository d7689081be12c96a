"""The export formats: the one list that the window, the command line and the docs read.

A new format is one `ExportFormat` in FORMATS. Menus and save dialogs of the window, the choices
and the help of `inspector export` and `inspector trace --export`, and the tables of the docs
follow from it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector.errors import BadInput, NotSaved
from inspector.platform import files, plugins
from inspector.platform.data_struct import DataStruct
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.comparison.comparison import Comparison
    from inspector.pages.charts.drawing import Drawing
    from inspector.report.report import PerformanceReport


Writer = Callable[..., "bytes | memoryview"]
_DOCUMENTS = {
    "html": ("Web page", "one page that opens in any browser"),
    "pdf": ("PDF", "for printing"),
    "md": ("Markdown", "summary for a pull request"),
}


class Subject(Enum):
    """The kinds of things that can be exported, with the argument types of their writers."""

    MODEL = "Model, Facts, Identity, Estimate | None"
    REPORT = "PerformanceReport"
    COMPARISON = "Comparison, Sequence[PerformanceReport]"
    SWEEP = "Sweep"
    TRACE = "TraceContent"
    MODEL_DIFF = "ModelDiff"
    IMPROVEMENT = "Improvement"
    PREDICTION = "PredictionResult"
    FOLDER = "FolderResult"
    RESULTS = "Results"


class ExportFormat(DataStruct, frozen=True):
    """A file format for one kind of subject. id: on the command line. suffix: of the file, with
    its dot. title: in menus and dialogs. summary: its use in a few words, for help texts."""

    id: str
    subject: Subject
    suffix: str
    title: str
    summary: str
    writer: Writer

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Return all suffixes that stand for it: '.report.json' and '.json'."""
        own = f".{self.suffix.rpartition('.')[2]}"
        return (self.suffix, own) if own == f".{self.id}" != self.suffix else (self.suffix,)

    @property
    def dialog_filter(self) -> str:
        """Return the filter of a save dialog: 'PDF (*.pdf)'."""
        return f"{self.title} (*{self.suffix})"


def _lazy(target: str, arguments: int | None = None) -> Writer:
    """Return a writer that imports "module:function" on its first call.

    Menus and help texts read the list; only an export needs fonts, templates and drawings.
    arguments: how many of the subject's values the function takes; None for all.
    """

    def write(*subject: Any) -> "bytes | memoryview":
        content: bytes | memoryview | str = plugins.load(target)(*subject[:arguments])
        return content.encode() if isinstance(content, str) else content

    return write


def _page(target: str, arguments: int | None, form: str) -> Writer:
    """Return a writer that renders the page that "module:function" builds of the subject."""

    def write(*subject: Any) -> bytes:
        page = plugins.load(target)(*subject[:arguments])
        content: bytes = plugins.load("inspector.render.documents:document")(page, form)
        return content

    return write


def _drawn(target: str, image: str) -> Writer:
    """Return a writer that draws the subject and encodes the drawing as "svg" or "png"."""

    def write(*subject: Any) -> bytes:
        return picture(plugins.load(target)(*subject), image)

    return write


# How the page of each subject becomes a document: its builder, and how many of the subject's
# values that takes; None for all.
_PAGES: dict[Subject, tuple[str, int | None]] = {
    Subject.REPORT: ("inspector.pages.report.page:report_page", None),
    Subject.COMPARISON: ("inspector.pages.comparison:comparison_page", 1),
    Subject.SWEEP: ("inspector.pages.sweep:sweep_page", None),
    Subject.MODEL_DIFF: ("inspector.pages.model_diff:model_diff_page", None),
    Subject.IMPROVEMENT: ("inspector.pages.improvement:improvement_page", None),
    Subject.PREDICTION: ("inspector.pages.outputs.prediction:prediction_page", None),
    Subject.FOLDER: ("inspector.pages.outputs.folder:folder_page", None),
    Subject.RESULTS: ("inspector.pages.lists.results:results_page", None),
    Subject.MODEL: ("inspector.pages.model.page:model_page", None),
}


def _documents(subject: Subject, *forms: str) -> Iterator[ExportFormat]:
    """Yield documents of the subject's page: all, or only these forms in their order."""
    for form in forms or _DOCUMENTS:
        title, summary = _DOCUMENTS[form]
        yield ExportFormat(
            form, subject, f".{form}", title, summary, _page(*_PAGES[subject], form)
        )


FORMATS: tuple[ExportFormat, ...] = (
    *_documents(Subject.REPORT, "html", "pdf"),
    ExportFormat(
        "csv", Subject.REPORT, ".csv", "CSV (layers)", "one row per layer",
        _lazy("inspector.render.tables.report_csv:layers_csv"),
    ),
    ExportFormat(
        "operators", Subject.REPORT, ".operators.csv", "CSV (operator types)",
        "one row per operator type",
        _lazy("inspector.render.tables.report_csv:operators_csv"),
    ),
    *_documents(Subject.REPORT, "md"),
    ExportFormat(
        "json", Subject.REPORT, ".report.json", "Inspector report (JSON)",
        "the report with its statistics",
        _lazy("inspector.render.tables.report_json:report_json"),
    ),
    ExportFormat(
        "trace", Subject.REPORT, ".trace.json", "Chrome trace", "for Perfetto or Chrome",
        _lazy("inspector.render.traces.trace_content:chrome_trace"),
    ),
    ExportFormat(
        "svg", Subject.REPORT, ".svg", "Plots (SVG)", "plots as vector graphics",
        _drawn("inspector.pages.charts.report_plots:all_plots", "svg"),
    ),
    ExportFormat(
        "png", Subject.REPORT, ".png", "Plots (PNG)", "plots as images",
        _drawn("inspector.pages.charts.report_plots:all_plots", "png"),
    ),
    ExportFormat(
        "netron", Subject.REPORT, ".netron.json", "Layer times for Netron",
        "layer times for Netron",
        _lazy("inspector.render.traces.model_viewers:netron"),
    ),
    ExportFormat(
        "model-explorer", Subject.REPORT, ".model-explorer.json",
        "Layer times for Model Explorer", "layer times for Model Explorer",
        _lazy("inspector.render.traces.model_viewers:model_explorer"),
    ),
    *_documents(Subject.COMPARISON, "md", "html", "pdf"),
    ExportFormat(
        "csv", Subject.COMPARISON, ".csv", "CSV (layers)", "metrics and layers by report",
        _lazy("inspector.render.tables.report_csv:comparison_csv", 1),
    ),
    ExportFormat(
        "png", Subject.COMPARISON, ".png", "Image (PNG)", "the plot as an image",
        _drawn("inspector.pages.charts.comparison_plot:comparison_plot", "png"),
    ),
    ExportFormat(
        "svg", Subject.COMPARISON, ".svg", "Image (SVG)", "the plot as vector graphics",
        _drawn("inspector.pages.charts.comparison_plot:comparison_plot", "svg"),
    ),
    ExportFormat(
        "csv", Subject.SWEEP, ".csv", "CSV (combinations)", "one row per combination",
        _lazy("inspector.render.tables.sweep_csv:csv"),
    ),
    *(replace(each, summary="table for a pull request") for each in
      _documents(Subject.SWEEP, "md")),
    *_documents(Subject.SWEEP, "html", "pdf"),
    ExportFormat(
        "json", Subject.SWEEP, ".json", "Inspector sweep (JSON)", "the sweep with every sample",
        _lazy("inspector.report.sweep:to_json"),
    ),
    ExportFormat(
        "json", Subject.TRACE, ".trace.json", "Chrome trace", "for Perfetto or Chrome",
        _lazy("inspector.render.traces.trace_content:chrome_json"),
    ),
    ExportFormat(
        "csv", Subject.TRACE, ".csv", "CSV (events)", "the table of total times",
        _lazy("inspector.render.traces.trace_content:csv"),
    ),
    ExportFormat(
        "svg", Subject.TRACE, ".svg", "Image (SVG)", "the timeline as vector graphics",
        _lazy("inspector.render.traces.trace_content:svg"),
    ),
    ExportFormat(
        "npz", Subject.TRACE, ".trace.npz", "NumPy arrays", "NumPy arrays, the fastest to load",
        _lazy("inspector.render.traces.trace_content:npz"),
    ),
    *_documents(Subject.MODEL_DIFF),
    ExportFormat(
        "json", Subject.MODEL_DIFF, ".diff.json", "JSON", "every change, for scripts",
        _lazy("inspector.render.tables.model_diff_json:model_diff_json"),
    ),
    *_documents(Subject.IMPROVEMENT),
    ExportFormat(
        "json", Subject.IMPROVEMENT, ".json", "JSON", "every candidate, for scripts",
        _lazy("inspector.report.improvement:to_json"),
    ),
    *_documents(Subject.PREDICTION),
    ExportFormat(
        "csv", Subject.FOLDER, ".csv", "CSV (files)", "one row per file",
        _lazy("inspector.render.tables.folder_csv:folder_csv"),
    ),
    *_documents(Subject.FOLDER),
    *_documents(Subject.RESULTS),
    *_documents(Subject.MODEL),
)  # fmt: skip
# Formats that Inspector opens again, by what is saved step by step or recorded.
OPENED_AGAIN = {Subject.SWEEP: ("json",), Subject.TRACE: ("json", "npz")}
# What opens again with more than a writer makes, such as files beside its own.
_SAVED_AGAIN = {Subject.REPORT: "inspector.report.report:save"}
# Tables of a report, for `inspector export --table`; the first is the default.
TABLES: dict[str, Writer] = {
    "layers": _lazy("inspector.render.tables.report_csv:layers_csv"),
    "operators": _lazy("inspector.render.tables.report_csv:operators_csv"),
    "samples": _lazy("inspector.render.tables.report_csv:samples_csv"),
}


def formats_of(subject: Subject) -> tuple[ExportFormat, ...]:
    """Return the formats of one kind of subject, in the order of the menus."""
    return tuple(each for each in (*FORMATS, *_of_plugins()) if each.subject is subject)


def _of_plugins() -> Iterator[ExportFormat]:
    """Yield the formats of plugins whose ids are new; a writer that fails raises NotSaved."""
    own = {(each.subject, each.id) for each in FORMATS}
    for plugin in plugins.usable(plugins.EXPORTERS):
        if (plugin.value.subject, plugin.value.id) in own:
            plugin.problem = f"the format '{plugin.value.id}' already exists"
        else:
            yield replace(plugin.value, writer=plugin.guard(plugin.value.writer, NotSaved))


def format_of(subject: Subject, id_: str) -> ExportFormat:
    """Return one format of a subject. Raises BadInput: there is none with this id."""
    formats = formats_of(subject)
    for each in formats:
        if each.id == id_:
            return each
    choices = ", ".join(each.id for each in formats)
    if subject is Subject.COMPARISON:
        raise BadInput(
            "Could not export",
            f"comparisons of several reports cannot be exported as '{id_}'",
            f"Use {choices}, or export each report separately.",
        )
    raise BadInput("Could not export", f"there is no format '{id_}'", f"Use {choices}.")


def format_for(subject: Subject, path: Path, id_: str = "") -> ExportFormat:
    """Return the format of a subject that a file's name stands for.

    A name without a suffix stands for the file that Inspector opens again, where there is one.
    id_: of the format that was asked for, which other suffixes than those of formats may have.
    Raises BadInput: no format, or another one, has this suffix.
    """
    formats, name = formats_of(subject), path.name.lower()
    fitting = [(len(suffix), each) for each in formats for suffix in each.suffixes
               if name.endswith(suffix) or (not path.suffix and suffix == ".json")]  # fmt: skip
    named = max(fitting, key=lambda pair: pair[0])[1] if fitting else None
    what = f"Could not save {clip(path.name, 80)}"
    if id_:
        wanted = format_of(subject, id_)
        if named in (None, wanted) or not path.suffix:
            return wanted
        why = f"its name stands for {named.title}, but {wanted.title} was asked for"
        raise BadInput(what, why, f"Use a name that ends in {wanted.suffix}.")
    if named is not None:
        return named
    suffixes = ", ".join(dict.fromkeys(each.suffixes[-1] for each in formats))
    why = f"'{clip(path.suffix, 40)}' is not a supported file extension here"
    raise BadInput(what, why, f"Use one of {suffixes}.")


def expect_to_open_again(subject: Subject, path: Path) -> None:
    """Raise BadInput unless a file's name stands for a format that Inspector opens again."""
    suffixes = [format_of(subject, each).suffixes[-1] for each in OPENED_AGAIN[subject]]
    if path.name.lower().endswith((*suffixes,)) or not path.suffix:
        return
    name, kinds = clip(path.name, 80), " or ".join(suffixes)
    command = "trace" if subject is Subject.TRACE else "export"
    hint = f"Use a name that ends in {kinds}, then `inspector {command} FILE -o {name}`."
    why = f"the file must open again, which needs {kinds}"
    raise BadInput(f"Could not save {name}", why, hint)


def expect_folder(path: Path | None) -> None:
    """Raise BadInput if a path cannot be a folder of reports: it is, or is named as, a file."""
    if path is None or path.is_dir():
        return
    suffixes = [suffix for each in formats_of(Subject.REPORT) for suffix in each.suffixes]
    if files.exists(path) or path.name.lower().endswith((*suffixes,)):
        why = f"{clip(str(path))} is a file, and several reports need a folder"
        raise BadInput("Could not save the reports", why, "Specify a folder with --output.")


def save_as(subject: Subject, path: Path, *values: Any) -> Path:
    """Write a subject into a file in the format that its name stands for; return the file.

    values: as the writers of the subject take them. Raises BadInput, NotSaved.
    """
    form = format_for(subject, path)
    if form.id == "json" and subject in _SAVED_AGAIN:
        plugins.load(_SAVED_AGAIN[subject])(*values, path)
    else:
        files.write_atomic(path, bytes(form.writer(*values)))
    return path


def export(report: "PerformanceReport", format: str) -> bytes:  # noqa: A002 - public name
    """Return a report in the format with this id; equal reports give equal bytes.

    Raises BadInput: there is no such format.
    """
    return bytes(format_of(Subject.REPORT, format).writer(report))


def export_comparison(
    comparison: "Comparison",
    reports: "Sequence[PerformanceReport]",
    format: str,  # noqa: A002
) -> bytes:
    """Return a comparison of reports in the format with this id.

    Raises BadInput: there is no such format.
    """
    return bytes(format_of(Subject.COMPARISON, format).writer(comparison, reports))


def picture(drawing: "Drawing", format: str) -> bytes:  # noqa: A002
    """Return a drawing as "svg" or "png". Raises BadInput: it is too large for a PNG."""
    content: bytes = plugins.load(f"inspector.render.{format}:{format}")(drawing)
    return content


def picture_of_any_size(drawing: "Drawing", format: str) -> tuple[bytes, float]:  # noqa: A002
    """Return a drawing as "svg" or "png", and its scale: less than 1 where it had to shrink."""
    if format == "svg":
        return picture(drawing, format), 1.0
    result: tuple[bytes, float] = plugins.load("inspector.render.png:shrunk")(drawing)
    return result
