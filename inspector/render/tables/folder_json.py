"""A folder that is one model as plain values, for --json and the Python API."""

from collections.abc import Sequence
from typing import Any

from inspector.analysis.language.facts import Graph, LanguageFacts
from inspector.model.model_folder import ModelFolder
from inspector.render.tables.fields import fields


def folder_json(
    folder: ModelFolder, graphs: Sequence[Graph], facts: LanguageFacts
) -> dict[str, Any]:
    """Return the value of the key "folder" of schema model/1. Numbers that nothing says are
    null."""
    tokenizer = facts.tokenizer
    return {
        "path": str(folder.path),
        "layout": folder.layout,
        **fields(facts, "size_bytes", "parameters", "architecture", "blocks"),
        "hidden_size": facts.hidden,
        "feed_forward_size": facts.feed_forward,
        **fields(facts, "vocabulary", "context"),
        "attention": {
            **fields(facts, "operator", "heads", "kv_heads", "head_size", "window"),
            "blocks_with_window": facts.windowed,
            **fields(facts, "rope_base", "rope_scaling", "cache_type"),
        },
        "experts": facts.experts and {"count": facts.experts[0], "used": facts.experts[1]},
        "tied": facts.tied,
        "weights": [
            {
                "class": each.kind.value,
                **fields(each, "tensors", "parameters", "in_blocks", "size_bytes"),
                "types": dict(each.types),
            }
            for each in facts.classes
        ],
        "only_in_configuration": sorted(facts.configured),
        "tokenizer": tokenizer
        and {
            "path": str(folder.tokenizer),
            **fields(tokenizer, "kind", "size"),
            "special_tokens": {text: number for number, text in tokenizer.specials},
            "problem": tokenizer.problem,
        },
        "end_tokens": list(folder.end_ids),
        "start_token": folder.bos_id,
        "chat_template": folder.chat_template,
        "license": folder.config.get("license", ""),
        "parts": [
            {
                **fields(graph.part, "role", "variant"),
                "path": str(graph.part.path),
                "size_bytes": graph.size_bytes,
                "layers": None if graph.model is None else len(graph.model.layers),
                "parameters": None if graph.model is None else graph.model.parameters,
                "problem": graph.problem,
            }
            for graph in graphs
        ],
        "missing": list(folder.missing),
        "notes": [*folder.notes, *facts.notes],
    }
