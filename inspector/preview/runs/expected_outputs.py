"""Inputs with the outputs they must give: test_data_set_N folders and .npz files.

Layout and tolerances: ONNX's own backend tests (input_0.pb, output_0.pb, in the order of the
model's inputs and outputs).
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.facts.quantization import Quantization, quantization
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.onnx import tensor_files
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import LIMIT_BYTES, Fed, Tensor
from inspector.model.tensors.prediction import OutputValue, Scale, dequantized
from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.preview.inputs import input_shapes, npy_files

RTOL = 1e-3  # of each element, as ONNX's backend tests have it
# Rounding of the arithmetic, in parts of the largest value of an output: as many steps of the
# coarsest type as errors of all layers add up to, as a random walk does. Tolerances of single
# elements alone fail a model for 2e-7 at an element near 0.
ROUNDING_STEPS = 4.0
_EPSILON = {
    "float64": 2.2e-16, "float32": 1.2e-7, "float16": 9.8e-4, "bfloat16": 7.8e-3,
}  # fmt: skip
_MOST_ROUNDING = 0.02  # of the largest value; in float16 deep networks stay below
# Steps of the fewest bits that a model is quantized to, a layer: errors add up as above. It is
# what single elements may differ by where there are too few data sets for a verdict on them.
QUANTIZED_STEPS = 2.0
MOST_QUANTIZED = 0.15  # of the largest value
_USUAL_BITS = 8
_COARSE = {"float16": 2e-3, "bfloat16": 1.6e-2, "float8": 0.25, "float4": 0.5}
_FOLDERS = "test_data_set_*"
_FILE = re.compile(r"(?:.*?_)?(input|output)_(\d{1,4})\.pb|.*_(\d{1,4})_(input|output)\.pb")
Infos = Sequence[TensorInfo]
Value = Fed


class DataSet(Struct, frozen=True, eq=False):
    """Tensors for some inputs, and what the outputs must then be, by name."""

    name: str
    feeds: Mapping[str, Value]
    expected: Mapping[str, Value]


class Difference(DataStruct, frozen=True):
    """One output held against what it must be.

    problem: why it cannot be right ("its shape is ..."); empty where only values may differ.
    wrong: elements beyond the tolerances, of `total`. quantization: whether these are accepted,
    since a quantized model's outputs are right as a whole. worst: the place of the largest
    difference, with what was expected there and what came. Differences are 0 where all agree.
    """

    output: str
    problem: str = ""
    wrong: int = 0
    total: int = 0
    largest: float = 0.0
    relative: float = 0.0
    worst: tuple[int, ...] = ()
    wanted: str = ""
    got: str = ""
    quantization: bool = False

    @property
    def passed(self) -> bool:
        """Return whether the output is as expected."""
        return not self.problem and (not self.wrong or self.quantization)

    def text(self) -> str:
        """Return it as one sentence."""
        if self.problem:
            return self.problem
        if not self.wrong:
            return f"within tolerance, max error {self.largest:.3g}"
        if self.quantization:
            return (
                f"{self.wrong:,} of {units.plural(self.total, 'element')} differ as "
                f"quantization makes them, max error {self.largest:.3g}"
            )
        place = ", ".join(map(str, self.worst))
        return (
            f"{self.wrong:,} of {units.plural(self.total, 'element')} differ; at [{place}] "
            f"{self.got} instead of {self.wanted} (off by {self.largest:.3g})"
        )


def data_sets_next_to(model: Path) -> tuple[Path, ...]:
    """Return the folders of test data that lie beside a model, in their order."""
    return tuple(sorted(path for path in model.parent.glob(_FOLDERS) if path.is_dir()))


def data_sets(path: Path) -> tuple[Path, ...]:
    """Return the data sets that a path names: an .npz, a folder of .pb files, or one of such
    folders. Raises UnreadableFile: there are none."""
    inner = tuple(sorted(part for part in path.glob(_FOLDERS) if part.is_dir()))
    if inner:
        return inner
    if path.suffix.lower() == ".npz" or (path.is_dir() and _files(path)):
        return (path,)
    why = "it is not an .npz file or a folder with input_0.pb and output_0.pb"
    missing = "there is no such file or folder"
    raise UnreadableFile(f"Could not read {path.name}", why if files.exists(path) else missing)


def read(path: Path, inputs: Infos, outputs: Infos) -> DataSet:
    """Read one data set. Raises UnreadableFile, BadInput: damaged, or not this model's."""
    if path.is_dir():
        feeds, expected = _from_folder(path, inputs, outputs)
    else:
        feeds, expected = {**_from_npz(path, inputs)}, {**_from_npz(path, outputs)}
        expected = expected or {**_only_other(path, inputs, outputs)}
    if not expected:
        raise BadInput(
            f"Could not verify against {path.name}", "it contains none of the model's outputs"
        )
    return DataSet(path.name, feeds, expected)


