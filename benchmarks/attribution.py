"""Whether every kernel is traced back to the layers it carries out, on many models.

`python -m benchmarks.attribution [--all] [--models FOLDER ...] [--no-oracle] [--verbose]`
profiles the sample models, `light` models of the onnx package, exported nets (see
benchmarks.corpus.making) and what lies in each FOLDER, at all four levels of optimisation:
by default some of each, in some three minutes; with --all everything, in five precisions and
from two exporters, in a quarter of an hour. It prints for each family and level: models,
kernel time that has a layer or a named inserted node, layers by what became of them, layers
without any status, seconds that attribution took, and tensors that were taken for another one:
the original and the optimised graph are run with all tensors as outputs, in bodies of If, Loop
and Scan as well. Last what attribution costs for 10,000 layers. Status 1 where a limit is
missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from time import perf_counter, process_time

import onnx
from onnx import ModelProto, helper

from benchmarks.corpus.making import corpus
from benchmarks.corpus.variants import feeds_of
from inspector.backends.onnxruntime.attribution.attribution import attribute_kernels
from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.measuring.profiled_pass import profiled_pass
from inspector.backends.onnxruntime.profiling.evaluation import match_kernels
from inspector.backends.onnxruntime.profiling.kernel_times import kernel_usages
from inspector.backends.onnxruntime.profiling.report_layers import final_outcomes
from inspector.backends.onnxruntime.sessions import devices
from inspector.formats import opening
from inspector.report.run_spec import RunSpec
from inspector.trace.trace import Kind
from tests.backends.onnxruntime.attribution.oracle_inside import judge_all

FEW = ("dynamo", "torchscript.qdq", "built")
LEVELS = ("none", "basic", "extended", "all")
SAMPLES = Path(__file__).parent.parent / "sample_models"
MOST_SECONDS, LAYERS, MOST_EACH_S = 0.5, 10_000, 400
COARSE, FINE = 3e-2, 2e-3
COARSE_WORDS = ("int8", "16", "qdq", "qoperator", "dynamic.", "quant")


@dataclass(slots=True)
class Found:
    """What was found of a model at one level, or of several added up."""

    models: int = 0
    kernel_ns: int = 0
    attributed_ns: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    agree: int = 0
    differ: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, other: "Found") -> None:
        """Add what was found elsewhere."""
        self.models += other.models
        self.kernel_ns += other.kernel_ns
        self.attributed_ns += other.attributed_ns
        self.statuses.update(other.statuses)
        self.seconds += other.seconds
        self.agree += other.agree
        self.differ += other.differ
        self.problems += other.problems

    @property
    def share(self) -> float:
        """Percent of kernel time that is attributed."""
        return 100 * self.attributed_ns / self.kernel_ns if self.kernel_ns else 100.0

    @property
    def right(self) -> bool:
        """Whether nothing is missing."""
        unknown = self.statuses["unknown"]
        return self.attributed_ns == self.kernel_ns and not unknown and not self.differ


def look(path: Path, level: str, with_oracle: bool) -> Found:
    """Profile a model at one level and attribute all of it."""
    renamed, _ = rename(opening.skeleton(path))
    feeds = feeds_of(path)
    spec = RunSpec(optimization=level, threads=1, profiled_runs=2)
    with tempfile.TemporaryDirectory() as folder:
        units = devices.resolve(("cpu",))
        done = profiled_pass(
            path, renamed, spec, units, feeds, Path(folder), 1, lambda *_: None
        )
    if done.optimised is None or not done.renamed:
        return Found(1, problems=[f"{path.name} {level}: {' '.join(done.notes)}"])
    began = perf_counter()
    told = attribute_kernels(renamed, done.optimised)
    kernels = done.profile.kernels
    nodes = match_kernels(kernels, told)
    found = Found(1, seconds=perf_counter() - began)
    for kernel, node in zip(kernels, nodes, strict=True):
        found.kernel_ns += kernel.self_ns
        known = None if node is None else told.executed[node]
        if known and (known.lead is not None or known.kind is not Kind.CALL):
            found.attributed_ns += kernel.self_ns
        else:
            found.problems.append(f"{path.name} {level}: {kernel.operator} {kernel.name}")
    first = len(done.profile.runs) - done.runs
    seen = kernel_usages(kernels, nodes, first, done.runs)
    for layer, fate in enumerate(final_outcomes(told, seen)):
        found.statuses[fate.status] += 1
        if fate.status == "unknown":
            found.problems.append(f"{path.name} {level}: layer {layer} has no status")
    if with_oracle:
        coarse = any(word in path.name for word in COARSE_WORDS)
        whole, _ = rename(onnx.load(path))
        verdict = judge_all(whole, _whole(whole, level), told, feeds,
                            COARSE if coarse else FINE)  # fmt: skip
        found.agree, found.differ = verdict.agree, len(verdict.differ)
        found.problems += [f"{path.name} {level}: {a} is not {b}" for a, b in verdict.differ]
    return found


def _whole(model: ModelProto, level: str) -> ModelProto:
    """The optimised graph with its weights, which the report's one only points at."""
    from tests.backends.onnxruntime.attribution.optimised import optimised

    return optimised(model, level)


