"""What a bundle of LiteRT-LM says of its language model, as a folder of one says it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspector.formats.litertlm import reader
from inspector.model.model import Model
from inspector.model.model_folder import ModelFolder, TokenizerFacts

_TOKENIZERS = (reader.SENTENCE_PIECE, reader.TOKENIZER_JSON)
_NUMBERS = re.compile(r"\d+(?:, \d+)*")


def with_settings(folder: ModelFolder, model: Model) -> ModelFolder:
    """Return a bundle of LiteRT-LM with what its settings say. model: as it was read."""
    facts = dict(model.details.facts) if model.details is not None else {}
    texts = dict(model.details.texts) if model.details is not None else {}
    config: dict[str, Any] = {}
    if reader.TYPE in facts:
        config["model_type"] = facts[reader.TYPE]
    context = facts.get(reader.CONTEXT, "").replace(",", "")
    if context.isdecimal():
        config["context_length"] = int(context)
    ends = _ids(facts.get(reader.STOPS, ""))
    starts = _ids(facts.get(reader.START, ""))
    return replace(
        folder,
        config=config,
        chat_template=texts.get(reader.TEMPLATE, ""),
        end_ids=ends,
        bos_id=starts[0] if starts else None,
    )


def tokenizer_of_bundle(model: Model) -> TokenizerFacts | None:
    """Return which tokenizer a bundle of LiteRT-LM has; None without one."""
    facts: Mapping[str, str] = dict(model.details.facts) if model.details is not None else {}
    kinds = (kind for text in facts.values() for kind in _TOKENIZERS if text.startswith(kind))
    kind = next(kinds, "")
    return TokenizerFacts(kind.split(",")[0].split(" ")[0]) if kind else None


def _ids(text: str) -> tuple[int, ...]:
    """Return the tokens of a setting that is numbers; none where they are texts."""
    parts = text.split("; ") if text else []
    found = [part for part in parts if _NUMBERS.fullmatch(part)]
    return tuple(int(part.split(", ")[0]) for part in found)
