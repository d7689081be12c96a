"""What genai_config.json may not say: it could load code from the folder, or write files.

The process is confined, so that neither does harm outside; a folder that asks for it is refused
all the same, with the key that has to go. (A cleaned copy beside links to the model's files
would need rights that a confined process does not have.)
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inspector.backends.base import max_threads
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.folders.genai import CONFIG
from inspector.platform import files
from inspector.units import clip
from inspector.wording.values import Count, Name, Sentence

_MAX_CONFIG_BYTES = 16 << 20
# Parts of keys, wherever they stand (GenAI 0.18, src/config.cpp; a session's options take any
# key of the runtime).
_RUNS_CODE = "custom_ops_library"
_WRITES = ("enable_profiling", "filepath", "file_path")
_THREADS = ("intra_op_num_threads", "inter_op_num_threads")


def check_config(folder: Path) -> None:
    """Check the configuration of a folder. Raises BadInput: it is none of GenAI, or asks for
    what is not allowed; UnreadableFile: it is damaged."""
    what = Sentence("Could not run {folder} with ONNX Runtime GenAI", folder=Name(folder.name))
    path = folder / CONFIG
    if not files.is_file(path):
        hint = (
            "Choose the device cpu, or export the model with the model builder of "
            "onnxruntime-genai."
        )
        raise BadInput(what, Sentence("the folder has no '{file}'", file=Name(CONFIG)), hint)
    try:
        entries = list(_entries(json.loads(files.read_capped(path, _MAX_CONFIG_BYTES))))
    except (ValueError, RecursionError) as error:
        why = Sentence("'{file}' is not valid JSON: {error}", file=CONFIG, error=str(error))
        raise UnreadableFile(what, why, "Download the folder again.") from error
    for key, value in entries:
        named = {"file": Name(CONFIG), "key": Name(clip(key))}
        remedy = Sentence("Remove '{key}' from the file.", key=Name(clip(key)))
        if _RUNS_CODE in key:
            why = Sentence("'{file}' has '{key}', which runs code of the folder", **named)
            raise BadInput(what, why, remedy)
        if any(part in key for part in _WRITES):
            raise BadInput(
                what, Sentence("'{file}' has '{key}', which writes files", **named), remedy
            )
        if key in _THREADS and isinstance(value, int) and value > max_threads():
            count = Count(value, "thread")
            why = Sentence("'{file}' asks for {threads}", file=Name(CONFIG), threads=count)
            raise BadInput(
                what, why, Sentence("Use at most {most}.", most=Count(max_threads()))
            )


def _entries(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield all keys with their values, at any depth."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield key, value
            yield from _entries(value)
    elif isinstance(content, list):
        for each in content:
            yield from _entries(each)
