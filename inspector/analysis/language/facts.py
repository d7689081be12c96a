"""The facts of a language model: by its graphs, by its configuration where these are silent."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from inspector.analysis.language.attention import Attention, attention_of
from inspector.analysis.language.tensor_classes import (
    Kind,
    TensorClass,
    block_count,
    classified,
    is_tied,
)
from inspector.model.model import Model
from inspector.model.model_folder import FolderPart, ModelFolder, TokenizerFacts
from inspector.wording.values import Count, Name, Real, Sentence, Value

_LOGITS = "logits"
_EMBEDDED = "inputs_embeds"
_VECTOR = 1  # axes of the weight of a norm: one number for each of the hidden size
_MATRIX = 2
_BASE_TOLERANCE = 0.02  # of the base of rotary positions, recovered from float16 cosines
_MOST_ENDS = 6  # tokens that are named in a note
_DECODER = "decoder"  # with which the roles of graphs that write text begin
_GENERATIVE = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_WITH_PAST = "decoder with past"
_FIRST_STEP = "decoder"
_LONGEST = 200  # characters of a name
# Source: the titles of the model pages of transformers' documentation.
_NAMES = (
    "BART", "BERT", "BLOOM", "CodeGen", "Cohere", "Cohere2", "DeepSeek-V2", "DeepSeek-V3",
    "Falcon", "Gemma", "Gemma 2", "Gemma 3", "Gemma 3n", "GPT Neo", "GPT-2", "GPT-J",
    "GPT-NeoX", "GPT-OSS", "Granite", "Granite MoE", "InternLM2", "LFM2", "Llama", "Llama 4",
    "LLaVA", "LongT5", "M2M100", "Mamba", "Mamba 2", "Marian", "mBART", "MiniCPM", "Mistral",
    "Mixtral", "Moonshine", "MPT", "mT5", "Nemotron", "OLMo", "OLMo2", "OPT", "Pegasus", "Phi",
    "Phi-2", "Phi-3", "PhiMoE", "Qwen2", "Qwen2 MoE", "Qwen2-VL", "Qwen2.5-VL", "Qwen3",
    "Qwen3 MoE", "RWKV", "SmolLM3", "StableLM", "StarCoder2", "T5", "TrOCR",
    "Vision encoder-decoder", "Whisper",
)  # fmt: skip
_MARKS = re.compile("[^a-z0-9]")
# By `model_type` of a configuration, or the architecture that a GGUF file names, both without
# marks: nearly always the proper name, in lower case.
_BY_KIND = {_MARKS.sub("", name.lower()): name for name in _NAMES} | {
    "deepseek2": "DeepSeek-V2",
    "gemma3text": "Gemma 3",
    "phi3v": "Phi-3.5 Vision",
    "phi4mm": "Phi-4 Multimodal",
}
# What the names of classes in Hugging Face's transformers end with.
_CLASS = re.compile(
    r"(ForCausalLM|LMHeadModel|ForConditionalGeneration|MTModel|ForSequenceClassification|"
    r"ForMaskedLM|Model)$"
)


class Graph(NamedTuple):
    """A part of a folder that was read.

    model: None where it could not be, and problem says why. size_bytes: with the files of its
    weights. rope_base: of its rotary positions, by their table. lost_bytes: of weights that
    no file holds.
    """

    part: FolderPart
    model: Model | None
    size_bytes: int
    problem: str = ""
    rope_base: float | None = None
    lost_bytes: int = 0


class LanguageFacts(Struct, frozen=True):
    """What is known of a language model; None for what nothing says.

    architecture: as its configuration names it; called: as people do. blocks: layers that
    repeat. hidden, feed_forward: sizes of the values between blocks, and within one. context:
    tokens that fit.
    classes: weights by class, each counted once. tied: whether embedding and head are one.
    window: tokens back that `windowed` of its blocks see; 0: all. rope_base, rope_scaling: of
    rotary positions. configured: names of these fields that only the configuration says.
    generates: whether it writes text token by token. notes: where two sources disagree.
    size_bytes: of all parts that one run needs; files of other variants are not among them.
    """

    architecture: str
    blocks: int | None
    hidden: int | None
    feed_forward: int | None
    vocabulary: int | None
    context: int | None
    heads: int | None
    kv_heads: int | None
    head_size: int | None
    window: int
    windowed: int
    rope_base: float | None
    rope_scaling: str
    operator: str
    cache_type: str
    experts: tuple[int, int] | None
    classes: tuple[TensorClass, ...]
    tied: bool
    size_bytes: int
    tokenizer: TokenizerFacts | None
    generates: bool = False
    configured: frozenset[str] = frozenset()
    notes: tuple[Sentence, ...] = ()
    called: str = ""

    @property
    def parameters(self) -> int:
        """Return how many numbers the model learned."""
        return sum(each.parameters for each in self.classes)

    @property
    def in_blocks(self) -> int:
        """Return the parameters of the blocks that repeat."""
        return sum(each.in_blocks for each in self.classes)

    def parameters_of(self, kind: Kind) -> int:
        """Return the parameters of one class."""
        return sum(each.parameters for each in self.classes if each.kind is kind)


def counted(graphs: Sequence[Graph]) -> tuple[Graph, ...]:
    """Return the graphs whose weights are those of one model.

    Of variants the first counts; of a first step and the steps after it, which have the same
    weights, the first step.
    """
    roles = {graph.part.role for graph in graphs}
    chosen: dict[str, Graph] = {}
    for graph in graphs:
        again = graph.part.role == _WITH_PAST and _FIRST_STEP in roles
        if not again:
            chosen.setdefault(graph.part.role, graph)
    return tuple(chosen.values())


def language_facts(
    folder: ModelFolder, graphs: Sequence[Graph], tokenizer: TokenizerFacts | None
) -> LanguageFacts:
    """Return the facts. graphs: the parts, the one that generates first."""
    parts = [graph for graph in counted(graphs) if graph.model is not None]
    config = folder.config
    classes = _together([
        classified(graph.model, _bits(config)) for graph in parts if graph.model is not None
    ])  # fmt: skip
    generating = [g for g in parts if g.part.role.startswith(_DECODER)] or parts[:1]
    seen = _Seen(config)
    models = [graph.model for graph in generating if graph.model is not None]
    attention = _attention(graphs, models)
    stages = sum(filter(None, map(block_count, models))) or None
    window = attention.window or _configured_window(config)
    context = seen.context(attention.positions)
    if context is not None and window >= context:
        window = 0
    if window and not attention.window:
        seen.configured.add("window")
    return LanguageFacts(
        architecture=_architecture(config),
        called=proper_name(config),
        blocks=seen.take("blocks", stages or attention.blocks, "num_hidden_layers"),
        hidden=seen.take("hidden", _first(map(_hidden, models)), "hidden_size"),
        feed_forward=seen.take(
            "feed_forward", _first(map(_feed_forward, models)), "intermediate_size"
        ),
        vocabulary=seen.take("vocabulary", _first(map(_vocabulary, models)), "vocab_size"),
        context=context,
        heads=seen.take("heads", attention.heads, "num_attention_heads"),
        kv_heads=seen.take("kv_heads", attention.kv_heads, "num_key_value_heads"),
        head_size=seen.take("head_size", attention.head_size, "head_dim"),
        window=window,
        windowed=attention.windowed,
        rope_base=seen.rope(_first(graph.rope_base for graph in generating)),
        rope_scaling=_rope_scaling(config),
        operator=attention.operator,
        cache_type=attention.cache_type,
        experts=_experts(config),
        classes=classes,
        tied=any(map(is_tied, models)) or _is_tied_checkpoint(models, classes, config),
        size_bytes=sum(graph.size_bytes for graph in _needed(graphs)),
        tokenizer=tokenizer,
        generates=_generates(folder, models),
        # Of one file nothing else could say it.
        configured=frozenset() if folder.is_file else frozenset(seen.configured),
        notes=(*seen.notes, *_token_notes(folder, tokenizer, _first(map(_vocabulary, models)))),
    )


def _generates(folder: ModelFolder, models: Sequence[Model]) -> bool:
    """Return whether a model writes text: it has a decoder, or says so."""
    if any(part.role.startswith(_DECODER) for part in folder.parts):
        return True
    if any(
        _vocabulary(model) is not None and attention_of(model).cache_type for model in models
    ):
        return True
    said = folder.config.get("is_decoder") is True
    return said or _architecture(folder.config).endswith(_GENERATIVE)


class _Seen:
    """Takes each fact from the graph, else from the configuration; notes where they differ."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self.configured: set[str] = set()
        self.notes: list[Sentence] = []

    def take(self, name: str, seen: int | None, key: str) -> int | None:
        """Return one fact."""
        said = self._config.get(key)
        said = said if isinstance(said, int) and not isinstance(said, bool) else None
        if seen is None:
            if said is not None:
                self.configured.add(name)
            return said
        if said is not None and said != seen:
            self._differ(key, Count(said), Count(seen))
        return seen

    def context(self, positions: int | None) -> int | None:
        """Return how many tokens fit: the configuration says it; a graph has room for more or
        fewer positions."""
        said = self.take("context", None, "context_length")
        if said is None:
            return positions
        if positions is not None and positions < said and not self._config.get("rope_scaling"):
            self._differ("context_length", Count(said), Count(positions))
            self.configured.discard("context")
            return positions
        if positions == said:  # the graph agrees
            self.configured.discard("context")
        return said

    def rope(self, seen: float | None) -> float | None:
        """Return the base of rotary positions."""
        said = self._config.get("rope_theta")
        inner = self._config.get("rope_parameters")
        if said is None and isinstance(inner, dict):
            said = inner.get("rope_theta")
        if isinstance(said, bool) or not isinstance(said, (int, float)) or said <= 0:
            return seen
        if seen is None:
            self.configured.add("rope_base")
        elif abs(seen / said - 1) > _BASE_TOLERANCE:
            self._differ("rope_theta", Real(said), Real(seen))
            return seen
        return float(said)  # exact, where the graph agrees

    def _differ(self, key: str, said: Value, seen: Value) -> None:
        self.notes.append(
            Sentence(
                "The configuration says {key} = {said}, but the graph has {seen}: the graph is "
                "what runs",
                key=Name(key), said=said, seen=seen,
            )
        )  # fmt: skip