def compare(
    data: DataSet,
    answered: Sequence[OutputValue],
    rtol: float | None = None,
    atol: float | None = None,
    rounding: float = 0.0,
) -> tuple[Difference, ...]:
    """Hold each expected output against what came, element by element.

    An element is right when |got - expected| <= atol + rtol * |expected|, or both are NaN.
    rtol: 1e-3 where it is None, and two steps of the output's type where those are coarser.
    atol: where it is None, `rounding` of the largest value that is expected.
    """
    values = {output.name: output for output in answered}
    return tuple(
        _difference(
            values.get(name),
            name,
            array,
            _relative(values.get(name), rtol),
            rounding * _peak(array) if atol is None else atol,
        )
        for name, array in data.expected.items()
    )


def rounding(model: Model) -> float:
    """Return what rounding in a model may change, in parts of the largest value of an output:
    by its coarsest type, and by how many layers there are."""
    kinds = {weight.dtype for weight in model.weights}
    kinds |= {info.dtype for info in (*model.inputs, *model.outputs)}
    epsilon = max((_EPSILON.get(kind, 0.0) for kind in kinds), default=0.0)
    depth = float(np.sqrt(len(model.layers)))
    share = min(ROUNDING_STEPS * depth * epsilon, _MOST_ROUNDING)
    formats = quantization(model)
    if not is_quantized(formats):
        return share
    bits = min((each.bits for each in formats.compressions), default=_USUAL_BITS)
    step = 1.0 / ((1 << (max(bits, 2) - 1)) - 1)
    # Not all layers round: views and conversions of integers are exact.
    rounding_layers = max(sum(count for _, count in formats.schemes), len(formats.compressions))
    steps = QUANTIZED_STEPS * float(np.sqrt(max(rounding_layers, 1)))
    return max(share, min(steps * step, MOST_QUANTIZED))


def is_quantized(formats: Quantization) -> bool:
    """Return whether a model computes or stores weights in so few bits that its outputs are
    right as a whole, but not element by element."""
    return bool(formats.schemes or formats.compressions)


def _peak(wanted: Value) -> float:
    """Return the largest finite magnitude of what is expected; 0 of texts and of nothing."""
    peaks = [0.0]
    for part in wanted if isinstance(wanted, tuple) else (wanted,):
        if part.dtype.kind in "fV" and part.size:
            values = np.abs(part.astype(np.float64))
            peaks.append(float(values[np.isfinite(values)].max(initial=0.0)))
    return max(peaks)


def _relative(output: OutputValue | None, rtol: float | None) -> float:
    if rtol is not None:
        return rtol
    dtype = "" if output is None else output.dtype
    return next((r for start, r in _COARSE.items() if dtype.startswith(start)), RTOL)


def _difference(
    output: OutputValue | None, name: str, wanted: Value, rtol: float, atol: float
) -> Difference:
    if isinstance(wanted, tuple):
        parts = () if output is None else output.parts
        if output is not None and output.array is not None:
            parts = tuple(np.asarray(row) for row in np.atleast_1d(output.array))
        if len(parts) != len(wanted):
            count = units.plural(len(parts), "tensor")
            return Difference(name, f"it has {count}, expected {len(wanted):,}")
        pairs = zip(parts, wanted, strict=True)
        differences = [_of_arrays(name, got, part, rtol, atol) for got, part in pairs]
        for place, each in enumerate(differences):
            if each.problem:
                return Difference(name, f"tensor {place}: {each.problem}")
        return max(
            differences, key=lambda each: (each.wrong, each.largest), default=Difference(name)
        )
    if output is None or output.array is None:
        text = "" if output is None else f": {units.clip(output.text, 80)}"
        return Difference(name, f"no tensor was returned{text}")
    if output.scale and output.codes is not None and wanted.dtype.kind in "iu":
        return _of_arrays(name, output.codes, wanted, rtol, atol)
    return _of_arrays(name, output.array, wanted, rtol, atol)


def as_output(output: OutputValue, wanted: Tensor) -> OutputValue:
    """Return an output with what was expected of it; stored integers of a quantized one as the
    numbers that they stand for."""
    if output.scale and wanted.dtype.kind in "iu":
        wanted = dequantized(wanted, Scale(output.scale, output.zero_point))
    return replace(output, array=wanted, parts=())


