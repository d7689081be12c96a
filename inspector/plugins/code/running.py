"""inspector code: generate code that prepares inputs and runs the model."""

import argparse

from inspector.app.language import chat_model
from inspector.app.subjects import Subject
from inspector.cli import model_request
from inspector.cli.options import session_options
from inspector.errors import BadInput
from inspector.formats.opening import not_run
from inspector.platform import files
from inspector.plugins.code.decoder_code import decoder_code
from inspector.preview.language.decoders import why_no_text
from inspector.render import code_languages
from inspector.render.code_languages import CodeLanguage
from inspector.report.run_spec import Dimension, RunSpec


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
