"""Single files that are a whole language model: GGUF, and bundles of LiteRT-LM."""

from pathlib import Path

from inspector.formats.folders.gguf_files import gguf_of_file
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.platform import files

LITERT_LM = "LiteRT-LM"
_SUFFIX = ".litertlm"
BUNDLES = (_SUFFIX, ".gguf")  # ends of the names of such files


def bundle(path: Path) -> ModelFolder | None:
    """Return a file that is a whole language model, before it is read; None for others."""
    if not files.is_file(path):
        return None
    if path.suffix.lower() == _SUFFIX:
        return ModelFolder(path, LITERT_LM, (FolderPart("decoder", path),))
    return gguf_of_file(path)