def _attention(graphs: Sequence[Graph], models: Sequence[Model]) -> Attention:
    """Return the attention of what generates: of a first step without a cache, what the graph
    of the other steps says of it, too."""
    with_cache = [g.model for g in graphs if g.part.role == _WITH_PAST and g.model is not None]
    found = [attention_of(model) for model in (*models, *with_cache)]
    known = [each for each in found if each.blocks]
    return max(
        known, key=lambda each: (bool(each.kv_heads), bool(each.operator)), default=Attention()
    )


def _needed(graphs: Sequence[Graph]) -> list[Graph]:
    """Return the parts that one run needs: one variant of each."""
    chosen: dict[str, Graph] = {}
    for graph in graphs:
        chosen.setdefault(graph.part.role, graph)
    return list(chosen.values())


def _together(parts: Sequence[Sequence[TensorClass]]) -> tuple[TensorClass, ...]:
    """Return the classes of several graphs as those of one model."""
    joined = []
    for kind in Kind:
        same = [each for part in parts for each in part if each.kind is kind]
        if not same:
            continue
        types: dict[str, int] = {}
        for each in same:
            for name, size in each.types:
                types[name] = types.get(name, 0) + size
        joined.append(
            TensorClass(
                kind,
                sum(each.tensors for each in same),
                sum(each.parameters for each in same),
                sum(each.size_bytes for each in same),
                tuple(sorted(types.items(), key=lambda entry: -entry[1])),
                sum(each.in_blocks for each in same),
            )
        )
    return tuple(joined)


