"""The quality of a language model on a text, and its memory, without any engine."""

from collections.abc import Callable

from inspector.analysis.language.memory import CacheLayer, MemoryNeeds, model_memory
from inspector.pages.blocks import Page
from inspector.pages.language.memory import memory_page
from inspector.pages.language.quality import quality_page
from inspector.report.language.quality import Estimate, PartQuality, Quality, QualityLevel
from inspector.wording.values import Sentence

Naming = Callable[[str], str]


def quality_of(name: Naming = str) -> Page:
    """Return the page of a model in 4 bits beside its original."""
    parts = (
        PartQuality(name("model.layers.1"), 7, 0.0512, 1.061),
        PartQuality(name("/model/layers.1/mlp/down_proj/MatMul"), 1, 0.0491, 1.058, "x"),
        PartQuality(name("model.layers.0"), 7, None, None),
    )
    return quality_page(
        Quality(
            name("float32.onnx"), name("alice.txt"), 7_168, 148_481, 256, 256,
            Estimate(25.54, 23.81, 27.67), name("int4.onnx"), True,
            Estimate(27.53, 25.74, 29.73), Estimate(1.078, 1.067, 1.089),
            Estimate(0.0609, 0.0602, 0.0616), 0.1196, Estimate(0.711, 0.701, 0.722),
            (2, 5, 64), 64, 0, 3, QualityLevel.DEGRADED,
            "Degraded: predicts the text worse than the original (perplexity +7.8%; 95% CI: "
            "+6.7% to +8.9%).",
            parts, 12, seconds=4.9, notes=(name("A note"),),
        )
    )  # fmt: skip


def memory_of(name: Naming = str) -> Page:
    """Return the page of a decoder with windows in all layers but one."""
    cache = tuple(
        CacheLayer(layer, 1_024, 1_024 if layer else 0, 4_096 * (layer == 3))
        for layer in range(4)
    )
    needs = MemoryNeeds(
        200_000_000, 120_000_000, cache, name("float32"), 8_192, 80_000_000, 4_096, 20_000,
        1_024, 2_816, 2, 16, notes=(Sentence("{note}", note=name("A note")),),
    )  # fmt: skip
    memory = model_memory(name("small"), needs, (), (1, 4), limits=(10**8, 8 * 10**9))
    return memory_page(memory)
