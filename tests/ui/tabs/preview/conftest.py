from collections.abc import Iterator

import pytest

from tests.ui.made_documents import KeepingEngine


@pytest.fixture
def engine() -> Iterator[KeepingEngine]:
    made = KeepingEngine()
    yield made
    made.close()
