"""A folder that is one model as plain values, for --json and the Python API."""

from collections.abc import Sequence
from typing import Any

from inspector.analysis.language.facts import Graph, LanguageFacts
from inspector.model.model_folder import ModelFolder


def folder_json(
    folder: ModelFolder, graphs: Sequence[Graph], facts: LanguageFacts
) -> dict[str, Any]:
    """Return the value of the key "folder" of schema model/1. Numbers that nothing says are
    null."""
    tokenizer = facts.tokenizer
    return {
        "path": str(folder.path),
        "layout": folder.layout,
        "size_bytes": facts.size_bytes,
        "parameters": facts.parameters,
        "architecture": facts.architecture,
        "blocks": facts.blocks,
        "hidden_size": facts.hidden,
        "feed_forward_size": facts.feed_forward,
        "vocabulary": facts.vocabulary,
        "context": facts.context,
        "attention": {
            "operator": facts.operator,
            "heads": facts.heads,
            "kv_heads": facts.kv_heads,
            "head_size": facts.head_size,
            "window": facts.window,
            "blocks_with_window": facts.windowed,
            "rope_base": facts.rope_base,
            "rope_scaling": facts.rope_scaling,
            "cache_type": facts.cache_type,
        },
        "experts": facts.experts and {"count": facts.experts[0], "used": facts.experts[1]},
        "tied": facts.tied,
        "weights": [
            {
                "class": each.kind.value,
                "tensors": each.tensors,
                "parameters": each.parameters,
                "in_blocks": each.in_blocks,
                "size_bytes": each.size_bytes,
                "types": dict(each.types),
            }
            for each in facts.classes
        ],
        "only_in_configuration": sorted(facts.configured),
        "tokenizer": tokenizer
        and {
            "path": str(folder.tokenizer),
            "kind": tokenizer.kind,
            "size": tokenizer.size,
            "special_tokens": {text: number for number, text in tokenizer.specials},
            "problem": tokenizer.problem,
        },
        "end_tokens": list(folder.end_ids),
        "start_token": folder.bos_id,
        "chat_template": folder.chat_template,
        "license": folder.config.get("license", ""),
        "parts": [
            {
                "role": graph.part.role,
                "variant": graph.part.variant,
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
