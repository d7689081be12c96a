"""The pages: links lead somewhere, the README is short, tables can be read, paths exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("sample_models/*.md")])
MOST_README_LINES = 150
MOST_CELL_CHARACTERS = 200
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@cache
def text_of(page: Path) -> str:
    """The page without its code blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """Anchors of the headings, as GitHub and MkDocs make them."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {re.sub(r"\s+", "-", heading.strip()) for heading in plain}


def linked(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Each link of a page within the repository: its text, file and heading."""
    for target in LINK.findall(text_of(page)):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield target, (page.parent / path).resolve() if path else page, anchor


def test_every_link_leads_to_a_file_and_a_heading():
    for page in PAGES:
        for target, file, anchor in linked(page):
            assert file.exists(), f"{page}: {target}"
            if anchor and file.suffix == ".md":
                assert anchor in anchors(file), f"{page}: {target}"


def test_pages_of_the_site_do_not_link_outside_it():
    for page in DOCS.rglob("*.md"):
        for target, file, _ in linked(page):
            assert DOCS in file.parents, f"{page}: {target}"


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text("utf-8").count("\n")
    assert lines <= MOST_README_LINES


def test_no_table_cell_is_long():
    for page in PAGES:
        for line in text_of(page).splitlines():
            if line.startswith("|"):
                longest = max(re.split(r"(?<!\\)\|", line), key=len).strip()
                assert len(longest) <= MOST_CELL_CHARACTERS, f"{page}: {longest}"


def test_the_site_lists_every_page_once():
    lines = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"([\w/.-]+\.md)\s*$", lines, re.MULTILINE)
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(pages)


def test_paths_of_the_source_exist():
    for page in PAGES:
        if page.name != "CHANGELOG.md":  # it tells of the past
            named = re.findall(
                r"`((?:inspector|tests|tools|benchmarks)/[\w/.]+)`", text_of(page)
            )
            missing = [name for name in named if not (ROOT / name).exists()]
            assert not missing, page


