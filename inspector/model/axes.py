"""Names of axes: free symbols, and sizes that are expressions of them, such as "2*s31".

PyTorch writes such sizes (`2*s31`, `FloorDiv(s0, 2)`), so do Optimum (`past + sequence`) and
symbolic shape inference (`floor(height/8 - 1/2) + 1`). They follow from other axes: only the
symbols in them have a length of their own.
"""

import ast
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from typing import NamedTuple

from inspector.model.model import TensorInfo

Term = tuple[str, ...]  # symbols of a product, sorted; one that is squared stands there twice
_Number = int | Fraction

_LONGEST = 400  # characters of an expression
_MOST_TERMS = 32  # products of an expression that is multiplied out
_LARGEST_POWER = 8  # exponent
_LARGEST = 1 << 63  # the result, and any number on the way
# Signs that no exporter puts into a plain name: `batch-size` and `head/dim_0` are names.
_SIGNS = re.compile(r"[*+%]|//| [-/] |\b(?:[A-Z]\w+|floor|ceil|ceiling)\(")

_BINARY: Mapping[type[ast.operator], Callable[[Fraction, Fraction], _Number]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
# The functions of torch.utils._sympy.functions and of sympy, with their number of arguments; 0
# for any.
_FUNCTIONS: Mapping[str, tuple[int, Callable[..., _Number]]] = {
    "FloorDiv": (2, lambda a, b: a // b),
    "CleanDiv": (2, lambda a, b: a / b),
    "CeilDiv": (2, lambda a, b: -(-a // b)),
    "IntTrueDiv": (2, lambda a, b: a / b),
    "FloatTrueDiv": (2, lambda a, b: a / b),
    "Mod": (2, lambda a, b: a % b),
    "PythonMod": (2, lambda a, b: a % b),
    "ModularIndexing": (3, lambda a, b, c: a // b % c),
    "PowByNatural": (2, lambda a, b: _power(a, b)),
    "Max": (0, max),
    "Min": (0, min),
    "Abs": (1, abs),
    "Identity": (1, lambda a: a),
    "ToFloat": (1, lambda a: a),
    "floor": (1, math.floor),
    "ceil": (1, math.ceil),
    "ceiling": (1, math.ceil),
    "FloorToInt": (1, math.floor),
    "CeilToInt": (1, math.ceil),
    "TruncToInt": (1, math.trunc),
    "RoundToInt": (1, round),
}


class Expression(NamedTuple):
    """A size that follows from free symbols.

    symbols: each once, in the order of the text. terms: the sum of products that it is. What
    cannot be multiplied out is one factor, in brackets: {("(s0 // 2)",): 4}.
    """

    tree: ast.expr
    symbols: tuple[str, ...]
    terms: Mapping[Term, int]


@lru_cache(maxsize=16_384)
def expression(text: str) -> Expression | None:
    """Return what a size is made of; None for a plain name."""
    if len(text) > _LONGEST or not _SIGNS.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
        symbols = tuple(dict.fromkeys(_symbols(tree)))
        return Expression(tree, symbols, _terms(tree)) if symbols else None
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def symbols_of(name: str) -> tuple[str, ...]:
    """Return the free symbols of an axis: of a plain name, itself."""
    parsed = expression(name)
    return (name,) if parsed is None else parsed.symbols


def known_length(name: str, lengths: Mapping[str, int]) -> int | None:
    """Return the length of an axis, evaluated where it is an expression; None while it is open.

    Also None where the result is no whole number from 0 on.
    """
    length = lengths.get(name)
    if length is not None:
        return length
    parsed = expression(name)
    if parsed is None or not all(symbol in lengths for symbol in parsed.symbols):
        return None
    try:
        value = _evaluated(parsed.tree, lengths)
    except ArithmeticError:
        return None
    return int(value) if value.denominator == 1 and value >= 0 else None


def solved(name: str, length: int) -> tuple[str, int] | None:
    """Return the symbol of an axis and its length where the axis has a length.

    None where it has several symbols, or no whole length of the symbol gives that of the axis.
    """
    parsed = expression(name)
    if parsed is None:
        return name, length
    terms = dict(parsed.terms)
    rest = length - terms.pop((), 0)
    if len(terms) != 1:
        return None
    (term, factor), *_ = terms.items()
    plain = len(term) == 1 and term[0] in parsed.symbols
    return (term[0], rest // factor) if plain and rest % factor == 0 and rest >= 0 else None


def of_symbols(lengths: Mapping[str, int]) -> dict[str, int]:
    """Return lengths of symbols only: that of an expression decides its symbol, if it can."""
    plain = {name: length for name, length in lengths.items() if expression(name) is None}
    derived = (solved(name, length) for name, length in lengths.items() if name not in plain)
    return {**dict(each for each in derived if each is not None), **plain}


def axis_names(info: TensorInfo) -> tuple[str | None, ...]:
    """Return the name or expression of each axis; None for a fixed one.

    A free axis without a name is called after the value and its place: "input[1]".
    """
    return tuple(
        None if isinstance(axis, int) else axis or f"{info.name}[{place}]"
        for place, axis in enumerate(info.shape or ())
    )


def free_axes(values: Iterable[TensorInfo]) -> tuple[str, ...]:
    """Return the names that lengths can be given to, each once; of expressions, the symbols."""
    names = (name for info in values for name in axis_names(info) if name is not None)
    return tuple(dict.fromkeys(symbol for name in names for symbol in symbols_of(name)))


def named_axes(values: Iterable[TensorInfo]) -> tuple[str, ...]:
    """Return those of `free_axes` that the file names, as runtimes know them."""
    axes = (axis for info in values for axis in info.shape or ())
    names = (axis for axis in axes if isinstance(axis, str) and axis)
    return tuple(dict.fromkeys(symbol for name in names for symbol in symbols_of(name)))


def _symbols(node: ast.expr) -> Iterator[str]:
    """Yield the symbols of an expression. Raises ValueError: it holds something else."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            Fraction(value)  # of infinity: OverflowError
        case ast.Name() | ast.Attribute():
            yield ast.unparse(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _symbols(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            if type(operator) not in _BINARY and not isinstance(operator, ast.Pow):
                raise ValueError(text_of(node))
            yield from _symbols(left)
            yield from _symbols(right)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            number = _FUNCTIONS[name][0] if name in _FUNCTIONS else -1
            if number not in (0, len(arguments)) or not arguments:
                raise ValueError(name)
            for argument in arguments:
                yield from _symbols(argument)
        case _:
            raise ValueError(text_of(node))


def text_of(node: ast.expr) -> str:
    """Return an expression as one factor of a product, in brackets."""
    return f"({ast.unparse(node)})"


def _terms(node: ast.expr) -> dict[Term, int]:
    """Multiply an expression out; what cannot be is one factor."""
    match node:
        case ast.Constant(value=int() as value):
            return {(): value} if value else {}
        case ast.Name() | ast.Attribute():
            return {(ast.unparse(node),): 1}
        case ast.UnaryOp(operand=operand):
            return {term: -factor for term, factor in _terms(operand).items()}
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            sign = 1 if isinstance(operator, ast.Add) else -1
            terms = _terms(left)
            for term, factor in _terms(right).items():
                terms[term] = terms.get(term, 0) + sign * factor
            return {term: factor for term, factor in terms.items() if factor}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, other = _terms(left), _terms(right)
            if len(one) * len(other) <= _MOST_TERMS:
                return _multiplied(one, other)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)):
            terms = _terms(left)
            if 0 <= power <= _LARGEST_POWER and max(1, len(terms)) ** power <= _MOST_TERMS:
                return reduce(_multiplied, [terms] * power, {(): 1})
        case (
            ast.BinOp(
                left=left,
                op=ast.FloorDiv() | ast.Div(),
                right=ast.Constant(value=int() as divisor),
            )
            | ast.Call(
                func=ast.Name(id="FloorDiv" | "CleanDiv" | "IntTrueDiv"),
                args=[left, ast.Constant(value=int() as divisor)],
            )
        ) if divisor:
            terms = _terms(left)
            if all(factor % divisor == 0 for factor in terms.values()):
                return {term: factor // divisor for term, factor in terms.items()}
    return {(text_of(node),): 1}


def _multiplied(one: Mapping[Term, int], other: Mapping[Term, int]) -> dict[Term, int]:
    terms: dict[Term, int] = {}
    for a, first in one.items():
        for b, second in other.items():
            term = tuple(sorted(a + b))
            terms[term] = terms.get(term, 0) + first * second
    return terms


def _evaluated(node: ast.expr, lengths: Mapping[str, int]) -> Fraction:
    """Return the value of an expression. Raises ArithmeticError: none, or far too large."""
    match node:
        case ast.Constant(value=int() | float() as constant):
            value = Fraction(constant)
        case ast.UnaryOp(operand=operand):
            value = -_evaluated(operand, lengths)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            value = _power(_evaluated(left, lengths), _evaluated(right, lengths))
        case ast.BinOp(left=left, op=operator, right=right):
            sides = _evaluated(left, lengths), _evaluated(right, lengths)
            value = Fraction(_BINARY[type(operator)](*sides))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            value = Fraction(
                _FUNCTIONS[name][1](*(_evaluated(each, lengths) for each in arguments))
            )
        case _:
            value = Fraction(lengths[ast.unparse(node)])
    if abs(value) >= _LARGEST:
        raise OverflowError(text_of(node))
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or not 0 <= exponent <= 2 * _LARGEST_POWER:
        raise ArithmeticError(str(exponent))
    return base ** int(exponent)