def _of_arrays(name: str, got: Tensor, wanted: Tensor, rtol: float, atol: float) -> Difference:
    if got.shape != wanted.shape:
        shape = units.shape(got.shape)
        return Difference(name, f"its shape is {shape}, expected {units.shape(wanted.shape)}")
    if not got.size:
        return Difference(name)
    if "O" in (got.dtype.kind, wanted.dtype.kind) or got.dtype.kind == "U":
        same = got.astype(str) == wanted.astype(str)
        return _number_text(name, ~same, np.asarray(~same, np.float64), got, wanted)
    kind = np.complex128 if got.dtype.kind == "c" else np.float64
    ours, theirs = got.astype(kind), wanted.astype(kind)
    with np.errstate(all="ignore"):
        apart = np.asarray(np.abs(ours - theirs))  # a scalar is no array otherwise
        apart[(ours == theirs) | (np.isnan(ours) & np.isnan(theirs))] = 0
        wrong = np.asarray(apart > atol + rtol * np.abs(theirs))
    return _number_text(name, wrong | ~np.isfinite(apart), apart, got, wanted)


def _number_text(
    name: str, wrong: Tensor, apart: Tensor, got: Tensor, wanted: Tensor
) -> Difference:
    ranked = np.nan_to_num(apart.astype(np.float64), nan=np.inf, posinf=np.inf)
    worst = np.unravel_index(int(np.where(wrong, ranked, ranked if not wrong.any() else -1.0)
                                 .argmax()), ranked.shape)  # fmt: skip
    size = abs(complex(wanted[worst])) if wanted.dtype.kind in "fciub" else 0.0
    largest = float(ranked[worst])
    return Difference(
        name,
        "",
        int(wrong.sum()),
        int(wrong.size),
        largest,
        largest / size if 0 < size < np.inf else 0.0,
        tuple(int(i) for i in worst),
        _short(wanted[worst]),
        _short(got[worst]),
    )


def _short(value: object) -> str:
    number = np.asarray(value)
    return f"{float(number):.6g}" if number.dtype.kind == "f" else units.clip(str(value), 40)


def _files(folder: Path) -> list[tuple[str, int, Path]]:
    """Side, number and path of each file of a folder, in order."""
    named = ((_FILE.fullmatch(path.name), path) for path in folder.iterdir())
    pairs = [(match, path) for match, path in named if match is not None]
    return sorted((f[1] or f[4], int(f[2] or f[3]), path) for f, path in pairs)


def _from_folder(
    folder: Path, inputs: Infos, outputs: Infos
) -> tuple[dict[str, Value], dict[str, Value]]:
    values: dict[str, dict[str, Value]] = {"input": {}, "output": {}}
    for kind, number, path in _files(folder):
        infos = inputs if kind == "input" else outputs
        if number >= len(infos):
            has = units.plural(len(infos), kind)
            why = f"{path.name} is for another input or output: the model has {has}"
            raise BadInput(f"Could not verify against {folder.name}", why)
        value = _value(path, infos[number])
        if value is not None:
            values[kind][infos[number].name] = value
    return values["input"], values["output"]


def _value(path: Path, info: TensorInfo) -> Value | None:
    """Return what one file holds for a value of its kind; None for an optional that is
    empty."""
    if info.kind not in ("sequence", "optional"):
        array, dtype = tensor_files.read(path)
        shape = None if info.kind != "tensor" else info.shape
        plain = TensorInfo(info.name, info.kind, dtype, shape and (None,) * array.ndim)
        return input_shapes.checked(array, dtype, plain, {}, path.name)
    body = files.read_capped(path, LIMIT_BYTES)
    if info.kind == "optional" and not tensor_files.is_sequence(body, info.dtype):
        value = tensor_files.optional(body, path.name)
        listed = value is not None and "sequence(" in info.dtype
        return (
            tuple(np.asarray(part) for part in value) if listed and value is not None else value
        )
    parts = tensor_files.sequence(body, path.name)
    if info.kind == "optional":
        return parts
    if len({part.shape for part in parts}) > 1:
        return parts
    return np.stack(parts) if parts else np.zeros((0, 1), np.float32)


def _only_other(path: Path, inputs: Infos, outputs: Infos) -> dict[str, Tensor]:
    """Return the one array that is no input, for the one output, whatever it is called."""
    declared = {info.name for info in inputs}
    others = [name for name in npy_files.names_of(path) if name not in declared]
    if len(others) != 1 or len(outputs) != 1:
        return {}
    return {outputs[0].name: npy_files.read_npz(path, others[0])}


def _from_npz(path: Path, infos: Infos) -> dict[str, Tensor]:
    held = npy_files.names_of(path)
    declared = {info.name: info for info in infos}
    own = {name: npy_files.read_npz(path, name) for name in held if name in declared}
    return {
        name: input_shapes.checked(array, "", declared[name], {}, path.name)
        if array.dtype.kind == "V"
        else array
        for name, array in own.items()
    }  # fmt: skip
