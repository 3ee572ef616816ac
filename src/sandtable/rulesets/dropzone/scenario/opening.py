"""From a scenario or a case to the first question: armies, squads and Battlegroups, and the order of setting up."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, Placed
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.shapes import At, In, Off, Point, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Mark, Piece, Thing
from sandtable.field.measure import gap
from sandtable.forces.case_table import TABLE_KEYS
from sandtable.forces.files import nearest
from sandtable.forces.ledger import citing
from sandtable.forces.models import UNDEPLOYED, Fielded
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Scenario, SideForm
from sandtable.rulesets.dropzone.basics import CENTRE, PLACE, edges
from sandtable.rulesets.dropzone.command.cards import HAND, TOP, ShuffleDecks, assemble, deal, in_use
from sandtable.rulesets.dropzone.command.effects import NO_SHOOTING
from sandtable.rulesets.dropzone.damage import TOKENS
from sandtable.rulesets.dropzone.forces.armies import SAMPLE, SIZES, SPOKEN, muster, sample_names, sample_roster
from sandtable.rulesets.dropzone.fortitude import SHAKEN, STRENGTH
from sandtable.rulesets.dropzone.movement.arriving import DEPLOYMENT, EDGE
from sandtable.rulesets.dropzone.movement.paths import LOADED
from sandtable.rulesets.dropzone.objectives import CARRIED, DROPPED_BY
from sandtable.rulesets.dropzone.rounds import (
    AUXILIARIES,
    INITIATIVE,
    MAY_WAIT,
    ActivationEnds,
    NextActivation,
    NextSquad,
    SquadActs,
    acts_in,
)
from sandtable.rulesets.dropzone.scenario.deploying import RollOff, wait_in_reserve
from sandtable.rulesets.dropzone.scenario.laying import PLACING, LayObjectives, LayScenery
from sandtable.rulesets.dropzone.scenario.missions import BLOCKS, GAME, MISSIONS, TABLE, mission
from sandtable.rulesets.dropzone.scenario.scoring import VICTORY
from sandtable.rulesets.dropzone.scenery import HARM, lay
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKED, DROPPED, DUG_IN, EMBARKED, MISSION
from sandtable.rulesets.dropzone.shooting.firing import STORMING
from sandtable.rulesets.dropzone.special_rules.infiltrating import Infiltrate
from sandtable.rulesets.dropzone.transports import ONE_BATTLEGROUP, carriers_of
from sandtable.rulesets.dropzone.units import (
    ACTED,
    ACTIVATED,
    AIRBORNE,
    AUXILIARY,
    BATTLEGROUP,
    CALLED,
    END_OF_ROUND,
    FIRED,
    GROUP_KIND,
    HIGH,
    KIND_OPTION,
    LEVELS,
    MOVED,
    NAMED,
    READINESS,
    RESERVE,
    SHOT,
    battlegroup,
    flies,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.opening import MORE_KEYS, Begun, Opener, lay_board
from sandtable.tabletop.states import give

UNIT_RULE = LEVELS

#: States of a squad or its Battlegroup that may be said of any of their units.
SHARED = (ACTED, ACTIVATED, NAMED, SHOT, SHAKEN, NO_SHOOTING, MAY_WAIT)
#: States of a unit that end with the round.
OF_THE_ROUND = (MOVED, FIRED, HIGH, LOADED, DISEMBARKED, DROPPED, EMBARKED, STORMING, DUG_IN)
#: What a scenario or a case calls an Aircraft that stands on the ground.
LANDED = "landed"
#: The option of a side that names a sample army.
ARMY = "army"


class DropzoneOpener(Opener):
    """Units one by one, in squads and Battlegroups; most of them come later."""

    default = "checkpoint"
    sides_of_a_scenario = 2
    board_rule = TABLE
    keys = {**TABLE_KEYS, **MORE_KEYS}
    side_options = {
        ARMY: "a sample army of the ledger: " + " or ".join(sample_names()),
        HAND: "the Command Cards in its hand, by their names",
        TOP: "the Command Cards on top of its deck",
        PLACE: "its place in the order of play of this round: 1 or 2",
    }
    bring_forces = (ARMY,)
    model_keys = {"off": f"off the table, and why: `{READINESS}` or `{RESERVE}`"}
    marker_kinds = {"objective": "an Objective"}
    piece_traits = {
        "entrances": "where a building may be entered, points in thousandths: `10000,5000 12500,7500`",
        "linked": "the ids of the Garrisons it is linked with",
        HARM: "the Damage Points that it has lost",
        TOKENS: "the Collateral Damage tokens on it",
    }
    battle_options = {
        MISSION: "the scenario of the ledger that is played: " + ", ".join(MISSIONS),
        GAME: "how large a game it is: " + ", ".join(BLOCKS.names("garrison_count")),
        VICTORY: "kill_points where they alone decide",
        "garrison-range": "the Garrisons out of which Infantry shoot further",
    }

    def see(self, form: Scenario, fail: Fail) -> None:
        """Refuse scenarios, sizes and armies that the ledger does not have."""
        for word, known in ((MISSION, tuple(MISSIONS)), (GAME, tuple(BLOCKS.names("garrison_count")))):
            value = form.options.get(word)
            if value is not None and value not in known:
                raise fail(f"there is no {word} `{value}`", nearest(str(value), known), "options", word)
        for name, side in form.sides.items():
            for n, why in enumerate(one.off for one in side.force):
                if why is not None and why and _waiting(why) not in (READINESS, RESERVE):
                    raise fail(
                        f"nobody is off the table for `{why}`",
                        nearest(why, (READINESS, RESERVE)),
                        *("sides", name, "force", n, "off"),
                    )
            army = side.options.get(ARMY)
            if army is not None and army not in sample_names():
                raise fail(f"there is no army `{army}`", nearest(str(army), sample_names()), "sides", name, "options")

    def see_scenario(self, form: Scenario, fail: Fail) -> None:
        """The standard set of scenery is laid on a table of its size, or a larger one (…standard-scenery)."""
        width, depth = TABLE.inches("width_in"), TABLE.inches("depth_in")
        if form.board.terrain == "random" and (form.board.width < width or form.board.height < depth):
            least = f"{TABLE.number('width_in')} by {TABLE.number('depth_in')}"
            raise fail("the board is too small for the standard set of scenery", f"at least {least}", "board")

    def prepared(self, form: Scenario, size: int = 0) -> Scenario:
        """Put the armies in: the rosters that sides bring, else the sample armies of the ledger."""
        letters = {name: name[:1].upper() for name in form.sides}
        if len(set(letters.values())) < len(letters):
            letters = {name: f"{name}-" for name in form.sides}
        game = SIZES[(size or form.size.default) - 1] if form.size is not None else SIZES[0]
        sides = {name: self._mustered(name, side, letters[name], game) for name, side in form.sides.items()}
        options = {GAME: game, **form.options} if MISSION in form.options else form.options
        return replace(form, sides=sides, options=options)

    def _mustered(self, name: Side, side: SideForm, letter: str, game: str) -> SideForm:
        roster = side.roster
        if roster is None and ARMY in side.options:
            roster = sample_roster(str(side.options[ARMY]), game)
        if roster is None:
            return side
        return replace(side, force=(*side.force, *muster(roster, name, letter)), roster=None)

    def high(self, fielded: Fielded[Any]) -> int:
        """Whoever is in the air may be above those on the ground."""
        return int(_in_the_air(fielded))

    def slots(self, piece: Piece) -> Sequence[str]:
        """The edges of a Garrison, and its centre."""
        return (CENTRE, *(f"edge {n}" for n in range(1, len(edges(piece)) + 1)))

    def edges(self, board: Any) -> Sequence[str]:
        """A side may come from any edge."""
        return ("north", "south", "west", "east")

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """The board, its scenery, and the part that scenery takes in the battle."""
        lay_board(battle, ground, self.board_rule)
        for piece in ground.pieces:
            lay(battle, piece)

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """A unit with its squad and its Battlegroup."""
        thing, options = fielded.thing, fielded.form.options
        squad = thing.unit or ThingId(f"{thing.id} squad")
        group = ThingId(str(options.get(BATTLEGROUP, "")) or f"{squad} group")
        auxiliary = bool(options.get(AUXILIARY))
        if not auxiliary and group not in battle.table.things:
            kind = str(options.get(KIND_OPTION, ""))
            label, marks = _spoken(group, thing.side), {GROUP_KIND: Mark(kind)} if kind else {}
            made = Thing(group, kind="battlegroup", side=thing.side, label=label, states=marks)
            battle.happens(Placed(group, Off(), made=made, rule=LEVELS.id))
        if squad not in battle.table.things:
            states = {AUXILIARY: Mark()} if auxiliary else {BATTLEGROUP: Mark(group)}
            own = _spoken(squad, thing.side) if squad.startswith(f"{thing.side}-") else f"{fielded.card.name} {squad}"
            label = str(options.get(CALLED, "")) or own
            made = Thing(squad, kind="unit", side=thing.side, label=label, states=states)
            strength = sum(
                one.card.stats.track for one in force if (one.thing.unit or f"{one.thing.id} squad") == squad
            )
            battle.happens(Placed(squad, Off(), made=replace(made, counts={STRENGTH: strength}), rule=LEVELS.id))
        place, marks = thing.place, {state: mark for state, mark in thing.states.items() if state not in SHARED}
        marks |= {state: Mark(marks[state].value, END_OF_ROUND) for state in OF_THE_ROUND if state in marks}
        marks.pop(LANDED, None)
        if isinstance(place, At) and _in_the_air(fielded):
            marks.setdefault(AIRBORNE, Mark())
        if isinstance(place, In) and not place.slot and place.holder in battle.table.things:
            if battle.table[place.holder].kind == "holder":
                place = In(place.holder, CENTRE)
        if isinstance(place, Off):
            place = Off(READINESS if place == UNDEPLOYED or not place.why else _waiting(place.why))
        track = fielded.card.stats.track
        made = replace(thing, unit=squad, states=marks, track=track, height=0, label=_called(fielded, force))
        told = citing(SAMPLE) if ARMY in form.sides[thing.side].options else {}
        battle.happens(Placed(thing.id, place, thing.facing, made=made, rule=UNIT_RULE.id, detail=told))
        shared = {state: thing.states[state].value for state in SHARED if state in thing.states}
        if ACTED in shared or ACTIVATED in shared:
            shared = {**shared, ACTED: 1}
            if not auxiliary:
                _activate(battle, group)
        for state in [one for one in shared if one != ACTIVATED]:
            give(battle, squad, state, UNIT_RULE, shared[state], until=END_OF_ROUND)

    def lay_marker(self, battle: Battle, marker: Thing) -> None:
        """An Objective lies on the table, or in the Garrison that stands there."""
        place: At | In = marker.place if isinstance(marker.place, At) else At(Point(0, 0))
        for piece in battle.table.ground.pieces:
            if piece.id in battle.table.things and isinstance(place, At):
                if gap(piece.outline, rectangle(place.point.x, place.point.y, 1, 1)) < 0:
                    place = In(piece.id)
        states = dict(marker.states)
        for state in (CARRIED, DROPPED_BY):
            carrier = battle.table.things.get(str(states[state].value)) if state in states else None
            if carrier is not None and carrier.unit:  # a squad, said of one of its units
                states[state] = Mark(carrier.unit)
        battle.happens(Placed(marker.id, place, made=replace(marker, place=place, states=states), rule=PLACING.id))

    def give_baseline(self, battle: Battle, side: Side, edge: str) -> None:
        """Tell that an edge is a side's."""
        give(battle, side, EDGE, DEPLOYMENT, edge)

    def deal(self, battle: Battle, form: Scenario) -> bool:
        """Put the decks together; gives whether a hand or the top of a deck is said, so that nothing is shuffled."""
        if not in_use(battle.table):
            return False
        assemble(battle)
        said = {side: (_cards(one.options.get(HAND)), _cards(one.options.get(TOP))) for side, one in form.sides.items()}
        told = any(hand or top for hand, top in said.values())
        for side, (hand, top) in said.items():
            if told:
                deal(battle, side, hand, top)
        return told

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin with the first round, or with those whom a case names."""
        begins = begun.begins
        dealt = self.deal(battle, begun.form)
        if not begins.baselines:
            for side, form in begun.form.sides.items():
                if form.zone:
                    give(battle, side, EDGE, DEPLOYMENT, form.zone)
        if not begins.turn and not begins.next:
            laying: list[Step] = [LayScenery()] if begun.form.board.terrain == "random" else []
            shuffling: list[Step] = [ShuffleDecks()] if in_use(battle.table) and not dealt else []
            if mission(battle.table) is not None:
                battle.push(*laying, LayObjectives(), *shuffling, RollOff())
            else:
                wait_in_reserve(battle)
                battle.push(*laying, *shuffling, Infiltrate())
            return
        battle.happens(PhaseBegan(begins.turn_number, "battlegroup activation", rule=DEPLOYMENT.id))
        for side, form in begun.form.sides.items():
            place = form.options.get(PLACE)
            if isinstance(place, int):
                give(battle, side, PLACE, INITIATIVE, place, until=END_OF_ROUND)
        acted = [battle.table[name].side for name in begins.turn[-1:]]
        after = next(side for side in (*begins.next, *battle.table.sides) if begins.next or side not in acted)
        battle.push(*activated(battle, begins.turn), NextActivation(after))


def activated(battle: Battle, names: Sequence[str]) -> list[Step]:
    """The steps of an activation that a case begins within: whose squads act, named by one unit of each.

    Auxiliary squads among them are named with the Battlegroup, as are those that carry it.
    """
    table = battle.table
    acting = [table[name] for name in dict.fromkeys(table[one].unit for one in names)]
    groups = list(dict.fromkeys(battlegroup(one) for one in acting if battlegroup(one)))
    for group in groups:
        _activate(battle, group)
        for one in carriers_of(table, group):
            give(battle, one.id, NAMED, ONE_BATTLEGROUP, group, until=END_OF_ROUND)
    for one in acting:
        if groups and one.has(AUXILIARY) and not table[one.id].has(NAMED):
            give(battle, one.id, NAMED, AUXILIARIES, groups[0], until=END_OF_ROUND)
    steps: list[Step] = []
    for number, one in enumerate(acting):
        steps.append(SquadActs(one.id))
        group = acts_in(table[one.id])
        if group and all(acts_in(table[other.id]) != group for other in acting[number + 1 :]):
            steps += [NextSquad(group), ActivationEnds(group)]
    return steps


def _activate(battle: Battle, group: str) -> None:
    """Tell that a Battlegroup has been activated this round, and that somebody of it has acted."""
    give(battle, group, ACTIVATED, DEPLOYMENT, until=END_OF_ROUND)
    give(battle, group, ACTED, DEPLOYMENT, until=END_OF_ROUND)


def _waiting(why: str) -> str:
    """In Readiness or In Reserve, however a case writes it: `reserve`, `In Reserve`, `in-reserve`."""
    said = why.lower().replace("-", " ").removeprefix("in ")
    return f"in {said}"


def _cards(said: object) -> tuple[str, ...]:
    """Cards as a case names them, by id or as they are printed: one, or a list."""
    named = (said,) if isinstance(said, str) else said if isinstance(said, tuple) else ()
    return tuple(one.lower().replace(" ", "-") for one in named)


def _in_the_air(fielded: Fielded[Any]) -> bool:
    return flies(fielded.thing) and not (fielded.form.options.get(LANDED) or fielded.thing.has(LANDED))


def _called(fielded: Fielded[Any], force: Sequence[Fielded[Any]]) -> str:
    """What a unit is called: by the name that a roster gives its squad, and its number in it if there are more."""
    squad, name = fielded.thing.unit, str(fielded.form.options.get(CALLED, ""))
    if not name:
        return fielded.thing.label
    members = [one.thing.id for one in force if one.thing.unit == squad]
    return name if len(members) == 1 else f"{name}.{members.index(fielded.thing.id) + 1}"


def _spoken(name: str, side: Side) -> str:
    if name.startswith(f"{side} "):
        return name.removeprefix(f"{side} ")
    return " ".join(SPOKEN.get(word, word.capitalize()) for word in name.replace("_", "-").split("-"))


CHAPTER = Chapter(
    options={LANDED: "1 where an Aircraft stands on the ground"},
    states={LANDED: "of an Aircraft in a case: it stands on the ground"},
)
