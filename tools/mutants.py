"""Mutation tests: change one token of the package, run its tests, and list what nobody noticed.

    python -m tools.mutants --seed 18 --count 60

Nothing in the working tree is changed: each job has a copy of it with an environment of its
own, so that the processes which tests start import the copy, too. Which test files run a line
is recorded with coverage (`tools/line_records.py`), not listed by hand, so that modules may
move: once for all seeds, which takes half as long again as the tests do, and then again for
test files that changed. Records lie in out/mutants, which git ignores. A mutant is tried with
the files that run its line (or any line of its module, if that has changed since or runs at the
import), the nearest first: those that mirror the module, import it, lie near it. Then come
files that mirror or import the module without running the line, which covers what runs in the
engine's process. Any end of pytest but a good one kills a mutant, if the test passes without
the change: else a broken environment or a busy machine would kill them all.

Which mutants are made is decided by the text of their function and not by their module, so that
a seed means the same mutants after a module has moved. Left out by rule: painting (functions
named paint or draw, or that handle a QPainter or a QPalette), pixels of layouts, time-outs
(constants in seconds, where one more is no other behavior and a test would have to wait), log
messages, docstrings, annotations, assertions, and branches of other operating systems.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

from tools import line_records
from tools.line_records import PACKAGE, ROOT, FileRecord

HOME = ROOT / "out" / "mutants"
RECORDS = HOME / "records"
# Recorded, that is under coverage, without which tests take two thirds.
LINE_SECONDS = 60.0  # of the files that run a line
NEAR_SECONDS = 20.0  # of files that mirror or import a module without running the line
FILE_SECONDS = 20.0  # of one file, so that others have their turn
TRY_SECONDS = 400.0  # for the tests of a mutant, which take 80 if nothing hangs
MOST_FAILING = 5  # tests that fail without a change, before the environment is to be mended
PAINTING_NAMES = ("paint", "draw")
PAINTING_TYPES = {"QPainter", "QPainterPath", "QPalette", "QStylePainter"}
LAYOUT_CALLS = {
    "setContentsMargins", "setSpacing", "addSpacing", "setHorizontalSpacing", "QSize",
    "setVerticalSpacing", "setFixedWidth", "setFixedHeight", "setFixedSize", "setMinimumWidth",
    "setMinimumHeight", "setMinimumSize", "setMaximumWidth", "setMaximumHeight", "addStretch",
    "setIconSize", "setStretch", "setStretchFactor", "setColumnStretch", "resize", "setPadding",
}  # fmt: skip
LOG_CALLS = {"debug", "info", "warning", "warn", "exception", "log"}
LOGGERS = {"log", "_log", "logger", "_logger", "logging", "LOG", "_LOG", "warnings"}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
}
SYSTEMS = {"sys.platform", "os.name", "WINDOWS", "MACOS", "LINUX"}


@dataclass(frozen=True)
class Mutant:
    """One change of one token: `before` at `start` of the file's bytes becomes `after`."""

    module: str  # path relative to the repository
    line: int
    start: int  # in bytes of UTF-8, as the syntax tree counts
    before: str
    after: str
    kind: str
    function: str  # qualified name, empty for the body of a module
    key: str  # what a seed chooses by; the same after the module has moved
    at_import: bool = False  # whether the code runs when the module is imported, and only then

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.kind}: {self.before!r} -> {self.after!r}"


@dataclass(frozen=True)
class Result:
    """The result of a mutant: killed, survived or untested, and by which test."""

    mutant: Mutant
    outcome: str
    by: str = ""
    seconds: float = 0.0


