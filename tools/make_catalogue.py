"""Collect every string of the window into resources/translations/inspector_en.ts.

    python -m tools.make_catalogue            # write the catalogue
    python -m tools.make_catalogue --list     # print all strings, to read them in one place
    python -m tools.make_catalogue --language de   # add what is new to inspector_de.ts, and
                                              # compile it to inspector_de.qm
    python -m tools.make_catalogue --missing de    # print what is not translated yet; the
                                              # exit status is 1 if there is anything

The strings are the literals in calls of `tr`, `mark` and `plural` (inspector/ui/translate.py).
The catalogue has the format of Qt Linguist.
"""

import argparse
import ast
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector import units
from inspector.analysis.measured.latency import AT_FULL_SPEED, TAILS_OF
from inspector.analysis.measured.machine_matrix import METRICS
from inspector.backends.onnxruntime.placement.targets import LITERT_TARGETS, TARGETS, Answer
from inspector.backends.registry import BACKENDS
from inspector.conversion.registry import ACTIONS
from inspector.export.registry import FORMATS
from inspector.export.tables.sweep_tables import AXIS_LABELS
from inspector.report.support_marks import Mark
from inspector.statistics.bootstrap import MIN_P95_SAMPLES
from inspector.trace.aggregation import GroupBy
from inspector.trace.trace import Lane
from inspector.ui.translate import CONTEXT, COUNTED

ROOT = Path(__file__).parents[1]
WINDOW = ROOT / "inspector" / "ui"
FOLDER = ROOT / "resources" / "translations"
_TEXT_ARGUMENT = {"tr": 0, "mark": 0, "plural": 1}
_SOURCE_LANGUAGE = "en"
# Titles of metrics in a comparison of reports, as inspector/comparison/comparison.py has them.
_METRICS = (
    *(
        f"{name} {kind}"
        for kind in (AT_FULL_SPEED, TAILS_OF)
        for name in (
            "latency, median", "latency, p90", "latency, p95", "latency, p99", "latency, mean",
            "CPU time, mean",
        )
    ),
    f"latency, max {TAILS_OF}", f"latency, min {TAILS_OF}", "load", "first run",
    "peak model memory", "peak process memory", "model size",
)  # fmt: skip
Key = tuple[str, bool]  # a text, and whether it goes with a count


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Location of a string in the source. file: relative to the repository."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Message:
    """A string to translate. countable: a noun in the singular, which goes with a count."""

    text: str
    countable: bool
    places: tuple[Place, ...]


def collect(folder: Path = WINDOW) -> list[Message]:
    """Return the strings of all modules in a folder, in the order of their first place."""
    places: dict[tuple[str, bool], list[Place]] = {}
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        for text, countable, line in _strings(ast.parse(path.read_text("utf-8"))):
            places.setdefault((text, countable), []).append(Place(file, line))
    for text, file in _declared():
        places.setdefault((text, False), []).append(Place(file, 1))
    messages = [Message(*key, tuple(sorted(locations))) for key, locations in places.items()]
    return sorted(messages, key=lambda message: (message.places[0], message.text))


def _declared() -> Iterator[tuple[str, str]]:
    """Yield titles that other packages declare for the window, and their files."""
    for backend in BACKENDS.values():
        for setting in backend.settings:
            texts = (
                setting.label,
                *setting.titles,
                setting.hint,
                setting.off_hint,
                setting.zero,
            )
            for text in filter(None, texts):
                yield text, f"inspector/backends/{backend.id}/info.py"
    for form in FORMATS:
        yield form.title, "inspector/export/registry.py"
    for action in ACTIONS.values():
        for text in (action.title, action.summary):
            yield text, "inspector/conversion/registry.py"
        for option in action.options:
            for text in filter(None, (option.title, option.help)):
                yield text, "inspector/conversion/registry.py"
    for target in (*TARGETS, *LITERT_TARGETS):
        yield target.title, "inspector/backends/onnxruntime/placement/targets.py"
    for answer in Answer:
        yield answer.value, "inspector/backends/onnxruntime/placement/targets.py"
    for marker in Mark:
        yield marker.label, "inspector/report/support_marks.py"
    for kind in (AT_FULL_SPEED, TAILS_OF):
        for text in (kind, f"median {kind}", f"p95 {kind}"):
            yield text, "inspector/analysis/measured/latency.py"
    for text in ("one process", "within one process", f"p95 needs {MIN_P95_SAMPLES} runs"):
        yield text, "inspector/analysis/measured/latency.py"
    for level in ("none", "basic", "extended", "all"):
        for text in (level, units.optimization(level)):
            yield text, "inspector/units.py"
    for text in (*AXIS_LABELS.values(), "on", "off", "this machine", "sequential"):
        yield text, "inspector/export/tables/sweep_tables.py"
    for group in GroupBy:
        for text in (group.value, group.value.capitalize()):
            yield text, "inspector/trace/aggregation.py"
    for text in ("parameters", "constants"):
        yield text, "inspector/model/model.py"
    for lane in Lane:
        yield lane.value.capitalize(), "inspector/trace/trace.py"
    for title in _METRICS:
        yield title, "inspector/comparison/comparison.py"
    for metric in METRICS:
        yield metric.title, "inspector/analysis/measured/machine_matrix.py"


