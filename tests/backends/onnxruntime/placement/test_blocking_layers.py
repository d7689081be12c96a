from collections.abc import Sequence

from inspector.backends.onnxruntime.placement.placement import MOST_SESSIONS, blocking_layers
from inspector.errors import EngineFailed


class Device:
    """Loads everything but some layers, and counts how often it is asked."""

    def __init__(self, *broken: int, pair: tuple[int, int] | None = None) -> None:
        self.broken, self.pair, self.asked = set(broken), pair, 0

    def load(self, layers: Sequence[int]) -> None:
        self.asked += 1
        bad = sorted(self.broken & set(layers))
        if bad or (self.pair and set(self.pair) <= set(layers)):
            raise EngineFailed("Could not load", f"layers {bad} did not compile")


def failure() -> EngineFailed:
    return EngineFailed("Could not load", "all of them")


def test_each_layer_that_fails_alone_is_found_with_its_own_reason():
    device = Device(3, 40)
    found = blocking_layers(range(50), device.load, failure())
    assert {layer: why.why for layer, why in found.items()} == {
        3: "layers [3] did not compile", 40: "layers [40] did not compile",
    }  # fmt: skip
    assert device.asked < 30


def test_layers_that_fail_only_together_are_not_blamed():
    assert blocking_layers(range(8), Device(pair=(0, 7)).load, failure()) == {}


def test_a_single_layer_is_blamed_without_another_try():
    device = Device(5)
    assert list(blocking_layers([5], device.load, failure())) == [5]
    assert device.asked == 0


def test_the_search_ends_where_everything_fails():
    device = Device(*range(1000))
    blocking_layers(range(1000), device.load, failure())
    assert device.asked <= MOST_SESSIONS + 1
