"""Numbers as people read them; the only place where a unit turns into text."""

import re
from collections.abc import Callable, Sequence
from math import ceil, floor, inf, log10

_DURATIONS = ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"))
_NANOSECONDS = {"s": 1e9, "ms": 1e6, "us": 1e3, "µs": 1e3, "μs": 1e3, "ns": 1.0}
_TIME = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(s|ms|us|µs|μs|ns)?")
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_COUNTS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_SHOWN = 300
# A file may declare sizes whose product no float can hold; nothing real is as large.
_HUGE = 10**30
_HUGE_TEXT = "10³⁰ or more"
MANY_TIMES = 2.0  # a ratio from which a factor reads better than a percentage

# Of an axis: signs of an expression, and a name that looks like nothing else.
_EXPRESSION = re.compile(r"[*+()]|//| [-/] ")
_PLAIN_NAME = re.compile(r"(?=.*[^\d.])[^\s×?*\"']+")
_MOST_DIGITS = 5  # of an end of an interval; closer ends are no news
BYTES = {
    "B": 1.0, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30,
}  # fmt: skip
_HISSING = ("s", "x", "ch", "sh")  # endings after which a plural is written "es"


def significant(value: float, digits: int = 3) -> str:
    """Write a number with so many digits and no exponent: 0, 0.231, 2.31, 231, 2310."""
    if value == 0:
        return "0"
    text = f"{value:.{max(0, digits - _whole(value))}f}"
    if text.strip("-.0") != "1":  # it is asked for a dozen times in a frame of a timeline
        return text
    return f"{value:.{max(0, digits - _whole(float(text)))}f}"  # 9.996 has become 10.00


def _whole(value: float) -> int:
    return len(str(int(abs(value)))) if abs(value) >= 1 else 0


def rate(per_second: float) -> str:
    """Write how often something happens in a second: '0.620', '187', '43,644'."""
    return f"{per_second:,.0f}" if per_second >= 1000 else significant(per_second)


def duration_parts(ns: float, digits: int = 3) -> tuple[str, str]:
    """Number and unit of a length of time in nanoseconds: 2_310_000 -> ('2.31', 'ms')."""
    for limit, scale, unit in _DURATIONS:
        if abs(ns) < limit * 0.9995:
            return significant(ns / scale, digits), unit
    return significant(ns / 1e9, digits), "s"


def duration(ns: float, clock_ns: float = 0) -> str:
    """Format a length of time given in nanoseconds: 2_310_000 -> '2.31 ms', 834 -> '834 ns'.

    The one rule for times, in text and in columns: three significant digits, and the largest
    unit in which the number is at least 1.
    clock_ns: step of the clock that counted; of less there is no number: '< 1 µs'.
    """
    if abs(ns) < clock_ns:
        return f"< {whole_duration(clock_ns)}"
    return " ".join(duration_parts(ns))


def whole_duration(ns: float) -> str:
    """Format a round length of time without decimals: 1_000 -> '1 µs'."""
    return duration(ns).replace(".00", "").replace(".0 ", " ")


def nanoseconds(text: str) -> float | None:
    """Return the nanoseconds of '1.5ms', or of a plain number; None for another text."""
    time = _TIME.fullmatch(text.strip())
    return float(time[1]) * _NANOSECONDS[time[2] or "ns"] if time else None


def durations(low_ns: float, high_ns: float, clock_ns: float = 0) -> str:
    """Format an interval with digits that tell its ends apart: '2.314 ms to 2.316 ms'.

    clock_ns: as for `duration`; an interval that begins below it: 'up to 2.32 ms'.
    """
    low, high = duration_ends(low_ns, high_ns, clock_ns)
    return f"{low} to {high}" if low else f"up to {high}"


def duration_ends(low_ns: float, high_ns: float, clock_ns: float = 0) -> tuple[str, str]:
    """Return both ends of an interval as text, with digits that tell them apart.

    The lower one is empty where it is below the step of the clock.
    """
    if low_ns < clock_ns:
        return "", duration(max(clock_ns, high_ns))
    for digits in range(3, _MOST_DIGITS + 1):
        low, high = (" ".join(duration_parts(ns, digits)) for ns in (low_ns, high_ns))
        if low != high or low_ns == high_ns:
            break
    return low, high


