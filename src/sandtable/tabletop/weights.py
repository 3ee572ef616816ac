"""What the features of a position count: a ruleset's `weights.yaml`, kept as data so that it can be learned.

features: {life: 1000, models: 2500}     # what one more of each is worth, in thousandths of a point of harm
scale: 8000                              # how far ahead a side is that wins about three battles of four
battles: 4000                            # from how many battles they were learned; 0: somebody's judgement
seed: 1
error: 170                               # the mean squared error of what they foretold, in thousandths
"""

from collections.abc import Collection, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from sandtable.forces.files import FileError
from sandtable.forces.reading import load


class WeightsError(FileError):
    """A ruleset's `weights.yaml` is wrong."""


class Weights(msgspec.Struct, frozen=True):
    """What the features of a position count, and where that comes from.

    >>> Weights({"life": 1000, "models": 2500}).worth({"life": 7, "models": 1, "luck": 3})
    9500
    """

    features: dict[str, int] = {}
    scale: int = 1000
    battles: int = 0
    seed: int = 0
    error: int = 0

    def worth(self, features: Mapping[str, int]) -> int:
        """What some features are worth in all; what has no weight counts nothing."""
        weights = self.features
        return sum([weights[name] * value for name, value in features.items() if name in weights])

    def without(self, names: Collection[str]) -> "Weights":
        """The same weights without some features.

        >>> Weights({"life": 1000, "ready": 300}).without({"life"}).features
        {'ready': 300}
        """
        return replace(self, features={name: value for name, value in self.features.items() if name not in names})


def read_weights(path: Path | Traversable) -> Weights:
    """The weights of a file."""
    return load(path, Weights, WeightsError).value


def weights_of(package: str) -> Weights:
    """The weights that lie in a package."""
    return read_weights(files(package) / "weights.yaml")
