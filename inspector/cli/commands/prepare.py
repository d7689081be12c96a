"""inspector prepare: show or save a model's input preprocessing."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.cli import arguments, option_types, pages
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.cli.arguments import ModelRequest
    from inspector.preview.preprocessing.saved import SavedPreprocessing


SCHEMA = "preparation/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser, decodes=True)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--write-sidecar",
        action="store_true",
        help="save the preprocessing in MODEL.inspector.json next to the model",
    )
    where.add_argument(
        "--write-model",
        type=Path,
        metavar="COPY",
        help="save the preprocessing in the metadata of a copy of the model",
    )
    option_types.add_time_limit(parser, runs=False)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Show and keep. Raises InspectorError: unreadable, impossible, or not saved."""
    from inspector.pages.outputs.preparation import preparation_page
    from inspector.preview.preprocessing import saved as saved_module

    request = arguments.read_request(options)
    if options.labels:
        _check_labels(request)
    kept = _kept(options, request)
    body = saved_module.encode(kept, request.path.name)
    saved = ""
    if options.write_sidecar:
        from inspector.platform import files

        if options.named != options.model:
            why = "the model is in an archive or was read from standard input"
            raise BadInput(
                "Could not save a file next to the model",
                why,
                "Save the model as a file first.",
            )

        target = saved_module.sidecar_path(request.path)
        files.write_atomic(target, body)
        saved = target.name
    elif options.write_model:
        _write_copy(request, options.write_model, body)
        saved = options.write_model.name
    if options.json:
        print(body.decode(), end="")
        return
    pages.show(preparation_page(request.model.name, kept))
    if saved:
        print(f"\nsaved in {units.visible(saved)}: {kept.text}")


def _check_labels(request: "ModelRequest") -> None:
    """Check that there is one label for each class of a classifier, detector or segmentation.

    Lists of selected boxes name classes by number, so that any count may fit.
    Raises BadInput: the number of classes is known and is not that of the labels.
    """
    from inspector.preview import identity

    outputs = request.model.outputs
    shape = (outputs[0].shape or ()) if len(outputs) == 1 else ()
    scores = len(shape) in (1, 2) and outputs[0].dtype.startswith(("float", "bfloat"))
    classes, count = (shape[-1] if scores else None), len(request.labels)
    why = f"output '{units.clip(outputs[0].name, 80)}' has" if outputs else ""
    if not isinstance(classes, int):
        classes, why = identity.class_count(request.model), "the model has"
    if classes < 2 or classes == count:
        return
    raise BadInput(
        f"Could not use {units.plural(count, 'class name')}",
        f"{why} {classes:,} classes",
        "Specify one name for each class.",
    )


def _kept(options: argparse.Namespace, request: "ModelRequest") -> "SavedPreprocessing":
    """Return the preprocessing of each image and audio input: given, saved or guessed."""
    from inspector.cli import decoding, preprocessing_options
    from inspector.preview.families import output_meanings
    from inspector.preview.outputs import labels
    from inspector.preview.preprocessing.saved import SavedPreprocessing

    pictures = {}
    for info in request.model.inputs:
        result = request.image.preparation(info)
        if result is not None:
            pictures[info.name] = result
    sounds = preprocessing_options.framings(options, request.model, request.kept)
    metadata_labels = labels.of_model(request.model)
    # Labels that were asked for are kept even where the model carries the same ones.
    own = (
        tuple(request.labels)
        if options.labels or tuple(request.labels) != metadata_labels
        else ()
    )
    outputs = output_meanings.of_outputs(request.model)
    decoder = decoding.known_decoder(decoding.decoder_name(options, request.kept))
    sizes = dict(request.dimensions)
    return SavedPreprocessing(pictures, sounds, sizes, own, "", outputs, decoder)


def _write_copy(request: "ModelRequest", target: Path, body: bytes) -> None:
    """Write the model again with the preparation in its metadata.

    Raises BadInput: over the model itself, or away from weights that lie beside it.
    """
    import msgspec

    from inspector.formats.metadata_edit import check_copy, with_entry
    from inspector.platform import files
    from inspector.preview.preprocessing import saved as saved_module
    from inspector.wording import stored

    check_copy(request.model, request.path, target)
    plain = stored.json_text(msgspec.json.decode(body))
    files.write_pieces(target, with_entry(request.path, saved_module.METADATA_KEY, plain))
