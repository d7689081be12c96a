"""What a language model takes in memory, as plain values for JSON."""

from typing import Any

from inspector.analysis.language.memory import ModelMemory
from inspector.render.tables.fields import fields


def memory_fields(memory: ModelMemory) -> dict[str, Any]:
    """Return the fields; null where a context or a size is not known."""
    needs = memory.needs
    return {
        "name": memory.name,
        "runtime": "onnxruntime" if needs.runs else None,
        "weights": fields(needs, "stored_bytes", "kept_bytes"),
        "cache": {
            "dtype": needs.cache_type,
            "bytes_per_token": needs.token_bytes,
            "copies": needs.copies,
            "layers": [
                {
                    "layer": each.layer,
                    "values_per_token": each.token_values,
                    "window": each.window or None,
                    "fixed_bytes": each.fixed_bytes,
                }
                for each in needs.cache
            ],
        },
        "context_limit": needs.context_limit or None,
        "estimates": [
            {
                **fields(each, "context", "batch"),
                "cache_dtype": each.cache_type,
                **fields(each, "process_bytes", "weights_bytes", "cache_bytes", "work_bytes"),
                "total_bytes": each.total_bytes,
            }
            for each in memory.estimates
        ],
        "fits": [
            {
                **fields(each, "limit_bytes", "batch"),
                "cache_dtype": each.cache_type,
                "context": each.context,
            }
            for each in memory.fits
        ],
        "notes": list(needs.notes),
    }
