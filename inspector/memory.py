"""How much memory the engine held, phase by phase."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident bytes of the engine process after each phase of the clean pass.

    peak: the high-water mark of all; loaded_peak and first_prediction_peak: of what was until
    then. closed: when the session was gone; trimmed: when the C library was told to give back
    what it does not use, which it does not do by itself. arena: of the runtime's arenas, in
    use and held at most while profiled. 0 where it is not known.
    """

    start_bytes: int
    loaded_bytes: int
    first_prediction_bytes: int
    end_bytes: int
    peak_bytes: int
    weights_bytes: int
    loaded_peak_bytes: int = 0
    first_prediction_peak_bytes: int = 0
    closed_bytes: int = 0
    trimmed_bytes: int = 0
    arena_used_bytes: int = 0
    arena_held_bytes: int = 0

    @property
    def model_bytes(self) -> int:
        """What the model added at its highest: peak over the empty engine."""
        return max(0, self.peak_bytes - self.start_bytes)

    @property
    def beside_weights_bytes(self) -> int:
        """What loading kept beyond the weights: prepacked copies of them, and the graph.

        The copies cannot be told apart: the runtime (1.31) says nothing of their size, and a
        load without prepacking holds more, not less, since it keeps what they replace.
        """
        return max(0, self.loaded_bytes - self.start_bytes - self.weights_bytes)
