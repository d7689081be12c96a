"""The layer that an engine process is computing, where its backend goes layer by layer.

Most runtimes compute a graph in one call and do not report progress inside it. Stepping and the
reference evaluator go layer by layer in Python: they set the name here, and the process's
heartbeat carries it to the client.
"""

from inspector.units import clip

_LONGEST = 80  # characters of a layer's name, and of its operator


class CurrentLayer:
    """A layer name that one thread sets and another one reads; empty when it is unknown."""

    def __init__(self) -> None:
        self.name = ""

    def set(self, name: str, operator: str) -> None:
        """Record that this layer is being computed from now on."""
        kind = clip(operator, _LONGEST)
        self.name = f"'{clip(name, _LONGEST)}' ({kind})" if name else kind

    def clear(self) -> None:
        """Record that no layer is known to be computed."""
        self.name = ""


CURRENT = CurrentLayer()