def names_defined_in(path: Path) -> set[str]:
    """Names at the top level of a module, and members of its classes as 'Class.member'."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.ClassDef(name=name):
                names.add(name)
                members = (getattr(each, "name", None) for each in node.body)
                fields = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
                names |= {f"{name}.{member}" for member in members if member}
                names |= {f"{name}.{ast.unparse(field)}" for field in fields}
            case ast.FunctionDef(name=name):
                names.add(name)
            case ast.Assign() | ast.AnnAssign():
                names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names


def place_of(path: str, beside: Path) -> Path:
    """The file of a row: below the package or the root, or beside the first file of the row."""
    folders = (ROOT / "inspector", ROOT, beside.parent)
    return next((one / path for one in folders if (one / path).is_file()), ROOT / path)


def test_each_place_to_change_things_exists():
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = page.partition("## Where to change things")[2].partition("\n## ")[0]
    rows = re.findall(r"^\|[^|]+\| (`[^|]+`) \| ([^|]+) \|$", section, re.MULTILINE)
    assert len(rows) >= 25
    for places, named in rows:
        paths = re.findall(r"`([\w/.]+)`", places)
        first = ROOT / "inspector" / paths[0]
        files = [first, *map(partial(place_of, beside=first), paths[1:])]
        assert all(file.is_file() for file in files), places
        names = set(re.findall(r"`([\w.]+)`", named))
        assert names, places
        modules = [file for file in files if file.suffix == ".py"]
        assert names <= set().union(*map(names_defined_in, modules)), places


def test_each_thing_to_add_takes_few_files_and_has_an_example():
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(
        r"^\| \[(an? [\w, ]+)\]\(#[\w-]+\) \| (.+) \| (.+) \|$", page, re.MULTILINE
    )
    assert len(rows) >= 8
    for task, places, examples in rows:
        count = sum(map(int, re.findall(r"\d+", places)))
        assert count <= 3, task
        files = re.findall(r"`(tests/[\w/]+\.py)`", examples)
        assert files, task
        assert all((ROOT / file).is_file() for file in files), task
        heading = f"### {task[0].upper()}{task[1:]}\n"
        steps = page.partition(heading)[2].partition("\n### ")[0]
        assert re.findall(r"^\d\. ", steps, re.MULTILINE), task
        named = set(re.findall(r"`(inspector/[\w/]+\.py)`", steps))
        assert len(named) <= count, f"{task}: {named}"


def test_every_decision_says_why_and_until_when():
    pages = sorted(page for page in (DOCS / "adr").glob("*.md") if page.stem != "index")
    assert len(pages) >= 9
    for page in pages:
        headings = re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
        assert {"Decision", "What it buys", "Measured how", "Delete when"} <= set(headings), (
            page
        )
        assert f"({page.name})" in (DOCS / "adr" / "index.md").read_text("utf-8")


def test_the_architecture_page_lists_the_packages_in_their_order():
    table = (ROOT / "tests" / "test_architecture.py").read_text("utf-8")
    layers = re.findall(
        r'^    "(\w+)",', table.partition("LAYERS = (")[2].partition("\n)")[0], re.M
    )
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "architecture.md").read_text("utf-8"), re.M)
    assert rows == [name for name in layers if not name.startswith("__")]


def test_the_glossary_explains_each_term_once_in_one_sentence():
    text = (DOCS / "glossary.md").read_text("utf-8")
    terms: list[str] = []
    for section in text.split("\n## ")[1:]:
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)[1:]
        names = [term for term, _ in rows]
        assert names == sorted(names, key=str.lower)
        assert all(
            re.fullmatch(r"[^.]*(\.\d[^.]*|layer\.0[^.]*)*\.", meaning) for _, meaning in rows
        )
        terms += names
    assert len(terms) == len(set(terms)) > 100


# Pages about the code. A name on them that no longer exists sends the reader searching.
CODE_PAGES = [
    ROOT / "CONTRIBUTING.md",
    DOCS / "architecture.md",
    DOCS / "method.md",
    *sorted(DOCS.glob("adr/*.md")),
]
# A dotted or snake_case name, a constant, or a class, alone between backticks.
CODE_NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")
# What follows "def" or "class", or stands before a colon or left of a value. To parse all files
# takes ten times as long.
DEFINITION = re.compile(
    r"\b(?:(?:def|class)\s+(\w+)|(\w++)\s*+:)|^([\w., *()]++)=(?!=)", re.MULTILINE
)
OTHER_LIBRARIES = {"gc.freeze", "json.load", "fillRect"}


@cache
def defined_names() -> frozenset[str]:
    """Modules, functions, classes, parameters, variables and attributes of the repository."""
    names: set[str] = set()
    for folder in ("inspector", "tests", "tools", "benchmarks", "fuzz"):
        for path in (ROOT / folder).rglob("*.py"):
            names.add(path.stem)
            found = (" ".join(each) for each in DEFINITION.findall(path.read_text("utf-8")))
            names.update(re.findall(r"\w+", " ".join(found)))
    return frozenset(names)


def unknown_names(text: str) -> list[str]:
    """Return the names of code on a page that are defined nowhere."""
    return [
        name
        for name in CODE_NAME.findall(text)
        if ("_" in name or "." in name or re.search("[a-z][A-Z]", name))
        and name not in OTHER_LIBRARIES
        and not name.endswith(
            (".md", ".py", ".yml", ".json", ".ts", ".qm")
        )  # files are tested as paths
        and not set(name.split(".")) <= defined_names()
    ]


def test_every_name_of_code_on_a_page_exists():
    for page in CODE_PAGES:
        assert unknown_names(text_of(page)) == [], page


def test_a_name_that_is_gone_is_noticed():
    assert unknown_names("`Comparison` and `layer_sum`, `cpu_speed.MIN_STRETCHES`") == []
    assert unknown_names("`no_such_function`, `units.no_such_name`, `NoSuchClass`") == [
        "no_such_function",
        "units.no_such_name",
        "NoSuchClass",
    ]
