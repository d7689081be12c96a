"""The tabs of a document, in their order."""

from enum import IntEnum


class Tab(IntEnum):
    """A tab; its number is its place in the bar, and its key less one."""

    OVERVIEW = 0
    GRAPH = 1
    WEIGHTS = 2
    PREVIEW = 3
    VALUES = 4
    PERFORMANCE = 5

    @property
    def words(self) -> str:
        """What the bar and the menu call it."""
        return self.name.capitalize()


NEED_MODEL = frozenset({Tab.OVERVIEW, Tab.GRAPH, Tab.WEIGHTS, Tab.PREVIEW, Tab.VALUES})
