"""Names of layers that an action is given."""

from collections.abc import Iterable
from difflib import get_close_matches

from inspector.errors import BadInput
from inspector.units import clip


def no_layer(name: str, names: Iterable[str], hint: str = "") -> BadInput:
    """Return the error for a layer that does not exist, with the name that is most like it."""
    close = get_close_matches(name, names, 1)
    hint = f"Did you mean '{close[0]}'?" if close else hint
    why = f"the model has no layer '{clip(name, 60)}'"
    return BadInput("Could not change the model", why, hint)
