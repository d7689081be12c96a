import pytest

from inspector.analysis.advice.model_rules import LARGE_BYTES, large_constants
from tests.analysis.build import layers, model, weight
from tests.reports import example_report


@pytest.mark.parametrize(("number", "said"), [(1, "1 constant ("), (2, "2 constants (")])
def test_large_tables_are_counted_in_a_whole_sentence(number, said):
    names = [f"w{place}" for place in range(number)]
    weights = tuple(weight(name, "float32", LARGE_BYTES // 4, LARGE_BYTES) for name in names)
    graph = model(layers(*(("Gather", f"{name} x", "y") for name in names)), weights=weights)
    (advice,) = large_constants(example_report(), graph)
    text = f"{advice}"
    assert said in text
    assert f"{'is' if number == 1 else 'are'} stored as float32: {', '.join(names)}." in text
