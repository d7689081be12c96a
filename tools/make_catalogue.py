"""Collect every string of the window into the catalogues of resources/translations.

    python -m tools.make_catalogue            # write inspector_en.ts, which is not committed
    python -m tools.make_catalogue --list     # print all strings, to read them in one place
    python -m tools.make_catalogue --language de   # add what is new to inspector_de.ts, and
                                              # compile it to inspector_de.qm
    python -m tools.make_catalogue --missing de    # print what is not translated yet; the
                                              # exit status is 1 if there is anything
    python -m tools.make_catalogue --sentences de  # print sentences of other packages that
                                              # messages_de.json has no translation of

The strings are the literals in calls of `tr` and `mark` (inspector/ui/translate.py).
The catalogue has the format of Qt Linguist.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from inspector import errors, units
from inspector.analysis.devices.targets import LITERT_TARGETS, TARGETS, Answer
from inspector.analysis.measured.latency import AT_FULL_SPEED, OF_UNDISTURBED, TAILS_OF
from inspector.analysis.measured.machine_matrix import METRICS
from inspector.conversion.registry import ACTIONS
from inspector.render.registry import FORMATS
from inspector.report.run_spec import LEVELS, SETTINGS
from inspector.report.settings import Role
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.trace.aggregation import GroupBy
from inspector.trace.trace import Lane
from inspector.ui import glossary
from inspector.ui.translate import CONTEXT
from inspector.wording.support_marks import Mark

ROOT = Path(__file__).parents[1]
WINDOW = ROOT / "inspector" / "ui"
FOLDER = ROOT / "resources" / "translations"
_TEXT_FUNCTIONS = ("tr", "mark")
_SOURCE_LANGUAGE = "en"
# Texts that the source puts together from parts, as templates of the whole.
_COMPOSED = (
    "{text} (worst of {count} inputs: {name})",
    "{text}; same top class",
    "{text}; same top class on {count} of them",
    "{text}; another top class",
    "max error {error} at [{place}], {others}",
    "mean rel error {error}, {others}",
    "PSNR {value} dB, cosine {other}",
    "{touches}; opset {opset} to {wanted} first",
    "{touches}, {count} other layers",
    "{touches}, 1 other layer",
    "{count} layers, optimized at level {level}",
    "{count} weights move to a separate file next to the model",
    "{weights} weights removed from the inputs",
    "input '{name}' becomes an 8-bit image",
    "input '{name}' becomes an 8-bit image, resize ({how}, {filter}) to {size}",
    "needs the option 'outputs', 'inputs' or both: names of tensors or layers",
    "needs the option 'at': the name of the layer or tensor after which to cut",
    "needs the option 'layer': the name, output or number of the layer",
    "needs the options 'layer' and 'operator'",
    "needs the options 'layer', 'name' and 'value'",
    "needs the options 'operator' and 'after'",
    "needs the options 'weight' and 'file'",
    "needs names, such as {example}",
    "needs names, such as {example}, for {axes}",
    "needs entries, such as {example}",
    "needs types, such as {example}",
    "no device here writes EP context ({devices} do)",
    "{model} on {device}, optimization {level}",
    "{name}: quantized along axis {axis}, but it has only {count} dimension; only the runtime "
    "for microcontrollers loads such files",
    "{condition} was not checked",
    "{condition} were not checked",
    "whether {name}'s own ONNX parser accepts the layers",
    "whether {name}'s own compiler accepts the layers",
    "whether {name}'s backend library accepts the layers",
    "the types and ranks that the browser's WebNN accepts",
    "{called} (support was added after the version of this table)",
    "{called} must have a fixed shape, but the model has dynamic axes: {axes}",
    "{called} with inputs of type {types_text}",
    "{name} does not have these operators.",
    "support table, {source}, commit {commit} of {date}",
    "support table, ONNX Runtime's documentation, commit {commit}",
    "class names assumed: {source}, the only known list for {count}; use --labels none for "
    "numbers",
    "Inspector's Python",
    "ONNX Runtime, CPU, 1 thread",
    "ONNX Runtime, CPU, 2 threads",
    "OpenVINO, CPU, 1 thread",
    "OpenVINO, CPU, 2 threads",
    "full: a model can read only its own folder and the system libraries",
    "or `inspector measure NEW --against OLD`, which interleaves the two models until the "
    "interval is narrow enough.",
)
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
    f"latency, median {OF_UNDISTURBED}",
    f"latency, max {TAILS_OF}", f"latency, min {TAILS_OF}", "load", "first run",
    "peak model memory", "peak process memory", "model size",
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Location of a string in the source. file: relative to the repository."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Message:
    """A string to translate."""

    text: str
    places: tuple[Place, ...]


def collect(folder: Path = WINDOW) -> list[Message]:
    """Return the strings of all modules in a folder, in the order of their first place."""
    places: dict[str, list[Place]] = {}
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        for text, line in _strings(ast.parse(path.read_text("utf-8"))):
            places.setdefault(text, []).append(Place(file, line))
    for text, file in _declared():
        places.setdefault(text, []).append(Place(file, 1))
    messages = [
        Message(text, tuple(sorted(locations)))
        for text, locations in places.items()
        if any(map(str.isalpha, text))  # numbers are the same in all languages
    ]
    return sorted(messages, key=lambda message: (message.places[0], message.text))


# Packages whose sentences the window shows.
_SPEAKING = (
    "analysis", "backends", "comparison", "conversion", "engine", "errors.py", "app",
    "formats", "model", "platform", "plugins", "preview", "recorder", "remote",
    "report", "sandbox", "statistics", "trace", "units.py",
)  # fmt: skip
_WRITING = ("pages", "render", "wording")  # packages that build and render pages
# What writes drawings, tables and programs, with names of its own.
_DATA = {
    "charts", "traces", "code_languages.py", "fonts.py", "paper.py", "png.py", "registry.py",
    "session_code.py", "svg.py", "tables",
}  # fmt: skip
PAGE_TEMPLATE = ROOT / "resources" / "report" / "blocks.html"
_OF_TEMPLATE = re.compile(r"""ours\((['"])(.+?)\1""")
_WITH_ID = frozenset({"Section", "Page", "Column", "Chart"})  # their first argument is an id
_NO_TEXT = frozenset({"import_module", "compile", "findall", "partition", "strip", "encode"})
_NO_TEXT_OF_PAGE = re.compile(
    r"[<>\\=#]|^inspector\.|^--|^INSPECTOR|^AB$|{indent}|\.html$"
    r"|^more \{|\| None$|is no (block|value)|\w\["
    # Fonts, keys of stored sentences, and errors that only developers see.
    r"|^(Inter|JetBrains Mono|Sentence|Joined|DF)$|^@font|^no value of|^mark |no place in JSON"
)
_SENTENCE = re.compile(r"[^{}\n<>=\\]*[A-Za-z]{2}[^{}\n<>=\\]*")
# Sources of families, statements of SQL, lists of operators, Markdown.
_NO_SENTENCE = re.compile(
    r"\{(hub|hf|torchvision|timm)\}|^(insert|select|create|delete|update|alter|pragma) |"
    r"^(\w*[A-Z]\w*[A-Z]\w*\s+)+\w+$|\*\*|`"
)
_WORDS = re.compile(r"[A-Za-z]{2}\S* .*[A-Za-z]{2}")  # of an error: two words at least
_TOO_LONG = 400  # letters: code and tables, no sentence


def collect_templates(folder: Path = WINDOW.parent) -> list[str]:
    """Return the templates of sentences that packages beside the window make, in their order.

    A template has the text of an f-string or of a literal; its fields are named after what is
    put in: `f"{units.share(part)} of {name}"` is "{share} of {name}".
    """
    found: dict[str, None] = {}
    for package in _SPEAKING:
        path = folder / package
        for file in [path] if path.suffix else sorted(path.rglob("*.py")):
            found.update(dict.fromkeys(_templates(ast.parse(file.read_text("utf-8")))))
    found.update(dict.fromkeys(_of_pages(folder)))
    found.update(dict.fromkeys(_of_errors(folder)))
    for file in sorted(WINDOW.rglob("*.py")) if folder == WINDOW.parent else ():
        found.update(dict.fromkeys(_of_window(ast.parse(file.read_text("utf-8")))))
    return list(found)


def _of_errors(folder: Path) -> Iterator[str]:
    """Yield what errors say, in any package; options and names in backticks included."""
    classes = {name for name, each in vars(errors).items() if isinstance(each, type)}
    for file in sorted(folder.rglob("*.py")):
        nodes = [*ast.walk(ast.parse(file.read_text("utf-8")))]
        given = [
            argument
            for call in nodes
            if isinstance(call, ast.Call)
            and getattr(call.func, "id", getattr(call.func, "attr", "")) in classes
            for argument in (*call.args, *(each.value for each in call.keywords))
        ]
        variables = {each.id for each in given if isinstance(each, ast.Name)}
        given += [
            node.value
            for node in nodes
            if isinstance(node, ast.Assign)
            and variables
            & {
                name.id
                for target in node.targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            }
        ]
        for argument in given:
            yield from filter(_WORDS.search, _texts(argument))


def _texts(expression: ast.expr) -> Iterator[str]:
    """Yield the literals and f-strings of an expression, each whole."""
    parts = {
        id(part)
        for node in ast.walk(expression)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(expression):
        if isinstance(node, ast.JoinedStr):
            yield _template(node).strip()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from () if id(node) in parts else (node.value.strip(),)


def _of_window(tree: ast.Module) -> Iterator[str]:
    """Yield the templates of the sentences that the window makes itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("Sentence"), args=[ast.Constant(str(text)), *_]):
                yield text


def _of_pages(folder: Path, data: bool = True) -> Iterator[str]:
    """Yield the texts of builders and renderers of pages. data: of writers of data, too."""
    for package in _WRITING:
        for file in sorted((folder / package).rglob("*.py")):
            if not data and _DATA & {*file.relative_to(folder).parts}:
                continue
            yield from _page_texts(ast.parse(file.read_text("utf-8")))
    if folder == WINDOW.parent:
        yield from (text for _, text in _OF_TEMPLATE.findall(PAGE_TEMPLATE.read_text("utf-8")))


def untranslated_pages(language: str) -> set[str]:
    """Return what pages say themselves and what has no translation into a language."""
    return {*_of_pages(WINDOW.parent, data=False)} - {*_sentences(language)}


def literals(folder: Path = WINDOW.parent) -> set[str]:
    """Return all literals of packages beside the window: what one of them says may be there."""
    return {
        node.value
        for package in (*_SPEAKING, *_WRITING)
        for file in (
            [folder / package] if package.endswith(".py") else (folder / package).rglob("*.py")
        )
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _page_texts(tree: ast.Module) -> Iterator[str]:
    """Yield titles, labels and templates of a module that builds or renders pages."""
    nouns, others = nouns_of("de"), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            others.update(map(id, node.values))
        elif isinstance(node, ast.Expr | ast.Compare):
            others.update(
                map(id, ast.walk(node)) if isinstance(node, ast.Compare) else [id(node.value)]
            )
        elif isinstance(node, ast.Dict):
            others.update(id(key) for key in node.keys)
        elif isinstance(node, ast.Subscript):
            others.add(id(node.slice))
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            others.update(map(id, ast.walk(node.returns)))
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in _WITH_ID or name in _NO_TEXT:
                others.update(map(id, node.args[: 1 if name in _WITH_ID else None]))
            if name == "Snippet":
                others.update(map(id, node.args))
    for node in ast.walk(tree):
        if id(node) in others:
            continue
        text = _template(node) if isinstance(node, ast.JoinedStr) else ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        words = re.sub(r"\{\w*\}", "", text)
        is_text = " " in text.strip() or words[:1].isupper()
        if is_text and re.search(r"[A-Za-z]{2}", words) and text not in nouns:
            yield from () if _NO_TEXT_OF_PAGE.search(text) else (text,)


def nouns_of(language: str) -> dict[str, list[str]]:
    """Return the nouns of a language, each with its singular and plural."""
    path = FOLDER / f"nouns_{language}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _templates(tree: ast.Module) -> Iterator[str]:
    parts_of_others: set[int] = set()  # literals in f-strings, docstrings, keys
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts_of_others.update(map(id, node.values))
        elif isinstance(node, ast.Expr):
            parts_of_others.add(id(node.value))
        elif isinstance(node, ast.Dict):
            parts_of_others.update(id(key) for key in node.keys)
        elif isinstance(node, ast.Subscript):
            parts_of_others.add(id(node.slice))
    for node in ast.walk(tree):
        if id(node) in parts_of_others:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        literal = re.sub(r"\{\w+\}", "", text).strip()
        is_short = " " in text.strip() and len(text) <= _TOO_LONG
        if is_short and _SENTENCE.fullmatch(literal) and not _NO_SENTENCE.search(text):
            yield text.strip()


def _template(node: ast.JoinedStr) -> str:
    parts, names = [], list[str]()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            name, same = _field_name(part.value), 1
            while (unique := name if same == 1 else f"{name}{same}") in names:
                same += 1
            names.append(unique)
            parts.append(f"{{{unique}}}")
        else:
            parts.append(str(part.value))  # type: ignore[attr-defined]
    return "".join(parts)


def _field_name(node: ast.expr) -> str:
    """Return a short name for a value: of its variable, attribute or function."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="plural"), args=[_, ast.Constant(value=str(noun))]
        ):
            return noun.split()[-1].lower() + "s" if noun.split()[-1].isalpha() else "items"
        case ast.Call(func=ast.Attribute(attr="clip" | "capitalized"), args=[first, *_]):
            return _field_name(first)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            pass
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            pass
        case _:
            name = "value"
    return name.strip("_").lower() or "value"


def untranslated_sentences(language: str) -> dict[str, str]:
    """Return the templates without a translation into a language, each with an empty one."""
    done = _sentences(language)
    return {template: "" for template in collect_templates() if template not in done}


def update_sentences(language: str) -> str:
    """Drop translations of texts that are gone, and take those of the window that pages show,
    too; return how many are left to translate."""
    path, done = FOLDER / f"messages_{language}.json", _sentences(language)
    templates = collect_templates()
    labels = {text: each.text or "" for text, each in translations(file_of(language)).items()}
    known = labels | done
    kept = {text: known[text] for text in said(templates) if known.get(text)}
    text = json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", "utf-8")
    rest = len(set(templates) - set(kept))
    return f"{path.name}: {rest:,} of {len(templates):,} sentences are not translated\n"


def said(templates: Iterable[str]) -> set[str]:
    """Return all that packages beside the window may say."""
    terms = (text for term in glossary.terms() for text in (term.name, term.meaning))
    declared = (text for text, _ in _declared())
    return {*templates, *literals(), *terms, *declared, *_COMPOSED, *_of_data()}


def _of_data() -> Iterator[str]:
    """Yield texts of data files: samples, support tables, devices."""
    samples = json.loads((ROOT / "sample_models" / "index.json").read_text("utf-8"))
    for sample in samples["models"]:
        yield from (sample["task"], sample["shows"])
    for path in sorted((ROOT / "resources" / "support").glob("*.json")):
        table = json.loads(path.read_text("utf-8"))
        yield str(table.get("source", ""))
        yield from (device.get("assumes", "") for device in table.get("devices", {}).values())


def _sentences(language: str) -> dict[str, str]:
    path = FOLDER / f"messages_{language}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _declared() -> Iterator[tuple[str, str]]:
    """Yield titles that other packages declare for the window, and their files."""
    for setting in SETTINGS.values():
        texts = [setting.zero, setting.summary]
        if setting.has_field:
            texts += [setting.title, setting.about, setting.off_hint, *setting.titles]
        if setting.role is Role.RUN:
            texts.append(setting.noun)
        if setting.is_axis:
            texts += map(setting.text, setting.choices)
        for text in filter(None, texts):
            yield text, "inspector/report/run_spec.py"
    for form in FORMATS:
        yield form.title, "inspector/render/registry.py"
    for action in ACTIONS.values():
        for text in (action.title, action.summary):
            yield text, "inspector/conversion/registry.py"
        for option in action.options:
            for text in filter(None, (option.title, option.help)):
                yield text, "inspector/conversion/registry.py"
    for target in (*TARGETS, *LITERT_TARGETS):
        yield target.title, "inspector/analysis/devices/targets.py"
    for answer in Answer:
        yield answer.value, "inspector/analysis/devices/targets.py"
    for marker in Mark:
        yield marker.label, "inspector/wording/support_marks.py"
    for kind in (AT_FULL_SPEED, TAILS_OF):
        for text in (kind, f"median {kind}", f"p95 {kind}"):
            yield text, "inspector/analysis/measured/latency.py"
    for text in ("one process", "within one process", f"p95 needs {MIN_P95_SAMPLES} runs"):
        yield text, "inspector/analysis/measured/latency.py"
    for level in LEVELS:
        for text in (level, units.optimization(level)):
            yield text, "inspector/units.py"
    for text in ("model", "machine", "on", "off", "this machine"):
        yield text, "inspector/analysis/measured/sweep_labels.py"
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


def _strings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id not in _TEXT_FUNCTIONS or not node.args:
            continue
        for each in _branches(node.args[0]):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value, each.lineno


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield both sides of `a if condition else b`, or the expression itself."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def catalogue(messages: list[Message], language: str, translated: dict[str, ET.Element]) -> str:
    """Return a Qt Linguist file. translated: translations of an earlier one, by text.

    Translations name the files of a text without lines, which change with every commit.
    """
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage=_SOURCE_LANGUAGE)
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for message in messages:
        entry = ET.SubElement(context, "message")
        if language == _SOURCE_LANGUAGE:
            for place in message.places:
                ET.SubElement(entry, "location", filename=place.file, line=str(place.line))
        else:
            for file in dict.fromkeys(place.file for place in message.places):
                ET.SubElement(entry, "location", filename=file)
        ET.SubElement(entry, "source").text = message.text
        if message.text in translated:
            entry.append(translated[message.text])
        elif language == _SOURCE_LANGUAGE:
            ET.SubElement(entry, "translation").text = message.text
        else:
            ET.SubElement(entry, "translation", type="unfinished")
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode", short_empty_elements=False)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n'


def translations(path: Path) -> dict[str, ET.Element]:
    """Return the finished translations of a catalogue by their text."""
    if not path.exists():
        return {}
    elements = {}
    for entry in ET.parse(path).iter("message"):
        if entry.get("numerus"):  # nouns_*.json has them
            continue
        translation = entry.find("translation")
        if translation is not None and translation.get("type") != "unfinished":
            elements[entry.findtext("source", "")] = translation
    return elements


def texts(path: Path) -> list[str]:
    """Return the texts of a catalogue."""
    return [entry.findtext("source", "") for entry in ET.parse(path).iter("message")]


def missing(messages: list[Message], language: str) -> list[Message]:
    """Return the messages without a translation into a language, which are shown in English."""
    done = translations(file_of(language))
    return [each for each in messages if each.text not in done]


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
    parser.add_argument(
        "--sentences",
        metavar="CODE",
        help="print sentences of other packages that are not translated yet, as JSON",
    )
    options = parser.parse_args(arguments)
    if options.sentences:
        rest_of = untranslated_sentences(options.sentences)
        sys.stdout.write(json.dumps(rest_of, ensure_ascii=False, indent=1) + "\n")
        return
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
        sys.stdout.write(update_sentences(options.language))
    sys.stdout.write(f"{path.name}: {len(messages):,} strings\n")
    for other in sorted(FOLDER.glob("inspector_*.ts")):
        language = other.stem.partition("_")[2]
        if language != _SOURCE_LANGUAGE:
            sys.stdout.write(_state(messages, language))


def _print(messages: list[Message]) -> None:
    for message in messages:
        first = message.places[0]
        sys.stdout.write(f"{first.file}:{first.line}: {message.text!r}\n")


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
