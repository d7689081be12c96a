"""What is wrong with the values of weights, as readers of all formats say it."""

from collections.abc import Iterator

from inspector.model.model import EVERY_RUNTIME, Finding, LinkedProblem, Model, unreadable

_MAX_NAMES = 3  # in a warning


def weight_findings(model: Model) -> Iterator[Finding]:
    """Yield a warning for each reason for which values of tensors cannot be read."""
    problems: dict[str, list[str]] = {}
    for weight in model.weights:
        if weight.problem:
            problems.setdefault(weight.problem, []).append(weight.name)
    if not problems:
        return
    used = {name for layer in model.layers for name in layer.inputs}
    used.update(value.name for value in model.outputs)
    for problem, names in problems.items():
        # Runtimes leave out what no layer reads before they look for its values.
        needed = model.format == "onnx" and not used.isdisjoint(names)
        by = EVERY_RUNTIME if needed and not isinstance(problem, LinkedProblem) else ""
        yield Finding(few(names), unreadable(problem), invalid=True, refused_by=by)


def few(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - _MAX_NAMES:,} more" if len(names) > _MAX_NAMES else ""
    return ", ".join(name[:200] or "(no name)" for name in names[:_MAX_NAMES]) + more
