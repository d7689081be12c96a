"""Targets that people know ("iPhone, iPad and Mac"), and whether a model runs there.

The answers come from support tables: nothing is run or measured.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from inspector import units
from inspector.analysis.devices.support_summary import DeviceSupport, Refusal
from inspector.errors import BadInput
from inspector.model.model import TFLITE, Layer, Model
from inspector.model.operator_traits import WITHOUT_EFFECT
from inspector.model.tensors.element_types import is_float, is_integer
from inspector.report.report_values import Support
from inspector.wording.support_marks import Rule
from inspector.wording.values import Count, Joined, Name, Sentence, counted, joined

# ONNX Runtime removes these before it asks a provider, at every level of optimization but
# "none". They have no kernel anywhere, which says nothing about a target.
REMOVED_OPERATORS = WITHOUT_EFFECT
_MOST_OPERATORS = 3  # that a sentence names
_REQUIRED_TYPE = re.compile(r"must be (float\d+).*, but it is (\w+)")
_COREML = (
    "Core ML runs each layer on the Neural Engine, the GPU or the CPU; it chooses on the "
    "device."
)
_NNAPI = (
    "Android's NNAPI hands layers to the drivers of the phone, which run them on its NPU, GPU "
    "or DSP, and the rest on the CPU. Supported means that NNAPI takes the layer; whether the "
    "NPU runs it depends on the phone. Android 15 deprecates NNAPI."
)
_ON_THE_PHONE = "Only a run on the phone tells which unit runs each layer."
_ON_QUALCOMM = (
    "To find out, install onnxruntime-qnn, which compiles for them on any x86-64 PC, and run "
    "`inspector compile MODEL --target sm8650`."
)
_QNN = "QNN runs layers on the Hexagon NPU of Snapdragon chips, in Android phones and in PCs."
_OPENVINO = "OpenVINO runs layers on the CPU or the NPU of Intel processors."
_NEEDS_LIBRARY = "Its custom operators need {libraries} there."
_WEB_ASSEMBLY = "Without WebGPU, all layers run on the CPU (WebAssembly)."
# What people ask for first, the target that answers it, who chooses the processor there, and
# what else they should know.
_ASKED = (
    ("On Android", "android", "the phone decides whether its NPU, GPU or CPU runs them", ""),
    ("On iPhone", "apple", "iOS decides whether the Neural Engine, GPU or CPU runs them", ""),
    ("In a browser", "webgpu", "the browser runs them on the GPU", _WEB_ASSEMBLY),
)


class Answer(StrEnum):
    """Whether a target runs a model, in the same words everywhere.

    The runtime runs on the CPU what a provider does not.
    """

    YES = "Yes"
    MOSTLY = "Mostly"  # and nothing is known of the rest
    PARTLY = "Partly on the CPU"
    NO = "Only on the CPU"
    NOT_KNOWN = "Not known"


class Verdict(StrEnum):
    """The share of a model that a target runs: all of it, some, none, or unknown."""

    ALL = "all"
    PART = "part"
    NONE = "none"
    UNKNOWN = "unknown"  # the target's own compiler decides, or a condition was not checked


class Target(Struct, frozen=True):
    """A kind of device that a model may be shipped to.

    id: on the command line. title: the words that its owners use. provider: what ONNX Runtime
    runs there. tables: support tables of this provider with the provider option that each
    needs, the default first; the one that supports the most layers answers. units: the
    processors that layers may run on, the preferred one first. about: what the provider does,
    in one or two sentences. check: how to find out what the tables leave open; "" where
    nobody can from here.
    """

    id: str
    title: str
    provider: str
    tables: Mapping[str, str]
    units: str = "GPU"
    about: str = ""
    check: str = ""

    @property
    def is_cpu(self) -> bool:
        """Return whether it is a CPU, which runs every layer."""
        return self.units == "CPU"


TARGETS = (
    Target(
        "apple",
        "iPhone, iPad and Mac",
        "Core ML",
        {"coreml": "", "coreml-mlprogram": "ModelFormat=MLProgram"},
        "Neural Engine, GPU or CPU",
        _COREML,
    ),
    Target(
        "android",
        "Android",
        "NNAPI",
        {"nnapi": ""},
        "NPU, GPU, DSP or CPU",
        _NNAPI,
        _ON_THE_PHONE,
    ),
    Target(
        "phone-cpu",
        "Phone CPU",
        "XNNPACK",
        {"xnnpack": ""},
        "CPU",
        "XNNPACK runs layers on the CPU of phones, never on a GPU or NPU.",
    ),
    Target("qualcomm", "Qualcomm NPU", "QNN", {"qnn": ""}, "NPU", _QNN, _ON_QUALCOMM),
    Target("webgpu", "Browser and desktop GPU", "WebGPU", {"webgpu": ""}),
    Target(
        "webnn",
        "Browser (CPU, GPU, or NPU)",
        "WebNN",
        {"webnn": ""},
        "NPU, GPU or CPU",
        "The browser chooses the unit, and may use the NPU of the device.",
    ),
    Target("intel", "Intel CPU and NPU", "OpenVINO", {"openvino": ""}, "CPU or NPU", _OPENVINO),
    Target("intel-gpu", "Intel GPU", "OpenVINO", {"openvino-gpu": ""}),
    Target("nvidia", "NVIDIA GPU", "CUDA", {"cuda": ""}),
    Target("tensorrt", "NVIDIA GPU, compiled", "TensorRT", {"tensorrt": ""}),
    Target("rtx", "NVIDIA RTX GPU, compiled", "TensorRT RTX", {"tensorrt-rtx": ""}),
    Target("amd-gpu", "AMD GPU", "MIGraphX", {"migraphx": ""}),
    Target("amd-npu", "AMD Ryzen AI NPU", "Vitis AI", {"vitisai": ""}, "NPU"),
    Target("windows-gpu", "Windows GPU", "DirectML", {"directml": ""}),
)
# For TensorFlow Lite models, which LiteRT's delegates run on other units than the CPU.
LITERT_TARGETS = (
    Target(
        "apple",
        "iPhone, iPad and Mac",
        "Core ML delegate",
        {"coreml-delegate": ""},
        "Neural Engine, GPU or CPU",
        _COREML,
    ),
    Target(
        "android",
        "Android",
        "NNAPI delegate",
        {"nnapi-delegate": ""},
        "NPU, GPU, DSP or CPU",
        _NNAPI,
        _ON_THE_PHONE,
    ),
    Target("phone-gpu", "Phone GPU", "GPU delegate", {"gpu-delegate": ""}),
    Target("qualcomm", "Qualcomm NPU", "QNN", {"qnn-delegate": ""}, "NPU", _QNN),
    Target("hexagon", "Qualcomm DSP", "Hexagon delegate", {"hexagon-delegate": ""}, "DSP"),
)


class TargetSupport(Struct, frozen=True):
    """The support of a target for the layers of a model.

    table: the support table that answered. option: of the provider, that this table needs.
    layers: index of each layer that counts; `answers` are in the same order. removed: number
    of layers that ONNX Runtime removes first. libraries: packages, or domains, with custom
    operators that the model needs everywhere.
    """

    target: Target
    table: str
    option: str
    summary: DeviceSupport
    layers: tuple[int, ...]
    answers: tuple[Support, ...]
    removed: int
    libraries: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Return how much of the model runs there."""
        refused = DeviceSupport.layers_of(self.summary.refusals)
        if self.summary.supported_layers == self.summary.layers:
            return Verdict.ALL
        if refused == self.summary.layers:
            return Verdict.NONE
        if not refused:
            return Verdict.PART if self.summary.supported_layers else Verdict.UNKNOWN
        return Verdict.PART

    @property
    def answer(self) -> Answer:
        """Return the verdict as the first words of an answer.

        On a target that is a CPU, layers without a kernel of the provider run on the same CPU.
        """
        if self.verdict is Verdict.ALL or self.target.is_cpu:
            return Answer.YES
        if self.verdict is Verdict.NONE:
            return Answer.NO
        if not self.summary.supported_layers or 2 * self.unchecked > self.summary.layers:
            return Answer.NOT_KNOWN
        return Answer.PARTLY if self.summary.refusals else Answer.MOSTLY

    @property
    def known_layers(self) -> int | None:
        """Return how many layers are known to run there; None where none could be checked."""
        supported = self.summary.supported_layers
        if self.target.is_cpu:
            return self.summary.layers
        return supported if supported or self.verdict is Verdict.NONE else None

    @property
    def count(self) -> str:
        """Return how many layers run there: "64 of 65"; "" where none could be checked."""
        known = self.known_layers
        every = Count(self.summary.layers)
        return "" if known is None else Sentence("{some} of {all}", Count(known), every)

    @property
    def needs_opset(self) -> bool:
        """Return whether a newer opset is what helps against the most frequent obstacle."""
        return _first_rule(self.summary.refusals) is Rule.OPSET

    @property
    def runs(self) -> str:
        """Return how many layers run there; on a CPU all do, some with the provider's kernels:
        "all 16, including 7 with XNNPACK"."""
        known, layers = self.summary.supported_layers, self.summary.layers
        if not self.target.is_cpu or known in (0, layers):
            return self.count
        return Sentence(
            "all {layers}, including {some} with {provider}",
            layers=Count(layers), some=Count(known), provider=self.target.provider,
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """Return what runs where, what falls back and why, or what would answer it."""
        refusals, unknowns = self.summary.refusals, self.summary.unknowns
        provider, layers = self.target.provider, counted(self.summary.layers, "layer")
        if self.verdict is Verdict.ALL:
            return Sentence(
                "{provider} supports {all}{with_option}.",
                provider,
                _all(layers),
                self._with_option,
            )
        if self.target.is_cpu:
            return self._on_its_cpu
        if self.verdict is Verdict.NONE:
            return Sentence(
                "{provider} supports no layer, so {all} would run on the CPU. {reason}{remedy}",
                provider,
                _all(layers),
                _reason(refusals),
                _remedy(refusals),
            )
        if self.verdict is Verdict.UNKNOWN:
            find_out = self.target.check or "Only a run on the device tells."
            return joined(_reason(unknowns), find_out, separator=" ")
        if self.summary.supported_layers:
            supported = Sentence(
                "{provider} supports {count} layers{with_option}",
                provider,
                self.count,
                self._with_option,
            )
        else:
            supported = Sentence(
                "No layer of {layers} is known to run with {provider}",
                Count(self.summary.layers),
                provider,
            )
        open_layers = Sentence(
            "{layers} could not be checked ({operators})",
            Count(self.unchecked, "layer"),
            _operators(unknowns),
        )
        if not refusals:
            return Sentence("{parts}.", joined(supported, open_layers, separator="; "))
        refused = _refused(refusals)
        text = joined(supported, refused, open_layers if unknowns else "", separator="; ")
        return _with_reason(text, refusals)

    @property
    def _on_its_cpu(self) -> str:
        """Return which kernels run the layers on a target that is a CPU, which runs all."""
        summary = self.summary
        refused = DeviceSupport.layers_of(summary.refusals)
        own = "{layers} with the runtime's own kernels ({operators})"
        either = (
            "{layers} with either {provider} or the runtime's own kernels, which was not "
            "checked ({operators})"
        )
        some, provider = summary.supported_layers, self.target.provider
        text = joined(
            Sentence("{layers} with {provider}", Count(some), provider) if some else "",
            Sentence(own, Count(refused), _operators(summary.refusals)) if refused else "",
            Sentence(either, Count(self.unchecked), provider, _operators(summary.unknowns))
            if self.unchecked
            else "",
        )
        layers = _all(counted(summary.layers, "layer"))
        return _with_reason(Sentence("The CPU runs {all}: {parts}", layers, text),
                            summary.refusals)  # fmt: skip

    @property
    def text(self) -> str:
        """Return the answer: a few words, then the sentence."""
        return Sentence("{answer}. {sentence}", self.answer.value, self.sentence)

    @property
    def on_cpu(self) -> str:
        """Return how many layers the CPU runs instead, with operators; "" for none."""
        refusals = self.summary.refusals
        layers, operators = Count(DeviceSupport.layers_of(refusals)), _operators(refusals)
        return Sentence("{layers} ({operators})", layers, operators) if refusals else ""

    @property
    def unchecked(self) -> int:
        """Return how many layers could not be checked."""
        return DeviceSupport.layers_of(self.summary.unknowns)

    @property
    def explanation(self) -> str:
        """Return what the provider does, and what would answer what the tables leave open."""
        target = self.target
        always = target.units.startswith("NPU, GPU")  # the tables never tell which unit runs it
        told = self.verdict is Verdict.UNKNOWN  # by the sentence
        check = target.check if (self.summary.unknowns or always) and not told else ""
        return joined(target.about, check, separator=" ")

    @property
    def _with_option(self) -> str:
        return Sentence(" with {option}", self.option) if self.option else ""


def for_model(model: Model) -> tuple[Target, ...]:
    """Return the targets with tables for the format of a model."""
    if model.format == TFLITE:
        return LITERT_TARGETS
    return TARGETS if model.details is None else ()


def chosen(text: str, model: Model) -> tuple[Target, ...]:
    """Read "apple,android" or "all". Raises BadInput: there is no such target for a model."""
    ids = {target.id: target for target in for_model(model)}
    if not ids:
        what: str = Sentence(
            "Could not estimate device support of {name}", units.clip(model.name)
        )
        raise BadInput(what, f"there are no support tables for {model.format_text}")
    names = tuple(ids) if text == "all" else tuple(filter(None, text.split(",")))
    unknown = next((name for name in names if name not in ids), None)
    if unknown is not None or not names:
        what = (
            f"There is no target '{units.clip(unknown, 40)}'"
            if unknown
            else "No target was specified"
        )
        raise BadInput(what, f"the available targets are 'all', {', '.join(ids)}", "", "target")
    return tuple(ids[name] for name in dict.fromkeys(names))


def overall(results: Sequence[TargetSupport]) -> tuple[str, ...]:
    """Return a line for Android, for iPhone and for browsers: "On iPhone: Yes. ..."."""
    return tuple(
        Sentence("{phone}: {answer}", phone, answer) for phone, answer in phone_answers(results)
    )


def phone_answers(results: Sequence[TargetSupport]) -> tuple[tuple[str, str], ...]:
    """Return answers for Android, iPhone and browsers: ("On iPhone", "Yes. ...").

    "Yes" means that the model runs, since the runtime's CPU kernels take what a provider does
    not; the rest of the line says on which processor.
    """
    by_id = {each.target.id: each for each in results}
    answers = []
    for title, name, decides, more in _ASKED:
        each = by_id.get(name)
        if each is None:
            continue
        npu = by_id.get("qualcomm") if name == "android" else None
        if npu is not None:
            more = Sentence("{target}: {answer}.", npu.target.title, npu.answer.value)
        needs = (
            Sentence(_NEEDS_LIBRARY, joined(*map(Name, each.libraries)))
            if each.libraries
            else ""
        )
        texts = _asked_answer(each, decides), more, needs
        answers.append((title, joined(*texts, separator=" ")))
    return tuple(answers)


def _asked_answer(each: TargetSupport, decides: str) -> str:
    provider, summary = each.target.provider, each.summary
    if each.answer is Answer.YES:
        layers = _all(counted(summary.layers, "layer"))
        template = "Yes. {provider} supports {all}{with_option}; {decides}."
        return Sentence(template, provider, layers, each._with_option, decides)
    if each.answer is Answer.NO:
        template = "Yes, but only on the CPU. {provider} supports no layer. {reason}{remedy}"
        reason = _reason(summary.refusals)
        return Sentence(template, provider, reason, _remedy(summary.refusals))
    parts = (
        Sentence("{provider} supports {count} layers", provider, each.count)
        if each.count
        else "",
        _refused(summary.refusals) if summary.refusals else "",
        Sentence("{unchecked} could not be checked ({operators})", Count(each.unchecked),
                 _operators(summary.unknowns)) if each.unchecked else "",
    )  # fmt: skip
    told = joined(*parts, separator="; ")
    if each.answer is Answer.MOSTLY:
        return Sentence("Yes, mostly. {told}.", told)
    if each.answer is Answer.PARTLY:
        return Sentence("Yes, partly on the CPU. {join}.", told)
    return Sentence("Yes, at least on the CPU. {join}.", told)


def _refused(refusals: Sequence[Refusal]) -> Sentence:
    """Return how many layers fall back, and their operators."""
    refused = DeviceSupport.layers_of(refusals)
    template = (
        "{refused} runs on the CPU ({operators})"
        if refused == 1
        else "{refused} run on the CPU ({operators})"
    )
    return Sentence(template, Count(refused), _operators(refusals))


def _with_reason(text: str, refusals: Sequence[Refusal]) -> str:
    """Return which layers run where, then the main reason and what may help."""
    if not refusals:
        return Sentence("{parts}.", text)
    reason, same = _reason(refusals), _with_main_reason(refusals)
    if len(same) < len(refusals):  # the reason is not that of all operators named before
        reason = Sentence("{operators}: {reason}", _operators(same), reason)
    return Sentence("{parts}. {reason}{remedy}", text, reason, _remedy(refusals))


def _all(layers: str) -> str:
    return "the only layer" if layers == "1 layer" else Sentence("all {layers}", layers)


def is_removed(layer: Layer) -> bool:
    """Return whether ONNX Runtime removes a layer, so that no target has to run it."""
    return layer.operator in REMOVED_OPERATORS and layer.domain in ("", "ai.onnx")


def _reason(refusals: Sequence[Refusal]) -> str:
    """Return the most frequent reason as a sentence, of all operators that it is given for."""
    own = _with_main_reason(refusals)
    if not own:
        return ""
    reason = units.clip(own[0].reason, 200)
    several = len({refusal.operator for refusal in own}) > 1
    return reason.replace("this operator.", "these operators.") if several else reason


def _with_main_reason(refusals: Sequence[Refusal]) -> list[Refusal]:
    """Return the refusals for the reason with most layers."""
    counts: dict[str, int] = {}
    for refusal in refusals:
        counts[refusal.reason] = counts.get(refusal.reason, 0) + refusal.layers
    main = max(counts, key=lambda reason: counts[reason], default="")
    return [refusal for refusal in refusals if refusal.reason == main]


def _first_rule(refusals: Sequence[Refusal]) -> Rule:
    """Return the most frequent kind of obstacle."""
    layers: dict[Rule, int] = {}
    for refusal in refusals:
        layers[refusal.rule] = layers.get(refusal.rule, 0) + refusal.layers
    return max(layers, key=lambda rule: layers[rule], default=Rule.NONE)


def _remedy(refusals: Sequence[Refusal]) -> str:
    """Return what may help against the most frequent kind of obstacle, after a blank."""
    first = _first_rule(refusals)
    if first is Rule.TYPE:
        found = _REQUIRED_TYPE.search(_reason(refusals))
        if found is None:
            return ""
        if is_float(found[2]):
            return f" Convert the model to {found[1]}."
        return (
            " No conversion of the model's floats changes that." if is_integer(found[2]) else ""
        )
    return {
        Rule.OPSET: " Update the opset of the model.",
        Rule.DYNAMIC_SHAPE: " Fix the sizes of the dynamic axes.",
    }.get(first, "")


def _operators(refusals: Sequence[Refusal]) -> str:
    names = list(dict.fromkeys(refusal.operator for refusal in refusals))
    more = len(names) - _MOST_OPERATORS
    shown = Joined(Name(units.clip(name, 40)) for name in names[:_MOST_OPERATORS])
    return Sentence("{shown} and {more} more", shown, more) if more > 0 else shown