class _Finder(ast.NodeVisitor):
    """Collects the mutants of one module."""

    def __init__(self, module: str, text: str) -> None:
        self.mutants: list[Mutant] = []
        self._module, self._bytes = module, text.encode()
        self._lines = self._bytes.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._names: list[str] = []
        self._body = ""  # text of the outermost function, for the key
        self._bodies = 0  # of functions around what is visited

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _begin(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _segment(self, node: ast.expr) -> bytes:
        return self._bytes[self._begin(node) : self._end(node)]

    def _add(self, kind: str, start: int, before: str, after: str) -> None:
        line = self._bytes.count(b"\n", 0, start) + 1
        around = self._lines[line - 1].decode().strip()
        name = ".".join(self._names)
        column = start - self._starts[line - 1]
        # Without line breaks, so that an early return is known by the key it always had.
        shown = after.strip() + "; " if "\n" in after else after
        parts = (name, self._body, around, str(column), before, shown)
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        mutant = Mutant(
            self._module, line, start, before, after, kind, name, key, not self._bodies
        )
        self.mutants.append(mutant)

    def _between(
        self, kind: str, left: ast.expr, right: ast.expr, pair: tuple[str, str]
    ) -> None:
        """Change the operator that stands between two operands."""
        begin, before = self._end(left), pair[0].encode()
        gap = self._bytes[begin : self._begin(right)]
        if gap.count(before) == 1 and b"#" not in gap:
            self._add(kind, begin + gap.index(before), *pair)

    def visit(self, node: ast.AST) -> None:
        """Go on below a node unless a rule leaves it out."""
        if not _left_out(node):
            super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Return at the begin; then what the body and the defaults hold."""
        outermost = not self._body
        self._names.append(node.name)
        if outermost:
            self._body = ast.unparse(node)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            if isinstance(default, ast.Constant) and isinstance(default.value, str):
                self._string("default argument", default)
            else:
                self.visit(default)
        self._bodies += 1
        first = node.body[1:] if _is_text(node.body[0]) else node.body
        if first and first[0].lineno > node.lineno and not _is_empty(first):
            # On a line of its own: a semicolon before `if` or `with` is a syntax error.
            line = f"return None\n{' ' * first[0].col_offset}"
            decorators = getattr(first[0], "decorator_list", ())
            begin = self._begin(decorators[0]) - 1 if decorators else self._begin(first[0])
            self._add("early return", begin, "", line)
        for statement in first:
            self.visit(statement)
        self._bodies -= 1
        self._names.pop()
        if outermost:
            self._body = ""

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Go through the body under the class's name."""
        self._names.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._names.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Leave the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Swap a comparison for its neighbor."""
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self._between("comparison", left, right, COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Swap `and` and `or`."""
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between("and/or", left, right, pair)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Swap + and -, * and /, where no text is put together."""
        pair = ARITHMETIC.get(type(node.op))
        if pair and not any(_is_text(each) for each in (node.left, node.right)):
            self._between("arithmetic", node.left, node.right, pair)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Swap += and -=."""
        pair = ARITHMETIC.get(type(node.op))
        if pair and not _is_text(node.value):
            begin = self._end(node.target)
            at = self._bytes.index(pair[0].encode(), begin)
            self._add("arithmetic", at, *pair)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Remove a `not`."""
        if isinstance(node.op, ast.Not):
            self._add("not removed", self._begin(node), "not", "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Swap True and False, count one on."""
        if isinstance(node.value, bool):
            after = str(not node.value)
            self._add("True/False", self._begin(node), str(node.value), after)
        elif isinstance(node.value, int | float):
            before = self._segment(node).decode()
            self._add("off by one", self._begin(node), before, f"({before} + 1)")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Change a string key."""
        if not (isinstance(node.value, ast.Name) and node.value.id == "Literal"):
            self._string("string key", node.slice)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        """Change the string keys."""
        for key in filter(None, node.keys):
            self._string("string key", key)
        self.generic_visit(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """Go into the braces of an f-string, where the position is right.

        Before Python 3.12 some positions within f-strings are those of other text.
        """
        segment = self._segment(node.value).decode(errors="replace")
        if segment.strip("()") == ast.unparse(node.value).strip("()"):
            self.visit(node.value)

    def _string(self, kind: str, node: ast.expr) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            at = self._end(node) - 1
            quote = self._bytes[at : at + 1].decode()
            self._add(kind, at, quote, f"X{quote}")


def _is_text(node: ast.AST) -> bool:
    """Return whether a node is a literal text, or a statement of only one."""
    if isinstance(node, ast.Expr):
        node = node.value
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_empty(body: list[ast.stmt]) -> bool:
    """Return whether a body does nothing, so that an early return changes nothing."""
    first = body[0]
    if isinstance(first, ast.Return):
        return first.value is None or (
            isinstance(first.value, ast.Constant) and first.value.value is None
        )
    return isinstance(first, ast.Pass) or (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    )


def _left_out(node: ast.AST) -> bool:
    """Return whether a rule keeps mutants out of a node; the module's docstring lists them."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _is_painting(node)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=call)) if (
            name in LOGGERS
        ):
            return call in LOG_CALLS
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in LAYOUT_CALLS or name in {"TypeVar", "cast"}
        case ast.If(test=test) | ast.IfExp(test=test):
            return any(
                name in ast.unparse(test) for name in (*SYSTEMS, "TYPE_CHECKING", "__main__")
            )
        case ast.Compare() | ast.BoolOp():
            return any(name in ast.unparse(node) for name in SYSTEMS)
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]) | ast.Assert():
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
            return name.endswith("_SECONDS")
        case ast.keyword(arg="strict"):  # of zip: a claim, as an assertion is
            return True
    return False


