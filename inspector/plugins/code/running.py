"""inspector code: generate code that prepares inputs and runs the model."""

import argparse
from pathlib import Path

from msgspec import Struct

from inspector.app.language import chat_model
from inspector.app.language.chat_model import ChatModel
from inspector.app.subjects import Subject
from inspector.backends.generation.roles import FeedKind, State, find_roles
from inspector.cli import model_request
from inspector.cli.options import session_options
from inspector.errors import BadInput
from inspector.formats.opening import not_run
from inspector.model.model import Model
from inspector.platform import files
from inspector.plugins.code.writing import write
from inspector.preview.language.chat_template import Message
from inspector.preview.language.decoders import why_no_text
from inspector.render import code_languages
from inspector.render.code_languages import PYTHON, CodeLanguage
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import Dimension, RunSpec

GENAI = "genai"  # the runtime in ids of devices
CPP = "cpp"
MAX_NEW_TOKENS = 128  # of the program; its reader changes it
_PASSED = {"float16", "float32", "int64", "int32", "bool", "int8", "uint8"}
_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"  # of the message in a filled template


def run(options: argparse.Namespace) -> None:
    """Print or save the program. Raises InspectorError: unreadable, or the file exists."""
    refusal = not_run(options.model)
    if refusal is not None:
        raise BadInput(f"Could not generate code to run {options.model.name}", *refusal)
    request = model_request.with_assumed_labels(model_request.subject_of(options), options)
    images = {}
    for info in request.model.inputs:
        preprocessing = request.image.preparation(info)
        if preprocessing is not None:
            images[info.name] = preprocessing
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        **session_options.chosen(options),
        dimensions=tuple(Dimension(*each) for each in request.dimensions.items()),
    )
    language = code_languages.language_for(options.output, options.language)
    text = _decoder_code(language, request, spec)
    text = text or language.program_code(request.model, images, spec, request.labels.names)
    if options.output is None:
        print(text, end="")
        return
    if options.output.exists():
        why = "a file with that name already exists"
        raise BadInput(f"Could not write {options.output.name}", why, "Choose another name.")
    files.write_atomic(options.output, text.encode())


def _decoder_code(language: CodeLanguage, request: Subject, spec: RunSpec) -> str | None:
    """Return a program that generates text; None for a model or in a language without one."""
    if why_no_text(request.model):
        return None
    try:
        chat = chat_model.open_chat(request.path)
    except BadInput:  # without a tokenizer it is a graph as others are
        return None
    return decoder_code(language, request.model, chat, spec)


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