def _strings(tree: ast.Module) -> Iterator[tuple[str, bool, int]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        place = _TEXT_ARGUMENT.get(node.func.id, len(node.args))
        if place >= len(node.args):
            continue
        for each in _branches(node.args[place]):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value, node.func.id == "plural", each.lineno


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield both sides of `a if condition else b`, or the expression itself."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def catalogue(messages: list[Message], language: str, translated: dict[Key, ET.Element]) -> str:
    """Return a Qt Linguist file. translated: translations of an earlier one, by text.

    Translations name the files of a text without lines, which change with every commit.
    """
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage=_SOURCE_LANGUAGE)
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for message in messages:
        numerus = {"numerus": "yes"} if message.countable else {}
        entry = ET.SubElement(context, "message", numerus)
        if language == _SOURCE_LANGUAGE:
            for place in message.places:
                ET.SubElement(entry, "location", filename=place.file, line=str(place.line))
        else:
            for file in dict.fromkeys(place.file for place in message.places):
                ET.SubElement(entry, "location", filename=file)
        ET.SubElement(entry, "source").text = message.text
        if message.countable:
            ET.SubElement(entry, "comment").text = COUNTED
        if (message.text, message.countable) in translated:
            entry.append(translated[message.text, message.countable])
        elif language == _SOURCE_LANGUAGE:
            same = ET.SubElement(entry, "translation")
            if message.countable:
                ET.SubElement(same, "numerusform").text = f"%Ln {message.text}"
                ET.SubElement(same, "numerusform").text = f"%Ln {message.text}s"
            else:
                same.text = message.text
        else:
            ET.SubElement(entry, "translation", type="unfinished")
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode", short_empty_elements=False)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n'


def translations(path: Path) -> dict[Key, ET.Element]:
    """Return the finished translations of a catalogue by their text."""
    if not path.exists():
        return {}
    elements = {}
    for entry in ET.parse(path).iter("message"):
        translation = entry.find("translation")
        if translation is not None and translation.get("type") != "unfinished":
            elements[entry.findtext("source", ""), entry.get("numerus") == "yes"] = translation
    return elements


def texts(path: Path) -> list[Key]:
    """Return the texts of a catalogue, and whether each goes with a count."""
    return [
        (entry.findtext("source", ""), entry.get("numerus") == "yes")
        for entry in ET.parse(path).iter("message")
    ]


def missing(messages: list[Message], language: str) -> list[Message]:
    """Return the messages without a translation into a language, which are shown in English."""
    done = translations(file_of(language))
    return [each for each in messages if (each.text, each.countable) not in done]


def file_of(language: str) -> Path:
    """Return the path of the catalogue of a language."""
    return FOLDER / f"inspector_{language}.ts"


def compile_catalogue(path: Path) -> Path:
    """Compile a translation to the .qm file beside it, which the window loads."""
    compiler = Path(sysconfig.get_path("scripts")) / "pyside6-lrelease"
    target = path.with_suffix(".qm")
    command = [str(compiler), "-silent", "-nounfinished", str(path), "-qm", str(target)]
    subprocess.run(command, check=True)
    return target


def main(arguments: list[str] | None = None) -> None:
    """Write the catalogue, update a translation, or print all strings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--list", action="store_true", help="print the strings and their places"
    )
    parser.add_argument(
        "--language", metavar="CODE", default=_SOURCE_LANGUAGE, help="such as de or pt_BR"
    )
    parser.add_argument("--missing", metavar="CODE", help="print what is not translated yet")
    options = parser.parse_args(arguments)
    messages = collect()
    if options.list:
        _print(messages)
        return
    if options.missing:
        rest = missing(messages, options.missing)
        _print(rest)
        sys.stderr.write(_state(messages, options.missing))
        sys.exit(1 if rest else 0)
    path = file_of(options.language)
    translated = {} if options.language == _SOURCE_LANGUAGE else translations(path)
    path.parent.mkdir(exist_ok=True)
    path.write_text(catalogue(messages, options.language, translated), "utf-8")
    if options.language != _SOURCE_LANGUAGE:
        compile_catalogue(path)
    sys.stdout.write(f"{path.name}: {len(messages):,} strings\n")
    for other in sorted(FOLDER.glob("inspector_*.ts")):
        language = other.stem.partition("_")[2]
        if language != _SOURCE_LANGUAGE:
            sys.stdout.write(_state(messages, language))


def _print(messages: list[Message]) -> None:
    for message in messages:
        first = message.places[0]
        text = f"{{count}} {message.text}(s)" if message.countable else message.text
        sys.stdout.write(f"{first.file}:{first.line}: {text!r}\n")


def _state(messages: list[Message], language: str) -> str:
    """Say in one line how much of a translation is done."""
    rest = len(missing(messages, language))
    name = file_of(language).name
    if not rest:
        return f"{name}: all {len(messages):,} strings are translated\n"
    return (
        f"{name}: {rest:,} of {len(messages):,} strings are not translated and are shown in "
        f"English; `python -m tools.make_catalogue --missing {language}` lists them\n"
    )


if __name__ == "__main__":
    main()
