"""Sizes of dimensions: an int, or a Size where each run of a model has its own."""

import math


class Size:
    """A dynamic size with a value for each run. Arithmetic applies to all runs; a comparison is true if it is true in each run."""

    __slots__ = ("runs", "symbol")

    def __init__(self, runs, symbol=None):
        self.runs, self.symbol = tuple(int(size) for size in runs), symbol

    def _each(self, other, function):
        others = other.runs if isinstance(other, Size) else (other,) * len(self.runs)
        return Size(function(a, b) for a, b in zip(self.runs, others))

    def _all(self, other, function):
        return all(self._each(other, function).runs)

    def __add__(self, other):
        return self._each(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._each(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return self._each(other, lambda a, b: b - a)

    def __mul__(self, other):
        return self._each(other, lambda a, b: a * b)

    def __floordiv__(self, other):
        return self._each(other, lambda a, b: a // b)

    def __mod__(self, other):
        return self._each(other, lambda a, b: a % b)

    def __neg__(self):
        return Size(-size for size in self.runs)

    def __eq__(self, other):
        return isinstance(other, (int, Size)) and self._all(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._all(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._all(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._all(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._all(other, lambda a, b: a >= b)

    def __hash__(self):
        return hash(self.runs)

    def __repr__(self):
        return self.symbol or "/".join(map(str, self.runs))

    __radd__, __rmul__ = __add__, __mul__


def is_open(size):
    return isinstance(size, Size)


def are_fixed(shape):
    return not any(is_open(size) for size in shape)


def of_run(shape, run):
    return tuple(size.runs[run] if is_open(size) else int(size) for size in shape)


def largest(size):
    return max(size.runs) if is_open(size) else size


def smallest(size):
    return min(size.runs) if is_open(size) else size


def elements(shape):
    """Returns the number of elements in the run with the most."""
    return math.prod(largest(size) for size in shape)