def looked_at(path: Path, with_oracle: bool) -> dict[str, Found]:
    """Look at a model in a process of its own, at all levels."""
    command = [sys.executable, "-m", "benchmarks.attribution", "--one", str(path)]
    command += [] if with_oracle else ["--no-oracle"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=MOST_EACH_S, check=True
        )
    except subprocess.SubprocessError as error:
        why = getattr(error, "stderr", None) or str(error)
        last = str(why).strip().splitlines()[-1:]
        return {"none": Found(problems=[f"{path.name}: {' '.join(last)[:200]}"])}
    told = json.loads(done.stdout)
    return {
        level: Found(**(each | {"statuses": Counter(each["statuses"])}))
        for level, each in told.items()
    }


def one(path: Path, with_oracle: bool) -> None:
    """Print what was found of a model, as JSON."""
    found = {}
    for level in LEVELS:
        try:
            found[level] = look(path, level, with_oracle)
        except Exception as error:  # noqa: BLE001 - told in the table
            words = f"{path.name} {level}: {type(error).__name__} {error}"
            found[level] = Found(problems=[words[:300]])
    names = [each.name for each in fields(Found)]
    print(json.dumps({k: {n: getattr(v, n) for n in names} for k, v in found.items()}))


def families(folders: Iterable[Path], everything: bool) -> dict[str, list[Path]]:
    """Group models by what they are; by default some that differ most."""
    found: dict[str, list[Path]] = defaultdict(list)
    found["samples"] = sorted(SAMPLES.glob("*.onnx"))
    light = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
    found["onnx light"] = sorted(light.glob("*.onnx" if everything else "*squeezenet.onnx"))
    for path in corpus():
        family, _, variant = path.stem.partition("_")
        if everything or variant in FEW:
            found[family].append(path)
    for folder in folders:
        found[folder.name] += sorted(folder.rglob("*.onnx"))
    return found


def table(groups: dict[str, list[Path]], with_oracle: bool, verbose: bool) -> bool:
    """Print a line for each family and level; whether all is as it should be."""
    print(
        f"{'family':<12}{'level':<10}{'models':>6}{'layers':>8}{'time %':>9}{'unknown':>8}"
        f"{'agree':>7}{'wrong':>6}{'s':>7}  layers by status"
    )
    total: dict[str, Found] = {level: Found() for level in LEVELS}
    for family, paths in groups.items():
        sums = {level: Found() for level in LEVELS}
        for path in paths:
            for level, found in looked_at(path, with_oracle).items():
                sums[level].add(found)
        for level, found in sums.items():
            total[level].add(found)
            print(line(family, level, found), flush=True)
            for problem in found.problems[: 1000 if verbose else 3]:
                print(f"    {problem}")
    for level, found in total.items():
        print(line("all", level, found))
    return all(found.right for found in total.values())


def line(family: str, level: str, found: Found) -> str:
    """One line of the table."""
    kinds = ", ".join(f"{name} {count}" for name, count in found.statuses.most_common())
    layers = sum(found.statuses.values())
    return (
        f"{family:<12}{level:<10}{found.models:>6}{layers:>8}{found.share:>9.3f}"
        f"{found.statuses['unknown']:>8}{found.agree:>7}{found.differ:>6}"
        f"{found.seconds:>7.2f}  {kinds}"
    )


def cost() -> bool:
    """Time the attribution of a model of 10,000 layers."""
    nodes, name = [], "x"
    for place in range(LAYERS // 4):
        for step, operator in enumerate(("Mul", "Add", "Relu", "Tanh")):
            given = [name, "w"] if operator in ("Mul", "Add") else [name]
            name = f"v{place}_{step}"
            nodes.append(helper.make_node(operator, given, [name]))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [value("x", 1, [8])], [value(name, 1, [8])],
        [helper.make_tensor("w", 1, [8], [0.5] * 8)],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 17)]
    renamed, _ = rename(helper.make_model(graph, opset_imports=opsets, ir_version=8))
    ran = _whole(renamed, "all")
    taken = []
    for _ in range(5):
        began = process_time()  # others on this machine are no part of the cost
        attribute_kernels(renamed, ran)
        taken.append(process_time() - began)
    verdict = "within" if min(taken) <= MOST_SECONDS else "over"
    print(f"\n{len(nodes):,} layers: {min(taken):.2f} s, limit {MOST_SECONDS} s: {verdict}")
    return min(taken) <= MOST_SECONDS


def main(arguments: Sequence[str]) -> int:
    """Print the table and the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", type=Path, default=[])
    parser.add_argument("--oracle", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="*", help="families")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        one(options.one, options.oracle)
        return 0
    groups = families(options.models, options.all)
    if options.only:
        groups = {name: paths for name, paths in groups.items() if name in options.only}
    right = table(groups, options.oracle, options.verbose)
    return 0 if cost() and right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
