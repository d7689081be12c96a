"""What speaks against the answer of a text classifier, by the answer itself.

Every text gets a class, also one in a language that the model never learnt. Two things show
that an answer says little: the best class is hardly ahead of the next, or parts of the text get
other classes than the whole. Words that a vocabulary does not have are a third, which
`tokens.encode_text` counts.
"""

from collections.abc import Callable, Mapping, Sequence

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.inputs.tokens import TEXT, takes_text, takes_tokens
from inspector.preview.outputs import results

MIN_MARGIN = 0.2  # between the probabilities of the best two classes; as `image_retry` has it
_FEWEST_WORDS = 4  # of a text whose halves are texts


def given_text(model: Model, values: Mapping[str, str]) -> tuple[TensorInfo, str] | None:
    """Return the input that was given a text, and the text; None where none was.

    values: what inputs were given, by name, such as "text:hello".
    """
    for info in model.inputs:
        value = values.get(info.name, "")
        if value.startswith(TEXT) and takes_text(info):
            return info, value.removeprefix(TEXT)
    return None


def doubt(
    info: TensorInfo,
    text: str,
    outputs: Sequence[OutputValue],
    labels: Sequence[str],
    structure: ModelStructure,
    answer: Callable[[str], Sequence[OutputValue]],
) -> str:
    """Return why the class of a text is unsure, or "" where nothing speaks against it.

    info: the input with the text. answer: the outputs for another text. Halves are tried only
    of models without a vocabulary, where no unknown words can be counted. Raises Cancelled.
    """
    best = _best(outputs, labels, structure)
    if best is None:
        return ""
    name, margin, next_name = best
    if margin < MIN_MARGIN:
        points = round(100 * margin)
        if points < 1:
            return f"the class is unsure: {name} is hardly ahead of {next_name}"
        return f"the class is unsure: {name} is only {points} points ahead of {next_name}"
    words = text.split()
    if takes_tokens(info) or len(words) < _FEWEST_WORDS:
        return ""
    middle = len(words) // 2
    names = []
    for part in (words[:middle], words[middle:]):
        try:
            other = _best(answer(" ".join(part)), labels, structure)
        except Cancelled:
            raise
        except InspectorError:
            return ""  # such as a length that the model refuses
        if other is None:
            return ""
        names.append(other[0])
    if names == [name, name]:
        return ""
    first, second = names
    return (
        f"the class is unsure: the first half of the text gives {first}, the second {second}, "
        f"all of it {name}"
    )


def _best(
    outputs: Sequence[OutputValue], labels: Sequence[str], structure: ModelStructure
) -> tuple[str, float, str] | None:
    """Return the best class of a row of classes, how far it is ahead, and the next one."""
    for output in outputs:
        if not results.is_classes(output, labels, structure):
            continue
        rows = results.classes(output, labels, 2, structure=structure)
        if len(rows) == 1 and len(rows[0].top) == 2:
            first, second = rows[0].top
            names = [each.label or f"class {each.index}" for each in (first, second)]
            return names[0], first.probability - second.probability, names[1]
    return None