def _hidden(model: Model) -> int | None:
    """Return the size of the values between blocks: the width of the embedding, or of what
    takes its place."""
    given = [info for info in model.inputs if info.name == _EMBEDDED]
    for info in given:
        if info.shape and isinstance(info.shape[-1], int):
            return info.shape[-1]
    norms = [
        weight.shape[0]
        for weight in model.weights
        if len(weight.shape) == _VECTOR
        and "norm" in weight.name.lower()
        and weight.elements > 1
    ]
    return max(set(norms), key=norms.count) if norms else None


def _vocabulary(model: Model) -> int | None:
    """Return the length of the logits."""
    for info in model.outputs:
        if _LOGITS in info.name and info.shape and isinstance(info.shape[-1], int):
            return info.shape[-1]
    names = {"token_embd.weight", "model.embed_tokens.weight", "transformer.wte.weight"}
    tables = [weight for weight in model.weights if weight.name in names]
    return tables[0].shape[0] if tables and not model.layers else None


def _feed_forward(model: Model) -> int | None:
    """Return the width within a block's feed-forward layers, by the weights that widen."""
    widest = 0
    attributes = {
        layer.inputs[1]: {each.name: each.text for each in layer.attributes}
        for layer in model.layers
        if layer.operator == "MatMulNBits" and len(layer.inputs) > 1
    }
    for weight in model.weights:
        name = weight.name.lower()
        wide = ("up_proj", "gate_proj", "ffn_up", "ffn_gate.", "fc1", "c_fc", "dense_h_to_4h")
        if not any(part in name for part in wide) or "exp" in name:
            continue
        size = attributes.get(weight.name, {}).get("N", "")
        if size.isdecimal():
            widest = max(widest, int(size))
        elif len(weight.shape) == _MATRIX and weight.name not in attributes:
            widest = max(widest, max(weight.shape))
    return widest or None


