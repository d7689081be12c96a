"""inspector predict --generate and --similar: texts written on, and vectors compared."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.cli.asked import Asked
    from inspector.prediction import Prediction
    from inspector.preview.embedding import Likeness
    from inspector.preview.feeds import Filled
    from inspector.preview.generation import Generated

Predict = Callable[[Mapping[str, Any]], "Prediction"]


@dataclass(frozen=True, slots=True)
class Further:
    """What was done after the first answer: a text written on; by output, what is alike."""

    generated: "Generated | None"
    alike: "Mapping[str, tuple[Likeness, ...]]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    further = parser.add_argument_group("for models of text and for vectors")
    further.add_argument(
        "--generate", type=int, default=0, metavar="N", help="write up to N tokens on"
    )
    further.add_argument(
        "--similar",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another input; tells how alike the vectors of both are; repeat for more",
    )


def further(
    options: argparse.Namespace,
    asked: "Asked",
    predict: Predict,
    filled: "Sequence[Filled]",
    prediction: "Prediction",
) -> Further:
    """Write on and compare, as far as it was asked for.

    Raises BadInput: the model does neither.
    """
    from inspector.preview import feeds, generation, tokens

    generated = None
    if options.generate > 0:
        model, given = asked.model, feeds.fed(filled)
        known = tokens.vocabulary(asked.tokenizer)
        generated = generation.generate(
            predict, given, model.inputs, model.outputs, known, options.generate
        )
    alike = _alike(options, asked, predict, prediction) if options.similar else {}
    return Further(generated, alike)


def _alike(
    options: argparse.Namespace, asked: "Asked", predict: Predict, prediction: "Prediction"
) -> "dict[str, tuple[Likeness, ...]]":
    from inspector.cli import inputs
    from inspector.preview import embedding, feeds

    vectors = {o.name: embedding.vector_of(o) for o in prediction.outputs}
    own = {name: vector for name, vector in vectors.items() if vector is not None}
    if not own:
        what, why = "Could not compare vectors", "no output of the model is one"
        raise BadInput(what, why, "Vectors are called embedding, features, pooled, ...")
    kept: dict[str, list[embedding.Kept]] = {name: [] for name in own}
    for text in options.similar:
        given = {**asked.given, **inputs.values([text], asked.model)}
        answer = predict(feeds.fed(asked.filled(given)))
        for output in answer.outputs:
            vector = embedding.vector_of(output)
            if output.name in kept and vector is not None:
                kept[output.name].append(embedding.Kept(units.clip(text, 80), vector))
    return {name: embedding.likenesses(vector, kept[name]) for name, vector in own.items()}


def lines(found: Further) -> list[str]:
    """Tell it in lines."""
    told: list[str] = []
    if found.generated is not None:
        written = found.generated
        took = sum(token.prediction_ns for token in written.tokens)
        each = units.duration(took // max(1, len(written.tokens)))
        number = units.plural(len(written.tokens), "token")
        how = "earlier ones kept in its memory" if written.cached else "all computed anew"
        over = "; it ended the text" if written.ended else ""
        told += ["", f"written on: {number}, {each} each, {how}{over}", f"     {written.text}"]
    for name, alike in found.alike.items():
        told += ["", f"{units.clip(name, 60)} is alike"]
        told += [f"     {each.cosine:+.4f}  {each.name}" for each in alike]
    return told


def as_json(found: Further) -> dict[str, Any]:
    """`generated` and `similar` of the object."""
    written = found.generated
    generated = None if written is None else asdict(written)
    alike = {name: [asdict(each) for each in rows] for name, rows in found.alike.items()}
    return {"generated": generated, "similar": alike}
