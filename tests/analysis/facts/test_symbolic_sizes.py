import pytest

from inspector.analysis.facts.symbolic_sizes import (
    Polynomial,
    divided,
    evaluated,
    fitted,
    in_words,
    number,
    product,
    symbol,
    symbols,
    times,
    total,
)
from inspector.units import count

BATCH, SIDE = symbol("batch"), symbol("side")


def test_lengths_multiply_and_free_axes_stay_symbols():
    assert product((2, 3, 4)) == 24
    assert product(()) == 1
    assert product(("batch", 3, "side", 5)) == BATCH * SIDE * 15
    assert product((2, None)) is None
    assert product(None) is None


def test_sums_gather_equal_products():
    assert total((BATCH * 3, 4, None, BATCH * 2, 1)) == BATCH * 5 + 5
    assert total((1, None, 2)) == 3
    assert 2 + BATCH + BATCH == BATCH * 2 + 2


def test_products_of_sums_multiply_out():
    assert total((BATCH * BATCH, BATCH * SIDE, BATCH, SIDE)) == (BATCH + 1) * (BATCH + SIDE)
    assert times(BATCH, 3, SIDE) == SIDE * BATCH * 3
    assert times(BATCH, None) is None


def test_lengths_put_in_leave_a_plain_number_or_the_open_rest():
    formula = BATCH * SIDE * 6 + BATCH * 2 + 1
    assert evaluated(formula, {"batch": 2, "side": 5}) == 65
    assert evaluated(formula, {"batch": 2}) == SIDE * 12 + 5
    assert number(formula, {"batch": 2}) == 17
    assert symbols(formula) == ("batch", "side")


def test_division_rounds_up_each_product():
    assert divided(9, 8) == 2
    assert divided(BATCH * 9 + 8, 8) == BATCH * 2 + 1


def test_words_name_the_greatest_products_first():
    assert in_words(1_200_000 + BATCH * 3_600_000_000, count) == "3.60 G × batch + 1.20 M"
    assert in_words(BATCH * BATCH * 2, count) == "2 × batch²"
    assert in_words(Polynomial({}), count) == "0"
    many = total(symbol(f"s{n}") for n in range(9))
    assert in_words(many, count).endswith("1 × s3 + …")


@pytest.mark.parametrize(
    ("formula", "at"),
    [
        (lambda n: 7 * n, BATCH * 7),
        (lambda n: 3 * n + 11, BATCH * 3 + 11),
        (lambda n: 2 * n * n + n, BATCH * BATCH * 2 + BATCH),
        (lambda n: 5, 5),
    ],
)
def test_a_formula_through_points_is_found(formula, at):
    sizes = (4, 8, 12, 20)
    assert fitted("batch", sizes, [formula(size) for size in sizes]) == at


def test_points_on_no_such_formula_give_none():
    sizes = (1, 2, 3, 5)
    assert fitted("batch", sizes, [size**3 for size in sizes]) is None
    assert fitted("batch", sizes, [size * (size - 1) // 2 for size in sizes]) is None
