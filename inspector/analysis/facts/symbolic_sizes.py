"""Whole numbers that may depend on free axes: sums of products like 3.6 G × batch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from inspector import units
from inspector.model.axes import Term, expression, known_length, symbols_of
from inspector.model.model import Axis


class Polynomial(Struct, frozen=True):
    """A sum of products: coefficient of each product of symbols; () is the constant part.

    A factor that is no symbol is an expression that cannot be multiplied out: "(s0 // 2)".
    """

    terms: Mapping[Term, int]

    def __add__(self, other: "Amount") -> "Polynomial":
        terms = dict(self.terms)
        for term, factor in _terms(other).items():
            terms[term] = terms.get(term, 0) + factor
        return Polynomial({term: factor for term, factor in terms.items() if factor})

    def __mul__(self, other: "Amount") -> "Polynomial":
        if isinstance(other, int):
            return Polynomial({term: factor * other for term, factor in self.terms.items()})
        terms: dict[Term, int] = {}
        for one, a in self.terms.items():
            for two, b in other.terms.items():
                term = tuple(sorted(one + two))
                terms[term] = terms.get(term, 0) + a * b
        return Polynomial(terms)

    __radd__, __rmul__ = __add__, __mul__


Amount = int | Polynomial


def symbol(name: str) -> Polynomial:
    """Make the number that an axis stands for: a free one, or an expression of free ones."""
    parsed = expression(name)
    return Polynomial({(name,): 1} if parsed is None else parsed.terms)


def product(axes: Iterable[Axis] | None) -> Amount | None:
    """Multiply the lengths of a shape; None as soon as one is unknown."""
    if axes is None:
        return None
    number, names, expressions = 1, list[str](), list[str]()
    for axis in axes:
        if isinstance(axis, int):
            number *= axis
        elif axis:
            (names if expression(axis) is None else expressions).append(axis)
        else:
            return None
    plain = Polynomial({tuple(sorted(names)): number}) if names and number else number
    return times(plain, *map(symbol, expressions))


def times(*factors: Amount | None) -> Amount | None:
    """Multiply; None when a factor is unknown."""
    result: Amount = 1
    for factor in factors:
        if factor is None:
            return None
        result = result * factor
    return result


def total(amounts: Iterable[Amount | None]) -> Amount:
    """Add up what is known."""
    plain = 0
    terms: dict[Term, int] = {}
    for amount in amounts:
        if isinstance(amount, int):
            plain += amount
        elif amount is not None:
            for term, factor in amount.terms.items():
                terms[term] = terms.get(term, 0) + factor
    plain += terms.pop((), 0)
    return Polynomial(terms) + plain if any(terms.values()) else plain


def divided(amount: Amount, divisor: int) -> Amount:
    """Divide by a whole number, rounding up, each product for itself."""
    if isinstance(amount, int):
        return -(-amount // divisor)
    return Polynomial({term: -(-factor // divisor) for term, factor in amount.terms.items()})


def evaluated(amount: Amount, lengths: Mapping[str, int]) -> Amount:
    """Put lengths in for symbols; a plain number once all are given."""
    if isinstance(amount, int):
        return amount
    plain = 0
    terms: dict[Term, int] = {}
    for term, factor in amount.terms.items():
        rest: list[str] = []
        for name in term:
            length = known_length(name, lengths)
            if length is None:
                rest.append(name)
            else:
                factor *= length
        if rest:
            terms[tuple(rest)] = terms.get(tuple(rest), 0) + factor
        else:
            plain += factor
    return Polynomial(terms) + plain if terms else plain


def number(amount: Amount, lengths: Mapping[str, int], otherwise: int = 1) -> int:
    """Return a plain number; symbols that have no length count as `otherwise`."""
    if isinstance(amount, int):
        return amount
    value = 0
    every = {name: lengths.get(name, otherwise) for name in symbols(amount)}
    for term, factor in amount.terms.items():
        for name in term:
            # An expression without a valid value, such as 1 // 0, counts for one, too.
            length = known_length(name, every)
            factor *= otherwise if length is None else length
        value += factor
    return value


def symbols(amount: Amount | None) -> tuple[str, ...]:
    """Name the free symbols of a number, each once."""
    if amount is None or isinstance(amount, int):
        return ()
    named = (name for term, factor in amount.terms.items() if factor for name in term)
    return tuple(dict.fromkeys(s for name in named for s in symbols_of(name)))


def fitted(name: str, sizes: Sequence[int], values: Sequence[int]) -> Amount | None:
    """Find the formula of one symbol, up to its square, that goes through all of the points.

    At least four points, so that one is left to prove it; None when there is no such formula
    with whole factors.
    """
    (a, b, c), (u, v, w) = sizes[:3], values[:3]
    first, second = Fraction(v - u, b - a), Fraction(w - v, c - b)
    square = (second - first) / (c - a)
    linear = first - square * (a + b)
    constant = u - linear * a - square * a * a
    factors = (constant, linear, square)
    proved = all(
        constant + linear * size + square * size**2 == value
        for size, value in zip(sizes, values, strict=True)
    )
    if not proved or any(factor.denominator != 1 for factor in factors):
        return None
    return total(
        factor.numerator * Polynomial({(name,) * power: 1})
        for power, factor in enumerate(factors)
        if factor
    )


def in_words(amount: Amount, format_number: Callable[[float], str], most: int = 4) -> str:
    """Write a formula: '3.60 G × batch + 1.20 M'. The greatest products come first.

    format_number: returns a number with its unit. most: products that are written out.
    """
    if isinstance(amount, int):
        return format_number(amount)
    terms = sorted(amount.terms.items(), key=lambda entry: (-len(entry[0]), -abs(entry[1])))
    visible_terms = [(term, factor) for term, factor in terms if factor]
    parts = [_product(term, factor, format_number) for term, factor in visible_terms[:most]]
    parts += ["…"] if len(visible_terms) > most else []
    return " + ".join(parts) or format_number(0)


def _product(term: Term, factor: int, format_number: Callable[[float], str]) -> str:
    powers = ((_factor(name), term.count(name)) for name in dict.fromkeys(term))
    raised = [name + ("" if n == 1 else "²" if n == 2 else f"^{n}") for name, n in powers]
    return " × ".join([format_number(factor), *raised])


def _factor(name: str) -> str:
    """Return a symbol, or an expression that is one factor, which has its brackets already."""
    return units.axis_size(name) if expression(name) is None else name


def _terms(amount: Amount) -> Mapping[Term, int]:
    return {(): amount} if isinstance(amount, int) else amount.terms