def axis(begin_ns: float, end_ns: float, most: int) -> tuple[tuple[float, str], ...]:
    """Round instants of a window of time, about `most` of them, with words in one unit."""
    raw = max(end_ns - begin_ns, 1e-3) / max(most, 1)
    power = 10.0 ** floor(log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
    far = max(abs(begin_ns), abs(end_ns))
    scale, unit = next((s, u) for limit, s, u in (*_DURATIONS, (inf, 1e9, "s")) if far < limit)
    decimals = max(0, -floor(log10(step / scale) + 1e-9))
    places = range(ceil(begin_ns / step - 1e-9), floor(end_ns / step + 1e-9) + 1)
    form = f"%.{decimals}f {unit}"
    return tuple([(k * step, form % (k * step / scale)) for k in places])


def milliseconds(ns: float) -> str:
    """Format an instant on a time axis in ms with three decimals: '0.269 ms'."""
    return f"{ns / 1e6:.3f} ms"


_size_units, _size_step = _BINARY, 1024.0


def use_decimal_sizes(decimal: bool) -> None:
    """Write sizes in kB of 1,000 bytes from now on, or in KiB of 1,024 bytes, the default."""
    global _size_units, _size_step
    _size_units, _size_step = (_DECIMAL, 1000.0) if decimal else (_BINARY, 1024.0)


def size_parts(size_bytes: float) -> tuple[str, str]:
    """Number and unit of an amount of memory in bytes: 1536 -> ('1.50', 'KiB')."""
    names, step = _size_units, _size_step
    if abs(size_bytes) >= _HUGE:
        return _HUGE_TEXT, "B"
    value, unit = float(size_bytes), 0
    while abs(value) >= step - 0.05 and unit < len(names) - 1:
        value, unit = value / step, unit + 1
    if unit == 0:
        return str(round(value)), "B"
    return significant(value), names[unit]


def size_ends(low_bytes: float, high_bytes: float) -> tuple[str, str]:
    """Return both ends of a range of sizes, a common unit at the second only: '12.0', '18.0
    MiB'."""
    (low, low_unit), (high, high_unit) = size_parts(low_bytes), size_parts(high_bytes)
    return (low if low_unit == high_unit else f"{low} {low_unit}"), f"{high} {high_unit}"


def size(size_bytes: float) -> str:
    """Format an amount of memory given in bytes: 1536 -> '1.50 KiB'."""
    return " ".join(size_parts(size_bytes))


def count(number: float) -> str:
    """Format a count in thousands, millions, ...: 5_600_000 -> '5.60 M'; under 10,000 exact."""
    if abs(number) >= _HUGE:
        return _HUGE_TEXT
    if abs(number) < 10_000:
        return f"{number:,.0f}"
    for limit, unit in _COUNTS:
        if abs(number) >= limit * 0.9995:
            return f"{significant(number / limit)} {unit}"
    raise AssertionError("unreachable: 10,000 is over 1 k")


def share(part: float, whole: float) -> str:
    """Format part / whole in percent: '2.3%', '< 0.1%' of little, 'n/a' of nothing."""
    if not whole:
        return "n/a"
    percent = 100 * part / whole
    # What is left of a sum of floats is not a little of anything.
    return "< 0.1%" if 1e-9 < percent < 0.05 else f"{percent:.1f}%"


def change(ratio: float) -> str:
    """Write a ratio as what is more or less: 1.05 -> '+5.0%', 93.3 -> '+9,230%'."""
    percent = 100 * (ratio - 1)
    digits = ",.0f" if percent >= 999.95 else ".1f"  # no one reads tenths of a thousand percent
    return f"{percent:+{digits}}%".replace("-", "−")


def apart(ratio: float) -> str:
    """Write how far a ratio is from 1, for "slower" or "faster": 1.13 -> '13.0%', 2 -> '2.00×'.

    From MANY_TIMES on, a factor reads better than a percentage.
    """
    times = max(ratio, 1 / ratio) if ratio else 1.0
    return f"{significant(times)}×" if times >= MANY_TIMES else f"{abs(100 * (ratio - 1)):.1f}%"


def rounded_time(seconds: float) -> str:
    """Write a time that is known roughly: '40 s', '1 h 20 min'."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    hours, rest = divmod(round(seconds / 60), 60)
    parts = (f"{hours} h" if hours else "", f"{rest} min" if rest else "")
    return " ".join(filter(None, parts))


def time_left(seconds: float, at_most: bool = False) -> str:
    """Write how long something will still take: 'about 40 s left', or at most 'up to 40 s'."""
    return f"{'up to' if at_most else 'about'} {rounded_time(seconds)} left"


def time_change(ratio: float) -> str:
    """Write a ratio of two times: 0.9 -> '10.0% less', 1.3 -> '30.0% more', 3 -> '3.0 times'.

    A percentage stays within what people can picture: what takes more than twice as long is
    written as a multiple.
    """
    if ratio > 2:
        return f"{ratio:.1f} times"
    return f"{100 * abs(ratio - 1):.1f}% {'less' if ratio < 1 else 'more'}"


def time_change_range(low: float, high: float) -> str:
    """Write an interval of a ratio of two times: '10.0% to 12.5% less', '2.0% less to
    3.1% more', '1.8 to 5.8 times'."""
    if high < 1:
        return f"{100 * (1 - high):.1f}% to {100 * (1 - low):.1f}% less"
    if low > 1 and high <= 2:
        return f"{100 * (low - 1):.1f}% to {100 * (high - 1):.1f}% more"
    if low > 1:
        return f"{low:.1f} to {high:.1f} times"
    return f"{time_change(low)} to {time_change(high)}"


def signed(value: float, write: Callable[[float], str]) -> str:
    """Write a difference with its sign: -2_310_000 in durations -> '−2.31 ms', 0 -> '0 ns'."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + write(abs(value))


def shape(axes: Sequence[int | str | None] | None) -> str:
    """Format a shape: '1×3×224×224', 'batch×?', 'n×(2*n)', 'scalar', 'unknown rank'."""
    return "unknown rank" if axes is None else "×".join(map(axis_size, axes)) or "scalar"


def axis_size(size: int | str | None) -> str:
    """Format the size of an axis: '3', 'batch', '?'.

    An expression is in brackets: '(2*n)'. A name that would look like something else is in
    quotation marks: '"2"' is a free axis.
    """
    if isinstance(size, int):
        return str(size)
    if not size:
        return "?"
    name = clip(size, 40)
    if _EXPRESSION.search(name):
        return f"({name})"
    return name if _PLAIN_NAME.fullmatch(name) else f'"{name}"'


def plural(number: int, noun: str) -> str:
    """Return a count with its noun: '1 layer', '12,345 layers', '2 boxes', '3 copies'."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(_HISSING) else 's'}"


def device(identifier: str) -> str:
    """Write a device's id for people: 'cpu' -> 'CPU', 'openvino:gpu' -> 'OpenVINO GPU'."""
    family, _, number = identifier.partition(":")
    known = {"cpu": "CPU", "webgpu": "WebGPU", "cuda": "CUDA", "coreml": "Core ML"}
    known |= {"dml": "DirectML", "openvino": "OpenVINO", "qnn": "QNN", "tensorrt": "TensorRT"}
    known |= {"directml": "DirectML", "nnapi": "NNAPI", "xnnpack": "XNNPACK"}
    known |= {"coreml-mlprogram": "Core ML (MLProgram)", "tensorrt-rtx": "TensorRT RTX"}
    known |= {"migraphx": "MIGraphX", "webnn": "WebNN", "vitisai": "Vitis AI"}
    known |= {"openvino-gpu": "OpenVINO (GPU)"}
    if number[:1].isalpha():
        # A chip of QNN need not be here; no other device is called by its chip.
        number = f"{number.upper()} (emulated)" if family == "qnn" else number.upper()
    return known.get(family, family) + (f" {number}" if number not in ("", "0") else "")


def optimization(level: str, runtime: str = "", xnnpack: bool = True) -> str:
    """Write a level of graph optimization: 'all optimizations', 'basic optimizations'.

    runtime: name of the runtime that ran; LiteRT has no levels, but a delegate.
    """
    if runtime.startswith("LiteRT"):
        return "XNNPACK" if xnnpack else "no XNNPACK"
    known = {"all": "all optimizations", "none": "no optimization"}
    return known.get(level, f"{clip(level, 20)} optimizations")


def inference_precision(value: str) -> str:
    """Return the type that OpenVINO computes in: "f32" -> "float32", "device" -> ..."""
    known = {"f32": "float32", "bf16": "bfloat16", "f16": "float16"}
    return known.get(value, "precision of the device" if value == "device" else clip(value, 20))


def scope_and_name(name: str) -> tuple[str, str]:
    """Scope and last part: '/block1/attn/qkv' -> ('block1/attn', 'qkv'); no scope is ''.

    Slashes part scopes, or dots where there is no slash; a number alone is no name.
    """
    for separator in ("/", "."):
        scope, separator_found, last = name.rstrip(separator).rpartition(separator)
        if separator_found:
            return (scope.strip("/"), last) if last and not last.isdecimal() else ("", name)
    return "", name


def clip(text: str, limit: int = _SHOWN) -> str:
    """Cut a text of a file to what a list can show, and make control characters visible.

    A hostile name may hold line breaks, bidirectional overrides or eight megabytes.
    """
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short if short.isprintable() else visible(short)[: 6 * limit]


def clip_name(name: str, limit: int = _SHOWN) -> str:
    """Cut the name of a layer as `clip` does, but keep its end.

    A converter that merged layers lists all their names; the last part is shown everywhere.
    """
    return clip(name if len(name) <= limit else f"…{name[len(name) - limit + 1 :]}", limit)


def capitalized(text: str) -> str:
    """Return a text that begins with a capital letter; the rest of it stays as it is.

    A sentence that begins with one stays a sentence, which can still be translated.
    """
    first = text[:1].upper()
    return text if text.startswith(first) else first + text[1:]


def uncapitalized(text: str) -> str:
    """Return a text as it stands in the middle of a sentence, without its capital letter."""
    return text[:1].lower() + text[1:]


def visible(text: object) -> str:
    """The text of a name or a path, whole and in one line: what cannot be seen as \\u001b."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in str(text))
