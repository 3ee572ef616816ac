"""Walking as far as is lawful: the question, its judge and its preview, where no turn and no ground costs anything.

A thing walks so far, over no edge of the board and over nobody. Games in which turns or ground cost something have
walks of their own; how far along a way a thing comes and where it can get to they say by `field.walking`, as here.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.explain import inches
from sandtable.engine.questions import MoveModels, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Point, Shape, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.outlines import outline_of
from sandtable.field.walking.courses import nearest_degree
from sandtable.field.walking.encounters import keeps_clear, leaves_board
from sandtable.field.walking.paths import Pose, Track, length_between, resolve
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker, reach
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import Rule
from sandtable.tabletop.actions import Action
from sandtable.tabletop.chapters import Chapter


def track_of(thing: Thing, walk: Walk) -> Track:
    """The way a thing goes with a walk from where it stands."""
    assert isinstance(thing.place, At)
    return resolve(Pose(thing.place.point, thing.facing, thing.place.level), walk)


def others_of(table: Table, thing: Thing) -> dict[str, Shape]:
    """The outlines of all others on the table."""
    return {
        other.id: outline_of(other.base, other.place.point, other.facing)
        for other in table.models()
        if other.id != thing.id and other.base is not None and isinstance(other.place, At)
    }


class OnFoot(NamedTuple):
    """One kind of walk: its topic, the rule it goes by, and how far it leads, in thousandths."""

    topic: str
    rule: Rule
    far: int

    def question(self, thing: Thing, prompt: str, **more: Any) -> MoveModels:
        """The question where to walk."""
        return MoveModels(
            thing.side,
            prompt,
            topic=self.topic,
            about=(thing.id,),
            models=(thing.id,),
            allowance={thing.id: self.far},
            faces=False,
            rules=(self.rule.id,),
            shows=("distance", "reach"),
            **more,
        )

    def walk(self, battle: Battle, thing: Thing) -> Procedure[int]:
        """Ask a thing's side where it walks, and walk there; gives the number of the event, 0 where it stays."""
        walks: dict[str, Walk] = yield self.question(thing, f"{thing.label}: where to?", default={})
        track = track_of(thing, walks.get(thing.id, Walk()))
        if not track.length:
            return 0
        to = At(track.end.point, track.end.level)
        return battle.happens(Moved(thing.id, thing.place, to, walk=track.walk, rule=self.rule.id))

    def halt(self, table: Table, thing: Thing, track: Track) -> tuple[int, str]:
        """How far along a way a thing comes, and what stops it there; nothing where the whole way is lawful."""
        assert thing.base is not None
        found = [(self.far, f"That is {inches(track.length)}; {inches(self.far)} would do.")]
        over = leaves_board(track, thing.base, table.ground)
        if over is not None:
            found.append((max(0, over - 1), "That leaves the board."))
        for name, outline in others_of(table, thing).items():
            clear = keeps_clear(track, thing.base, outline, 0)
            if clear is not None:
                found.append((max(0, clear), f"{table[name].label} is in the way."))
        return min([stop for stop in found if stop[0] < track.length], default=(track.length, ""))

    def refused(self, view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
        """Why a walk is too long, leaves the board or goes over somebody."""
        thing = view.table[question.models[0]]
        _, why = self.halt(view.table, thing, track_of(thing, answer.get(thing.id, Walk())))
        return Refusal(self.rule.id, why) if why else None

    def preview(self, view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
        """How far it goes, and how far it could."""
        thing = view.table[question.models[0]]
        track = track_of(thing, answer.get(thing.id, Walk()))
        area = self.reach(view.table, thing) if "reach" in question.shows else ()
        return Preview(notes=(f"{inches(track.length)} of {inches(self.far)}",), reach=area)

    def reach(self, table: Table, thing: Thing) -> tuple[Shape, ...]:
        """Where a thing can get to; found once, as long as nothing changes."""
        key = (OnFoot, self.topic, thing.id)
        found: tuple[Shape, ...] | None = table.things_cache.get(key)
        if found is None:
            assert thing.base is not None
            lie = Lie(table.ground, thing.base, others=tuple(others_of(table, thing).values()))
            start, gait = track_of(thing, Walk()).start, Gait(self.far, facing=False)
            walker = Walker(start, lambda walk: self.halt(table, thing, track_of(thing, walk))[0], gait, lie)
            found = table.things_cache[key] = reach([walker])
        return found

    def towards(self, thing: Thing, there: Point) -> dict[int, Walk]:
        """Walks straight towards a point, as far as it may and half as far, by how far off they end at best."""
        assert isinstance(thing.place, At)
        here = thing.place.point
        heading, away = nearest_degree(there.x - here.x, there.y - here.y), length_between(here, there)
        return {away - go: Walk((Via(along(here, heading, go)),)) for go in (self.far, self.far // 2)}

    def chapter(self, label: str, walked: Callable[[Battle, Thing], Procedure[None]] | None = None) -> Chapter:
        """What it brings: an action, after which something more may happen, its judge, preview and answer."""

        def carry_out(battle: Battle, thing: Thing, step: object) -> Procedure[None]:
            n = yield from self.walk(battle, thing)
            if n and walked is not None:
                yield from walked(battle, battle.table[thing.id])

        return Chapter(
            actions=(Action(id=self.topic, label=label, rule=self.rule, carry_out=carry_out),),
            judges={self.topic: self.refused},
            previews={self.topic: self.preview},
            answers={self.topic: "the path"},
        )
