"""A shot of one at another: whom it reaches, its check along the line between them, its preview, and fire at whoever
walks by.

For games in which a shot is one check whose modifiers are found along one line. Volleys, range bands, arcs, and sight
that blocks are for a ruleset to say.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import HarmApplied, ModelLost
from sandtable.engine.questions import Preview, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import Crossing, SightLine, line_among
from sandtable.forces.ledger import Rule
from sandtable.tabletop.chapters import Chapter, HarmProcedure
from sandtable.tabletop.checks import Check
from sandtable.tabletop.choosing import by_unit, choose_thing, of_two
from sandtable.tabletop.previews import Crossed, sight_note

#: What a preview of a shot holds.
SHOWS = ("distance", "sight", "odds")
#: The topics of the questions whom one fires at, and whether to fire at one who has walked.
TARGET, WATCH_FIRE = "target", "watch-fire"


class Shots(NamedTuple):
    """One kind of shot: its rule, how far it carries, the check along a line, and what crossing something means."""

    rule: Rule
    carries: int
    along: Callable[[Thing, SightLine], Check]
    crossed: Callable[[Crossing], Crossed]

    def check(self, table: Table, by: Thing, at: Thing) -> Check:
        """A shot before it falls."""
        return self.along(by, line_among(table, by.id, at.id))

    def foretold(self, table: Table, by: Thing, at: Thing) -> Preview:
        """A shot told beforehand, with the line it goes along."""
        line = line_among(table, by.id, at.id)
        note = sight_note(line, [self.crossed(one) for one in line.crossings], blocked=False)
        return replace(self.along(by, line).preview(), distances={at.id: line.gap}, sight=(note,))

    def out_of_range(self, table: Table, by: Thing, at: str) -> Refusal | None:
        """Why a shot does not carry so far."""
        carries = line_among(table, by.id, at).gap <= self.carries
        return None if carries else Refusal(self.rule.id, f"{table[at].label} is out of range.")

    def in_range(self, table: Table, by: Thing) -> list[Thing]:
        """Whom it could fire at."""
        return [foe for foe in table.enemies_of(by.side) if self.out_of_range(table, by, foe.id) is None]

    def nobody_in_range(self, table: Table, by: Thing) -> Refusal | None:
        """Why it may not shoot where nobody is near enough."""
        return None if self.in_range(table, by) else Refusal(self.rule.id, "Nobody is in range.")

    def choose_target(self, battle: Battle, by: Thing) -> Procedure[str]:
        """Ask whom it fires at."""
        foes, prompt = battle.table.enemies_of(by.side), f"{by.label}: fire at whom?"
        ask = choose_thing(by.side, prompt, foes, self.rule, topic=TARGET, about=(by.id,), shows=SHOWS, even_one=True)
        return (yield from ask)

    def watchers_of(
        self, battle: Battle, walker: Thing, watching: str, able: Callable[[Thing], bool], rule: Rule
    ) -> Procedure[Sequence[str]]:
        """Ask the sides of those who watch whether to fire at one who has walked; gives who fires.

        Who watches within range is seen by all, so that being asked tells nothing of who is able.
        """
        foes = [one for one in battle.table.enemies_of(walker.side) if one.has(watching)]
        near = [one for one in foes if self.out_of_range(battle.table, one, walker.id) is None]
        if not near:
            return ()
        open_to = [ReactOption(one.id, one.label, one.id, rules=(rule.id,)) for one in near if able(one)]
        reacted = yield from reaction_window(
            battle,
            moment=WATCH_FIRE,
            prompt=f"{walker.label} has walked into your sight. Fire?",
            options=lambda side, declared: [] if declared else open_to,
            rules=(rule.id,),
            about=(walker.id,),
            sides=tuple(dict.fromkeys(one.side for one in near)),
            once=True,
            blind=True,
            shows=SHOWS,
        )
        return [one.reaction.option for one in reacted]

    def chapter(self) -> Chapter:
        """What it brings: refusals and previews of its questions, and what cases answer."""
        return Chapter(
            refusals={TARGET: by_unit(self.out_of_range)},
            previews={TARGET: of_two(self.foretold), WATCH_FIRE: of_two(self.foretold)},
            answers={TARGET: "whom it fires at", WATCH_FIRE: "the id of the watcher that fires, or pass"},
        )


def until_lost(rule: Rule, how: str) -> HarmProcedure:
    """Harm that is marked on a track; with its last box a thing is lost."""

    def takes(battle: Battle, due: Due) -> Procedure[None]:
        yield from ()
        hurt = battle.table[due.target]
        after = min(hurt.harm + due.harm.amount, hurt.track)
        n = battle.happens(HarmApplied(hurt.id, due.harm, hurt.harm, after, rule=rule.id, because=due.because))
        if after == hurt.track:
            battle.happens(ModelLost(hurt.id, how, rule=rule.id, because=n))

    return takes
