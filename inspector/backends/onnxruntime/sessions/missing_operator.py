"""An operator that the runtime looked for in vain: where it is at home, and what to do."""


def operator(name: str, opset: int) -> tuple[str, str]:
    """Say why there is no operator of that name in the default domain, and a hint.

    opset: that the model imports of the default domain.
    """
    # Read when a model was refused, not with every start of the engine.
    from inspector.analysis.facts.requirements import first_opset, other_domains

    missing = f"there is no operator {name[:80]} in opset {opset}"
    first, domains = first_opset(name), other_domains(name)
    move = (
        ""
        if not domains
        else (f"set the domain of its node to '{domains[0]}' and import that domain")
    )
    if first is not None and first > opset:
        later = f"Export the model again for opset {first} or later"
        return missing, f"{later}, or {move}." if move else f"{later}."
    if move:
        why = (
            f"its operator {name[:80]} belongs to the domain '{domains[0]}', and has none here"
        )
        return why, f"{move[:1].upper()}{move[1:]}, or export the model again."
    if first is not None:
        return missing, "Export the model again for an opset that has it."
    return f"{missing}, nor in any other", (
        "If it is an operator of your own, give its node the domain of the library that has "
        "it; else export the model again."
    )


def of_kernel(name: str) -> str:
    """Return the operator of a C++ class that computes it ('LSTMBase'); empty if unknown."""
    from inspector.analysis.facts.requirements import first_opset, other_domains

    plain = name.removeprefix("DeepCpu")
    for end in ("", "Base", "Op", "Attributes"):
        found = plain.removesuffix(end)
        if found and (other_domains(found) or first_opset(found) is not None):
            return found
    upper = plain.removesuffix("Op").upper()  # DeepCpuGruOp
    return upper if first_opset(upper) is not None else ""
