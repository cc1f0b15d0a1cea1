"""Mean and standard deviation per channel, carried through the layers by formula.

Random weights need matching biases and BatchNorm statistics, or activations die or explode with the depth. Training would find
them by running data through the network; here they are computed: each value is taken as normal and independent across
positions, which is close enough to keep every layer within a factor of about two of where it should be.
"""

from dataclasses import dataclass
from math import erf
from typing import Optional

import numpy as np

_POINTS = np.linspace(-6.0, 6.0, 241)
_WEIGHTS = np.exp(-0.5 * _POINTS**2)
_WEIGHTS /= _WEIGHTS.sum()
_BELOW = np.array([0.5 * (1.0 + erf(point / 2**0.5)) for point in _POINTS])  # probability of a value below each point


@dataclass(frozen=True)
class Spread:
    mean: np.ndarray
    std: np.ndarray
    # After an elementwise function, its value at each of _POINTS: the maximum of several values needs more than two moments.
    images: Optional[np.ndarray] = None

    @staticmethod
    def standard(channels):
        return Spread(np.zeros(channels), np.ones(channels))

    def channel(self, index):
        return Spread(self.mean[index : index + 1], self.std[index : index + 1])

    @property
    def variance(self):
        return self.std**2

    def map(self, function):
        """Returns the spread after an elementwise function."""
        images = function(self.mean[:, None] + self.std[:, None] * _POINTS)
        return Spread(*_moments(images, _WEIGHTS), images)

    def affine(self, scale, shift):
        return Spread(self.mean * scale + shift, self.std * np.abs(scale))

    def plus(self, other):
        return Spread(self.mean + other.mean, np.hypot(self.std, other.std))

    def times(self, other):
        second_moment = (self.variance + self.mean**2) * (other.variance + other.mean**2)
        mean = self.mean * other.mean
        return Spread(mean, np.sqrt(np.maximum(second_moment - mean**2, 0.0)))

    def maximum_of(self, count):
        """Returns the spread of the maximum of `count` neighbours. Neighbours are correlated, so fewer than `count` are independent."""
        mass = np.diff(_BELOW ** max(1.0, 0.6 * count), prepend=0.0)
        images = self.images
        if images is None:
            images = self.mean[:, None] + self.std[:, None] * _POINTS
        return Spread(*_moments(images, mass))

    def average_of(self, count):
        """Returns the spread of the average of `count` neighbours, between the independent case (root of count) and the identical one."""
        return Spread(self.mean, self.std / count**0.25)

    def bounds(self, deviations):
        """Returns the interval that contains nearly all elements of all channels."""
        return float((self.mean - deviations * self.std).min()), float((self.mean + deviations * self.std).max())


def _moments(images, mass):
    mean = (images * mass).sum(axis=1)
    variance = ((images - mean[:, None]) ** 2 * mass).sum(axis=1)
    return mean, np.sqrt(variance)


def concatenate(spreads):
    images = None
    if all(spread.images is not None for spread in spreads):
        images = np.concatenate([spread.images for spread in spreads])
    return Spread(np.concatenate([s.mean for s in spreads]), np.concatenate([s.std for s in spreads]), images)