def _architecture(config: Mapping[str, Any]) -> str:
    named = config.get("architectures")
    if isinstance(named, list) and named and isinstance(named[0], str):
        return named[0][:200]
    kind = config.get("model_type")
    return kind[:200] if isinstance(kind, str) else ""


def _configured_window(config: Mapping[str, Any]) -> int:
    window = config.get("sliding_window")
    if config.get("use_sliding_window") is False or not isinstance(window, int):
        return 0
    return max(0, window)


def _rope_scaling(config: Mapping[str, Any]) -> str:
    """Return how rotary positions are stretched: "llama3, 8 times"; "" where they are not."""
    scaling = config.get("rope_scaling") or config.get("rope_parameters")
    if not isinstance(scaling, dict):
        return ""
    kind = scaling.get("rope_type") or scaling.get("type")
    if not isinstance(kind, str) or kind == "default":
        return ""
    factor = scaling.get("factor")
    times = f", {factor:g} times" if isinstance(factor, (int, float)) else ""
    return f"{kind[:40]}{times}"


def _experts(config: Mapping[str, Any]) -> tuple[int, int] | None:
    count, used = config.get("num_experts"), config.get("num_experts_per_tok")
    if isinstance(count, int) and isinstance(used, int) and count > 1:
        return count, used
    return None


def _bits(config: Mapping[str, Any]) -> int:
    """Return the bits of packed weights of a checkpoint; 0 where nothing says them."""
    stored = config.get("quantization_config")
    bits = stored.get("bits") if isinstance(stored, dict) else None
    return bits if isinstance(bits, int) and 0 < bits <= 8 else 0


def _is_tied_checkpoint(
    models: Sequence[Model], classes: Sequence[TensorClass], config: Mapping[str, Any]
) -> bool:
    """Return whether weights without a graph have an embedding and, as they say, no head."""
    kinds = {each.kind for each in classes}
    graphs = any(model.layers for model in models)
    said = config.get("tie_word_embeddings") is not False
    return not graphs and Kind.EMBEDDING in kinds and Kind.HEAD not in kinds and said


def _token_notes(
    folder: ModelFolder, tokenizer: TokenizerFacts | None, vocabulary: int | None
) -> list[Sentence]:
    notes: list[Sentence] = []
    if tokenizer is None or tokenizer.problem:
        return notes
    if vocabulary is not None and tokenizer.last_id >= vocabulary:
        notes.append(
            Sentence(
                "The tokenizer has tokens up to number {last}, but the model's vocabulary ends "
                "at {end}",
                last=Count(tokenizer.last_id), end=Count(vocabulary - 1),
            )
        )  # fmt: skip
    numbers = {text: number for number, text in tokenizer.specials}
    named = numbers.get(folder.end_token)
    if named is not None and folder.end_ids and named not in folder.end_ids:
        listed = ", ".join(map(str, folder.end_ids[:_MOST_ENDS]))
        notes.append(
            Sentence(
                "The tokenizer's end token {token} is number {number}, but the configuration "
                "ends an answer at {ends}",
                token=Name(folder.end_token), number=Count(named), ends=Name(listed),
            )
        )  # fmt: skip
    unknown = [end for end in folder.end_ids if vocabulary is not None and end >= vocabulary]
    if unknown and vocabulary is not None:
        notes.append(
            Sentence(
                "End token {number} is no token of the model: its vocabulary ends at {end}",
                number=Count(unknown[0]), end=Count(vocabulary - 1),
            )
        )  # fmt: skip
    return notes


def _first(values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def proper_name(config: Mapping[str, Any]) -> str:
    """Return what people call an architecture: its proper name where it is a known one, else
    the configuration's own word; "" where it says none."""
    kind = config.get("model_type")
    plain = _MARKS.sub("", kind.lower()) if isinstance(kind, str) else ""
    if plain in _BY_KIND:
        return _BY_KIND[plain]
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else kind
    return (
        _CLASS.sub("", first)[:_LONGEST] or first[:_LONGEST] if isinstance(first, str) else ""
    )