def _is_painting(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function paints: by its name or by what it handles."""
    if node.name.lstrip("_").startswith(PAINTING_NAMES):
        return True
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return bool(names & PAINTING_TYPES)


def mutants_of(module: str, text: str) -> list[Mutant]:
    """Return every mutant of a module's text."""
    finder = _Finder(module, text)
    finder.visit(ast.parse(text))
    return finder.mutants


def mutated(text: str, mutant: Mutant) -> str:
    """Return a module's text with the mutant's change."""
    body = text.encode()
    before = mutant.before.encode()
    assert body[mutant.start : mutant.start + len(before)] == before
    rest = body[mutant.start + len(before) :]
    return (body[: mutant.start] + mutant.after.encode() + rest).decode()


def sample(seed: int, count: int, below: str = PACKAGE) -> list[Mutant]:
    """Choose mutants of the package, each with the same chance, the same for the same seed."""
    every = [
        mutant
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
        if (module := path.relative_to(ROOT).as_posix()).startswith(below)
        for mutant in mutants_of(module, path.read_text("utf-8"))
    ]

    def rank(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed} {mutant.key}".encode()).hexdigest()

    return sorted(every, key=rank)[:count]


class Records:
    """The tests that run each line of the package, recorded if unknown."""

    def __init__(self) -> None:
        self._texts = {
            path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
            for path in sorted((ROOT / "tests").rglob("test_*.py"))
        }
        self._records: dict[str, FileRecord] = {}
        self._failing, self._passing = set[str](), set[str]()  # without a change
        self._distances: dict[tuple[str, str], tuple[int, int]] = {}

    def bring_up_to_date(self, jobs: int) -> None:
        """Record the test files that are new or have changed."""
        stale = [name for name in self._texts if not self._holds(name)]
        if stale:
            print(f"Recording which lines {len(stale)} test files run", flush=True)
            _record(stale, jobs)
            for name in stale:
                self._holds(name)

    def _holds(self, test_file: str) -> bool:
        """Take over a record of the same text; returns whether it is."""
        record = line_records.load(line_records.record_path(RECORDS, test_file))
        if record is None or record.digest != line_records.digest(ROOT / test_file):
            return False
        self._records[test_file] = record
        return True

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests to try a mutant with, the nearest and fastest first."""
        module, now = mutant.module, line_records.digest(ROOT / mutant.module)
        running, near = list[tuple[object, ...]](), list[tuple[object, ...]]()
        for test_file, record in self._records.items():
            lines = record.lines.get(module, ())
            exactly = record.modules.get(module) == now and not mutant.at_import
            distance = self._distance(module, test_file)
            ranked = distance, sum(record.tests.values()), test_file
            if mutant.line in lines if exactly else lines:
                running.append(ranked)
            elif distance[0] < 2:
                near.append(ranked)
        chosen = *self._within(running, LINE_SECONDS), *self._within(near, NEAR_SECONDS)
        return [test for test in chosen if test not in self._failing]

    def passes(self, test: str, copy: "Copy") -> bool:
        """Return whether a test passes in a copy without a change. Exits if many do not."""
        if test not in self._passing | self._failing:
            fault = copy.killer([test], TRY_SECONDS)
            if fault:
                print(f"Left out, since it fails without a change: {fault}", flush=True)
            (self._failing if fault else self._passing).add(test)
        if len(self._failing) >= MOST_FAILING:
            sys.exit("Mend these tests or the environment first.")
        return test in self._passing

    def _within(self, ranked: list[tuple[object, ...]], seconds: float) -> Iterator[str]:
        """Yield tests of files in their order, as many as take so long; at least one."""
        for *_, test_file in sorted(ranked):
            own = 0.0
            for test, took in self._records[str(test_file)].tests.items():
                yield test
                own += took
                seconds -= took
                if seconds <= 0:
                    return
                if own >= FILE_SECONDS:
                    break

    def _distance(self, module: str, test_file: str) -> tuple[int, int]:
        """Return 0 for a mirror, 1 for an importer, 2 for others, and folders not shared."""
        key = module, test_file
        if key not in self._distances:
            self._distances[key] = self._measured_distance(module, test_file)
        return self._distances[key]

    def _measured_distance(self, module: str, test_file: str) -> tuple[int, int]:
        ours, theirs = Path(module), Path(test_file)
        shared = 0
        for one, other in zip(ours.parts[1:-1], theirs.parts[1:-1], strict=False):
            if one != other:
                break
            shared += 1
        apart = len(ours.parts) + len(theirs.parts) - 2 * shared
        if theirs.stem == f"test_{ours.stem}" and ours.parts[1:-1] == theirs.parts[1:-1]:
            return 0, apart
        dotted = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        package, _, name = dotted.rpartition(".")
        text = self._texts[test_file]
        direct = re.search(
            rf"{re.escape(dotted)}\b|from {re.escape(package)} import [^\n]*\b{name}\b", text
        )
        return 1 if direct else 2, apart


def _record(test_files: list[str], jobs: int) -> None:
    environment = os.environ | {"MUTANTS_RECORDS": str(RECORDS)}
    command = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "tools.line_records"]
    several = ["-n", str(jobs), "--dist", "loadfile"]
    subprocess.run(
        [sys.executable, *command, *several, "-m", "not slow", *test_files],
        cwd=ROOT, env=environment, capture_output=True, check=False,
    )  # fmt: skip


class Copy:
    """A copy of the working tree with an environment that imports it and nothing else of it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        if (ROOT.parent / "shared").is_dir():
            (folder / "shared").symlink_to(ROOT.parent / "shared")
        self._make_environment()
        run = [str(self.python), "-m", "compileall", "-q", PACKAGE, "tests"]
        subprocess.run(run, cwd=self.root, check=True)
        self._clock = time.time()

    def _make_environment(self) -> None:
        """Packages come from the environment that runs us, but this project from the copy."""
        home = self.root / ".venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
        self.python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        theirs = subprocess.run([self.python, "-c", code], capture_output=True, check=True)
        ours = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        paths = f"{self.root}\n{ours.stdout.decode()}"
        (Path(theirs.stdout.decode().strip()) / "mutants.pth").write_text(paths)

    def write(self, module: str, text: str) -> None:
        """Write a module with a time of its own, so that no compiled file passes for it."""
        self._clock += 2
        (self.root / module).write_bytes(text.encode())
        os.utime(self.root / module, (self._clock, self._clock))

    def killer(self, tests: list[str], seconds: float) -> str:
        """Run tests and return the first that fails, or nothing."""
        arguments = self.root / "tests-to-run.txt"
        arguments.write_text("\n".join(tests))
        options = ["-p", "no:cacheprovider", "-x", "-q", "-rfE", "--tb=no", "-m", "not slow"]
        process = subprocess.Popen(
            [self.python, "-m", "pytest", *options, f"@{arguments.name}"],
            cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            text = process.communicate(timeout=seconds)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return "a test that did not end"
        if process.returncode in (0, 5):
            return ""
        lines = text.splitlines()
        not_found = {
            line.partition("/checkout/")[2] for line in lines if "ERROR: not found" in line
        }
        if (
            not_found
        ):  # a name that came from elsewhere than the test file, as a list of samples
            left = [test for test in tests if test not in not_found]
            return self.killer(left, seconds) if len(left) < len(tests) and left else ""
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return failed[0] if failed else f"an exit with {process.returncode}"


def _named(fault: str, tests: list[str]) -> str:
    """Return the test that a line of pytest's summary names; the first where it names none."""
    _, _, rest = fault.partition(" ")
    return max(filter(rest.startswith, tests), key=len, default=tests[0])


def tried(mutant: Mutant, copy: Copy, records: Records) -> Result:
    """Run the tests of a mutant in a copy, and put the module back."""
    begin = time.monotonic()
    original = (ROOT / mutant.module).read_text("utf-8")
    while True:
        tests = records.tests_of(mutant)
        copy.write(mutant.module, mutated(original, mutant))
        try:
            killed_by = copy.killer(tests, TRY_SECONDS) if tests else ""
        finally:
            copy.write(mutant.module, original)
        if not killed_by or records.passes(_named(killed_by, tests), copy):
            break
    outcome = "killed" if killed_by else "survived" if tests else "untested"
    return Result(mutant, outcome, killed_by, time.monotonic() - begin)


def score(results: Iterable[Result]) -> tuple[int, int]:
    """Return how many were killed, of how many."""
    outcomes = [result.outcome for result in results]
    return outcomes.count("killed"), len(outcomes)


def run_all(mutants: list[Mutant], records: Records, jobs: int) -> Iterator[Result]:
    """Try mutants in as many copies as there are jobs; yield results as they come."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def in_one(mutant: Mutant) -> Result:
            copy = copies.get()
            try:
                return tried(mutant, copy, records)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(in_one, mutants)


def main() -> None:
    """Sample, try, and print survivors and the score."""
    parser = argparse.ArgumentParser(description="Mutation tests of the package.")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--below", default=PACKAGE, help="only modules below this path")
    parser.add_argument("--list", action="store_true", help="print the sample and stop")
    options = parser.parse_args()
    mutants = sample(options.seed, options.count, options.below)
    if options.list:
        print(*mutants, sep="\n")
        return
    records = Records()
    records.bring_up_to_date(options.jobs)
    results = []
    for result in run_all(mutants, records, options.jobs):
        results.append(result)
        print(f"{result.outcome:9} {result.mutant}  {result.by[:80]}", flush=True)
    killed, total = score(results)
    print(f"\nSeed {options.seed}: {killed} of {total} killed, {100 * killed / total:.0f}%")
    for result in results:
        if result.outcome != "killed":
            print(f"  {result.outcome}: {result.mutant} (in {result.mutant.function})")
    body = json.dumps([asdict(result) for result in results], indent=1)
    (HOME / f"seed-{options.seed}.json").write_text(body)


if __name__ == "__main__":
    main()
