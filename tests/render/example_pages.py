"""A page with every kind of block and value, whose names are what a test wants them to be."""

from collections.abc import Callable

import numpy as np

from inspector.pages import blocks as b
from inspector.pages.blocks import Side
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, fitting_name
from inspector.pages.charts.roofline_plot import roofline_plot
from inspector.preview.inputs import image_files
from inspector.wording import values as v
from inspector.wording.support_marks import Mark
from inspector.wording.values import Code, Name, Tone, Toned
from tests.reports import example_report

OPERATORS = "Conv", "BatchNormalization", "Relu", "MatMul"
MARKS = (Mark.SUPPORTED, Mark.UNSUPPORTED, Mark.CAST, Mark.FUSED, Mark.UNKNOWN)
HOSTILE = (
    "\"'><script>alert(1)</script><img src=x onerror=alert(1)></style></title>"
    "\u202egnp\u2066\x00\x1b[31m\n${7*7}{{ 7 * 7 }}`rm`\ud800@all"
)
KEY_NUMBERS = (
    b.Fact("Latency", v.Duration(1_870_000), "median of 30 runs, 95% CI 1.85 ms to 1.89 ms"),
    b.Fact("Load", v.Duration(182_400_000), "first run 21.3 ms"),
    b.Fact("Peak model memory", v.Size(96_468_992), "weights 11.2 MiB"),
    b.Fact("Outputs", "correct to float32", "compared with an unoptimized run", Tone.GOOD),
)
TEXTS = (
    b.Text("Other programs used 65% of the CPU.", Tone.CAUTION, "Noisy"),
    b.Text("The outputs are wrong.", Tone.BAD, strong=True),
    b.Text("Measured on an idle machine.", Tone.SECONDARY),
)
Naming = Callable[[int], str]


def scoped(place: int) -> str:
    """Return names as exporters write them, which differ in the middle."""
    return (
        f"/model/encoder/layer.{place}/attention/self/query_projection/{OPERATORS[place % 4]}"
    )


def png() -> bytes:
    """Return a small picture."""
    pixels = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    return image_files.png(pixels)


def drawn(name: str) -> Callable[[float], Drawing]:
    """Return a chart that is as wide as it is asked for, and names something of a file."""

    def draw(width: float) -> Drawing:
        shapes = (
            Line(((20, 10), (20, 90), (width - 20, 90)), "grid"),
            Box(40, 30, width / 2, 20, "gpu", title=name, radius=3),
            Label(40, 24, fitting_name(name, width - 160), "secondary"),
        )
        return Drawing(name, width, 110, shapes)

    return draw


def mark(kind: Mark, family: str = "npu", text: str = "") -> v.MarkValue:
    """Return a mark with its usual meaning."""
    return v.MarkValue(kind, family, text or kind.label)


def layers(count: int, naming: Naming = scoped) -> b.Table:
    """Return a table of layers with marks, bars, numbers and names."""
    columns = (
        b.Column("index", "#", Side.RIGHT),
        b.Column("name", "Layer", stretch=True),
        b.Column("operator", "Operator", keep=7),
        b.Column("output", "Output", keep=2, help="Shape and type of its first output."),
        b.Column("cpu", "CPU", Side.CENTER, keep=6, marks=True),
        b.Column("gpu", "WebGPU", Side.CENTER, keep=6, marks=True),
        b.Column("npu", "OpenVINO NPU", Side.CENTER, keep=6, marks=True),
        b.Column("bar", "", bar=True, keep=3),
        b.Column("time", "Median time", Side.RIGHT),
        b.Column("share", "Share of kernel time", Side.RIGHT, keep=5),
    )
    times = [round(1e6 / (1 + 37 * place % 91)) for place in range(count)]
    rows = tuple(
        b.Row(
            (
                v.Count(place), Name(naming(place)), Name(OPERATORS[place % 4]),
                f"1×{8 << place % 6}×56×56 float32",
                mark(Mark.RAN if place % 3 else Mark.SUPPORTED, "cpu"),
                mark(Mark.SUPPORTED if place % 3 else Mark.RAN, "gpu"),
                mark(MARKS[place % 5]),
                v.Number(times[place] / max(times)), v.Duration(times[place]),
                v.Share(times[place], sum(times)),
            ),
            Tone.SECONDARY if place == 4 else Tone.PLAIN,
            f"layer-{place}",
            details="The order of this layer is uncertain." if place == 2 else "",
            number=place,
        )
        for place in range(count)
    )  # fmt: skip
    return b.Table(columns, rows, noun="layer")


