"""inspector prepare: show or save a model's input preprocessing."""

import argparse

import msgspec

from inspector import units
from inspector.app.subjects import Subject
from inspector.cli import decoding, model_request, pages
from inspector.errors import BadInput
from inspector.formats.metadata_edit import check_copy, with_entry
from inspector.pages.outputs.preparation import preparation_page
from inspector.platform import files
from inspector.preview import identity
from inspector.preview.families import output_meanings
from inspector.preview.outputs import labels
from inspector.preview.preprocessing import saved as saved_module
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Show and keep. Raises InspectorError: unreadable, impossible, or not saved."""
    request = model_request.subject_of(options)
    if options.labels:
        _check_labels(request)
    preparations = _preprocessing(options, request)
    body = saved_module.encode(preparations, request.path.name)
    saved = ""
    if options.write_sidecar:
        if options.named != options.model:
            why = "the model is in an archive or was read from standard input"
            what = "Could not save a file next to the model"
            raise BadInput(what, why, "Save the model as a file first.")

        target = saved_module.sidecar_path(request.path)
        files.write_atomic(target, body)
        saved = target.name
    elif options.write_model:
        check_copy(request.model, request.path, options.write_model)
        plain = stored.json_text(msgspec.json.decode(body))
        pieces = with_entry(request.path, saved_module.METADATA_KEY, plain)
        files.write_pieces(options.write_model, pieces)
        saved = options.write_model.name
    if options.json:
        print(body.decode(), end="")
        return
    pages.show(preparation_page(request.model.name, preparations))
    if saved:
        print(f"\nsaved in {units.visible(saved)}: {preparations.text}")


def _check_labels(request: Subject) -> None:
    """Check that there is one label for each class of a classifier, detector or segmentation.

    Lists of selected boxes name classes by number, so that any count may fit.
    Raises BadInput: the number of classes is known and is not that of the labels.
    """
    outputs = request.model.outputs
    shape = (outputs[0].shape or ()) if len(outputs) == 1 else ()
    scores = len(shape) in (1, 2) and outputs[0].dtype.startswith(("float", "bfloat"))
    classes, count = (shape[-1] if scores else None), len(request.labels.names)
    why = f"output '{units.clip(outputs[0].name, 80)}' has" if outputs else ""
    if not isinstance(classes, int):
        classes, why = identity.class_count(request.model), "the model has"
    if classes < 2 or classes == count:
        return
    what = f"Could not use {units.plural(count, 'class name')}"
    raise BadInput(what, f"{why} {classes:,} classes", "Specify one name for each class.")


def _preprocessing(options: argparse.Namespace, request: Subject) -> SavedPreprocessing:
    """Return the preprocessing of each image and audio input: given, saved or guessed."""
    pictures = {}
    for info in request.model.inputs:
        result = request.image.preparation(info)
        if result is not None:
            pictures[info.name] = result
    sounds = model_request.framings(options, request.model, request.saved_preprocessing)
    metadata_labels = labels.of_model(request.model)
    # Labels that were asked for are kept even where the model carries the same ones.
    own = (
        tuple(request.labels.names)
        if options.labels or tuple(request.labels.names) != metadata_labels
        else ()
    )
    outputs = output_meanings.of_outputs(request.model)
    decoder = decoding.known_decoder(
        decoding.decoder_name(options, request.saved_preprocessing)
    )
    sizes = dict(request.dimensions)
    return SavedPreprocessing(pictures, sounds, sizes, own, "", outputs, decoder)
