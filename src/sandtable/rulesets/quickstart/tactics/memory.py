"""What tactics keep from question to question: how models see each other, how they shoot, and ways over the ground."""

from collections.abc import Sequence

from sandtable.engine.shapes import Point
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.survey import crowd
from sandtable.rulesets.cav.concepts import center, enemies
from sandtable.rulesets.cav.sight import NONE
from sandtable.rulesets.quickstart.sight import kind_of_cover, lying
from sandtable.rulesets.quickstart.states import is_down
from sandtable.rulesets.quickstart.tactics.guns import Gunner, gunner_of
from sandtable.rulesets.quickstart.tactics.sight import Lookout, Sighting, Strength
from sandtable.rulesets.quickstart.tactics.walks import WALKERS
from sandtable.tabletop.scouting.sightings import Sightings
from sandtable.tabletop.scouting.strolls import Chartroom


class Memory(Sightings[Sighting]):
    """What a bot keeps in a battle. `watch` comes before everything else, whenever a question is asked."""

    near_a_line = WALKERS.room
    passing = WALKERS.passing

    def __init__(self) -> None:
        super().__init__()
        self.room = Chartroom(WALKERS)
        #: What the place of each model was worth to it when it last looked, reason by reason.
        self.standing: dict[str, tuple[tuple[str, int], ...]] = {}
        self._gunners: dict[str, tuple[Thing, Gunner]] = {}
        self._strengths: dict[tuple[object, ...], Strength] = {}

    def is_low(self, model: Thing) -> bool:
        """Whether a model is on the ground."""
        return is_down(model)

    def low_ones(self, table: Table) -> tuple[str, ...]:
        """All models on the ground."""
        return lying(table)

    def hides(self, piece: Piece) -> bool:
        """Whether a piece may give cover."""
        return kind_of_cover(piece.kind) != NONE

    def forget(self) -> None:
        """The terrain is new."""
        super().forget()
        self._strengths.clear()

    def note_ground(self, ground: Ground) -> None:
        """Take note of a ground that has changed."""
        super().note_ground(ground)
        self.room.open(ground)

    def gunner(self, model: Thing) -> Gunner:
        """A model as a gunner."""
        kept = self._gunners.get(model.id)
        if kept is None or kept[0] is not model:
            kept = self._gunners[model.id] = (model, gunner_of(model))
        return kept[1]

    def lookout(self, table: Table, model: Thing, poses: Sequence[tuple[Point, int]], foes: Sequence[Thing]) -> Lookout:
        """What a model would see in some poses."""
        return Lookout(table, model, poses, foes, self._strengths)

    def look(self, table: Table, model: Thing, foes: Sequence[Thing]) -> list[Sighting]:
        """What a model sees from where it stands."""
        lookout = self.lookout(table, model, [(center(model), model.facing)], foes)
        return [lookout.sighting(0, line) for line in range(len(foes))]


def nearest_first(table: Table, model: Thing) -> list[Thing]:
    """The enemies of a model, the nearest first."""
    x, y = center(model)
    stand = crowd(table)
    foes = [(foe, stand[foe.id].at) for foe in enemies(table, model)]
    foes.sort(key=lambda one: (one[1].x - x) ** 2 + (one[1].y - y) ** 2)
    return [foe for foe, _ in foes]