def example_page(naming: Naming = scoped, count: int = 40) -> b.Page:
    """Return a page with every block, and every value, in sections of every rank."""
    name, report = naming(1), example_report()
    values = (
        ("Duration", v.Duration(1_870_000)), ("Below the clock", v.Duration(120, 1000)),
        ("Longer by", v.Duration(310_000, signed=True)),
        ("Interval", v.DurationRange(1_850_000, 1_890_000)), ("Size", v.Size(11_744_051)),
        ("Smaller by", v.Size(-4_194_304, signed=True)), ("Share", v.Share(37, 100)),
        ("Of nothing", v.Share(0, 0)), ("Change", v.Change(1.053)), ("No change", v.Change(1)),
        ("Layers", v.Count(12_345, "layer")), ("Threads", v.Count(8)),
        ("Bandwidth", v.Number(29.44, "GB/s")), ("Parameters", v.Amount(2_918_400)),
        ("Throughput", v.Rate(1532.4)), ("Ran", mark(Mark.RAN, "gpu")),
        ("Command", Code(f"inspector info '{name}'")), ("Layer", Name(name)),
        ("Operators", v.Joined((Name("Conv"), Name("Add"), Name(name)))),
        ("Outputs", Toned("wrong", Tone.BAD, True)),
    )  # fmt: skip
    sentence = v.Sentence(
        "{layer} takes {share} of the time, {time}; run `inspector measure --roofline`.",
        layer=Name(name),
        share=v.Share(62, 100),
        time=v.Duration(1_160_000),
    )
    inner = b.Items(
        (b.Item(Name(name), "float32 to float16"), b.Item("Two weights", v.Size(4096)))
    )
    facts = [b.Fact(label, value) for label, value in values]
    facts[0] = b.Fact("Duration", v.Duration(1_870_000), "as measured")
    sections = (
        b.Section("numbers", "Key numbers", (b.Facts(KEY_NUMBERS, prominent=True),)),
        b.Section("empty", "Nothing", ()),
        b.Section(
            "summary", "Summary", (b.Text(sentence), *TEXTS), aside=v.Count(4, "sentence")
        ),
        b.Section(
            "facts", "Facts",
            (b.Facts((*facts, b.Fact("Build", Name("1.31.1+gpu"), rank=b.Rank.FOLDED))),),
            b.Rank.DOCUMENT,
        ),
        b.Section(
            "charts", "Charts",
            (
                b.Chart("drawn", drawn(name), v.Sentence("Time of {x}", x=Name(name))),
                b.Chart("roofline", lambda w: roofline_plot(report, round(w)), "Roofline"),
            ),
            b.Rank.DOCUMENT,
        ),
        b.Section(
            "layers", "Layers",
            (
                b.Legend(tuple(map(mark, (Mark.RAN, Mark.SUPPORTED, Mark.UNSUPPORTED)))),
                layers(count, naming),
            ),
            b.Rank.DOCUMENT, v.Count(count, "layer"),
        ),
        b.Section("changes", "Changes", changes(name, inner), b.Rank.DOCUMENT),
        b.Section(
            "preview", "Preview",
            (
                b.Picture(png(), 64, 48, v.Joined(("Image", Name(name)), " ")),
                b.Snippet(f"import inspector\nmodel = inspector.open({name!r})", "python"),
            ),
            b.Rank.DOCUMENT,
        ),
        b.Section("settings", "Settings", settings(name), b.Rank.FOLDED),
    )  # fmt: skip
    title = v.Sentence("Report on {model}", model=Name(name))
    verdict = b.Text(v.Sentence("{a} is 27% faster.", a=Name(name)), Tone.GOOD, strong=True)
    subtitle = v.Joined((v.Amount(2_918_400), v.Size(11_744_051), "on CPU + GPU"), " · ")
    return b.Page("example", title, sections, verdict, subtitle)


def changes(name: str, inner: b.Items) -> tuple[b.Items, ...]:
    """Return a list of changes that folds, and one that does not."""
    signed = (
        b.Item(v.Joined((Name(name), "added")), v.Size(1 << 20), "+", Tone.GOOD, inner),
        b.Item("3 layers removed", "no longer needed", "−", Tone.BAD),
    )
    plain = (b.Item("Copies are hatched."), b.Item("Casts are plain.", items=inner))
    return b.Items(signed, folded=True), b.Items(plain)


def settings(name: str) -> tuple[b.Table, ...]:
    """Return a table without rows, and one that does not show all of them."""
    columns = (b.Column("name", "Setting"), b.Column("value", "Value", stretch=True))
    rows = (b.Row(("Model", Name(name))), b.Row(("Threads", v.Count(8))))
    rest = Code("inspector report --json")
    return b.Table(columns, ()), b.Table(columns, rows, b.Limits(page=1), "setting", 5, rest)
