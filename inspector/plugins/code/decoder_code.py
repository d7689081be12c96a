"""Programs that generate text with a language model: the loop over tokens, and GenAI's own.

Python's programs are run by the tests; C++'s is compiled where a compiler is installed.
"""

from pathlib import Path

from msgspec import Struct

from inspector.app.language.chat_model import ChatModel
from inspector.backends.generation.roles import FeedKind, State, find_roles
from inspector.errors import BadInput
from inspector.model.model import Model
from inspector.plugins.code.writing import write
from inspector.preview.language.chat_template import Message
from inspector.render.code_languages import PYTHON, CodeLanguage
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RunSpec

GENAI = "genai"  # the runtime in ids of devices
CPP = "cpp"
MAX_NEW_TOKENS = 128  # of the program; its reader changes it
_PASSED = {"float16", "float32", "int64", "int32", "bool", "int8", "uint8"}
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"  # of the message in a filled template


class _Cache(Struct, frozen=True):
    """A state as the templates see it: its shape before the first token, with a batch of 1."""

    input: str
    output: str
    dtype: str
    shape: tuple[int, ...]


def decoder_code(
    language: CodeLanguage, model: Model, chat: ChatModel, spec: RunSpec
) -> str | None:
    """Return a program that continues a prompt; None in a language without one.

    Raises BadInput: the decoder has inputs whose values are not known: it could not run.
    """
    genai = own_runtime(spec.devices[0]) == GENAI
    if genai and language.id != PYTHON.id:
        why = "code for ONNX Runtime GenAI is available in Python only"
        raise BadInput(f"Could not generate code for {model.name}", why, "Choose Python.")
    if language.id not in (PYTHON.id, CPP):
        return None
    if chat.continuation and language.id == CPP:
        return None  # two graphs that take turns
    before, after = _around(chat)
    found = find_roles(model.inputs, model.outputs, model.name)
    caches = [_cache(each) for each in found.states]
    types = {found.ids.dtype, found.logits.dtype, *(each.dtype for each in caches)}
    types.update(dtype for dtype, _ in found.others.values())
    if not genai and not types <= _PASSED:
        return None  # the loop is not written for others; one call is
    return write(
        language,
        spec,
        Path(chat.path).name,
        template=f"decoder_{GENAI if genai else language.id}.jinja",
        continuation=Path(chat.continuation).name if chat.continuation else "",
        ids=found.ids,
        logits=found.logits,
        caches=caches,
        alike=len({(each.dtype, each.shape) for each in caches}) == 1,
        others=[(name, dtype, found.kinds[name]) for name, (dtype, _) in found.others.items()],
        kinds=FeedKind,
        before=before,
        after=after,
        marks=not chat.template.text,
        ends=chat.ends,
        context=chat.context,
        most=MAX_NEW_TOKENS,
        call=True,
        runtime="",
        image=None,
    )


def _around(chat: ChatModel) -> tuple[str, str]:
    """Return what a template puts in front of a message and behind it."""
    if not chat.template.text:
        return "", ""
    filled = chat.template.filled([Message("user", _PLACE)])
    before, _, after = filled.partition(_PLACE)
    return before, after


def _cache(state: State) -> _Cache:
    return _Cache(state.input.name, state.output, state.input.dtype, state.shape(1, 0))
