"""Scenarios: boards and forces of the ledger, deployment, and how battles end."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import BattleEnded, Counted, Declared, PhaseBegan, Placed, Revealed
from sandtable.engine.ids import NO_SIDE, Side, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Mark, Piece, Table, Thing
from sandtable.field.edges import Edge
from sandtable.forces.case_table import TABLE_KEYS, Opening
from sandtable.forces.data import Data
from sandtable.forces.files import Node
from sandtable.forces.ledger import Rule, citing, ledger, rule
from sandtable.forces.models import BattleOptions, Fielded, ModelForm
from sandtable.forces.outlines import BandForm, Circle
from sandtable.forces.reading import Fail
from sandtable.forces.roster import Roster, recruits
from sandtable.forces.scenario import Laid, Scenario, find_scenario
from sandtable.forces.terrain import BoardForm, ContourForm, PieceForm
from sandtable.rulesets.cav.movement import HILL, STRUCTURE
from sandtable.rulesets.cav.setup import see_edges
from sandtable.rulesets.strikeops.attributes import still_to_come
from sandtable.rulesets.strikeops.command import POINTS, fill_pool
from sandtable.rulesets.strikeops.concepts import QUESTION, SCALE, SettleQuestion
from sandtable.rulesets.strikeops.datacard import SMALL_BOARD, rating, stats
from sandtable.rulesets.strikeops.deployment import DEPLOYMENT, ROLLING_OPTION, opening_steps
from sandtable.rulesets.strikeops.equipment import clear_smoke_of_the_gone
from sandtable.rulesets.strikeops.forces.rosters import GUIDE as GUIDE_RULE
from sandtable.rulesets.strikeops.forces.rosters import POOL as POOL_RULE
from sandtable.rulesets.strikeops.forces.rosters import guided, shown
from sandtable.rulesets.strikeops.forces.squads import squad_types
from sandtable.rulesets.strikeops.initiative import (
    ACTIVATION,
    ACTIVATION_PHASE,
    BONUS_CARDS,
    DECK_OPTION,
    DRAW_DECK,
    END,
    END_PHASE,
    ORDER_GIVEN,
    STANDARD_DECK,
    ActivateSquad,
    DrawCard,
    EndPhase,
    StartPhase,
    refill,
    refused_deck,
    remains,
)
from sandtable.rulesets.strikeops.laying import ALTERNATING, LAYING, RANDOM
from sandtable.rulesets.strikeops.missions import (
    ATTACKER,
    CITED,
    DEFENDER,
    ELIMINATED,
    HILL_FORCES,
    LASTS,
    LEVELS,
    LONG_STOP,
    NUMBERS,
    PLAYED,
    POOL,
    READY,
    READY_BATTLES,
    ROLL_OFF,
    SCENARIO,
    SELECTION,
    THE_HILL,
    THIS_IS_WAR,
    TIME,
    WAR,
    ChooseTurns,
    RollForRoles,
    graded,
    great_hill,
    last_turn,
    part_of,
    quotient,
    scenario_of,
    share,
    show_turns,
    shows_turns,
    stands,
    verdict,
    warned_of,
)
from sandtable.rulesets.strikeops.setup import (
    BASES,
    BOARD,
    FACING,
    FORCE_GROUP,
    FORCES,
    LAID_BY,
    MODEL,
    ORDER,
    ZONES,
    is_small,
)
from sandtable.rulesets.strikeops.shooting.reactions import laid_watch
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.terrain import HEIGHTS, KIND_RULES, LIES_BY
from sandtable.rulesets.strikeops.victory import COUNTED_BY, OBJECTIVES
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.endings import last_side_standing
from sandtable.tabletop.features import DICE as SHAPED_BY_DICE
from sandtable.tabletop.features import PLAYERS, SHAPED
from sandtable.tabletop.opening import MORE_KEYS, TURN_LIMIT, Begun, Kept, Opener, lay_board
from sandtable.tabletop.states import give

PARTS = rule("strikeops.scenarios.parts")
READY_BOARDS = rule("strikeops.scenarios.ready-boards")
SQUAD = rule("strikeops.concepts.squad")
#: The boards that have nothing but terrain that is played so far, but for what is left out.
BOARDS = {
    "millrace": rule("strikeops.scenarios.board-millrace"),
    "three-crowns": rule("strikeops.scenarios.board-three-crowns"),
    "glass-flats": rule("strikeops.scenarios.board-glass-flats"),
    "marsh-gate": rule("strikeops.scenarios.board-marsh-gate"),
}
#: The options of a battle.
BOARD_OPTION, GUIDE, HALVED = "board", "guide", "halved"
#: How an option is said to hold.
YES = ("yes", 1)
#: The option of a model.
SQUAD_OPTION, CARD_OPTION, CARD_ASSIGNED = "squad", "card", "assigned"
BONUS_OPTION = "cards"
#: What is revealed of a side, in words.
FORCE_GROUP_SHOWN = "force group"


# Boards of the ledger ---------------------------------------------------------------------------------------------


def ready_board(name: str) -> BoardForm:
    """A ready board of the ledger as a scenario writes it; structures are still to come, and left out."""
    width, height = (READY_BOARDS.inches("size_inches", n) for n in range(2))
    pieces = [one for one in BOARDS[name].items("pieces") if one.text_at("kind") != STRUCTURE]
    return BoardForm(width, height, tuple(_piece(one) for one in pieces))


def _piece(data: Data) -> PieceForm:
    kind, name = data.text_at("kind").replace("_", "-"), data.text_at("id").replace("_", "-")
    form = PieceForm(kind=kind, id=name, label=" ".join(word.capitalize() for word in name.split("-")))
    if data.has("depth"):
        form = replace(form, traits={"depth": int(data.text_at("depth").removeprefix("D"))})
    if data.has("elevation"):
        form = replace(form, height=data.number("elevation"))
    if data.has("levels"):
        levels = tuple(ContourForm(level=one.number("level"), circle=_circle(one)) for one in data.items("levels"))
        return replace(form, contours=levels)
    if data.has("strip"):
        points = tuple(one.point() for one in data.items("strip", "points"))
        return replace(form, band=BandForm(points, data.length("strip", "width")))
    if data.has("circle"):
        return replace(form, circle=_circle(data))
    return replace(form, polygon=tuple(one.point() for one in data.items("polygon")))


def _circle(data: Data) -> Circle:
    x, y, radius = (data.length("circle", n) for n in range(3))
    return Circle(x, y, radius)


#: How many levels the hill of scenario three has at the least.
HILL_LEVELS = HILL_FORCES.number("hill", "minimum_levels")


def _with_hill(board: BoardForm) -> BoardForm:
    """A board with the hill of scenario three in its centre, where it has no hill of its own.

    strikeops.scenarios.take-that-hill-forces    so wide and so high, each level as far inside the one below
    """
    laid = () if isinstance(board.terrain, str) else board.terrain
    if any(piece.kind == HILL for piece in laid):
        return board
    wide = HILL_FORCES.inches("hill", "default_diameter_inches") // 2
    rings = [
        Circle(board.width // 2, board.height // 2, wide * (HILL_LEVELS - n) // HILL_LEVELS) for n in range(HILL_LEVELS)
    ]
    levels = tuple(ContourForm(level=n, circle=ring) for n, ring in enumerate(rings, 1))
    return replace(board, terrain=(*laid, PieceForm(kind=HILL, id="great-hill", label="Great Hill", contours=levels)))


#: How many digits a pool may have.
LONGEST_POOL = 7

# Opening ----------------------------------------------------------------------------------------------------------


#: The states that say which types of weapon cannot fire.
SILENCED = (str(StateName.JAMMED), str(StateName.OVERHEATED), str(StateName.OVERLOADED))
#: The options that choose something by its name.
CHOSEN_BY_NAME = frozenset({SCENARIO, BOARD_OPTION, READY, ATTACKER, DEPLOYMENT, LAYING, SHAPED, DECK_OPTION})


class StrikeOpsOpener(Opener):
    """Models in squads, on the board or to be deployed squad by squad."""

    default = "first-blood"
    sides_of_a_scenario = 2
    board_rule = BOARD
    battle_options: ClassVar[Mapping[str, str]] = {
        BOARD_OPTION: f"a ready board of the ledger: {', '.join(BOARDS)}",
        READY: "the ready battle of the ledger whose pool, and turns, are played for",
        SCENARIO: f"the scenario of the book: {', '.join(PLAYED)}; the first if nothing is said",
        ATTACKER: f"the side that attacks, or {ROLL_OFF}; the first if nothing is said",
        GUIDE: "what the pool is worked out by: `3 medium cavs`, so many squads of such models",
        DEPLOYMENT: f"{ROLLING_OPTION}: squads enter with a Move Action from their edge",
        LAYING: f"how terrain is laid: {RANDOM} by rolls, or {ALTERNATING} as players like; else as the board has it",
        SHAPED: f"who shapes terrain that is laid: {PLAYERS}, or {SHAPED_BY_DICE} if nothing is said",
        HALVED: "yes: on a small board, all MV and ranges are halved",
        DECK_OPTION: f"the Draw Deck: {STANDARD_DECK}, the only one of the book",
        QUESTION: "readings of a rule that the players cannot agree on, `one | other`: a roll-off says who chooses",
        POOL: "the Threat Value Pool that was agreed on; what the models of a side cost if nothing is said",
    }
    keys: ClassVar[Mapping[str, str]] = {**TABLE_KEYS, "sides": MORE_KEYS["sides"]}
    numbers = (TURN_LIMIT, POINTS, BONUS_OPTION)
    side_options: ClassVar[Mapping[str, str]] = {
        POINTS: "its C3 points; as many as its squads give if nothing is said",
        BONUS_OPTION: "its plain bonus cards in the Draw Deck",
    }
    piece_traits: ClassVar[Mapping[str, str]] = {"depth": "of water: 0, 1 or 2", "look": "what it is drawn as"}

    def read_case(self, case: Data) -> tuple[Data, Kept]:
        """In what an option chooses by its name capitals, spaces and signs do not matter: `Take that Hill!`."""
        if not case.has("options"):
            return case, {}
        options = case.at("options")
        said = {key: one.node for key, one in options.table().items()}
        for key in [one for one in said if one in CHOSEN_BY_NAME]:
            word = said[key].value
            if isinstance(word, str):
                plain = re.sub(r"[!,.'’]", "", word).strip().casefold()
                said[key] = Node(re.sub(r"[\s_-]+", "-", plain), said[key].line)
        keys = {key: one.node for key, one in case.table().items()}
        return case.renamed({**keys, "options": Node(said, options.line)}), {}

    def ready_board(self, options: BattleOptions) -> BoardForm | None:
        """The board of the ledger that the options name."""
        name = str(options.get(BOARD_OPTION))
        return ready_board(name) if name in BOARDS else None

    def prepared(self, form: Scenario, size: int = 0) -> Scenario:
        """Put a ready board in, and take as many squads as the size says."""
        name = form.options.get(BOARD_OPTION)
        if name in BOARDS:
            form = replace(form, board=ready_board(str(name)))
        if form.board.terrain == RANDOM:
            form = replace(form, options={**form.options, LAYING: RANDOM})
        if form.options.get(SCENARIO) == THE_HILL:
            form = replace(form, board=_with_hill(form.board))
        form = _agreed(form)
        if form.size is None:
            return form
        most = size or form.size.default
        return replace(
            form, sides={side: replace(one, force=first(one.force, most)) for side, one in form.sides.items()}
        )

    def see(self, form: Scenario, fail: Fail) -> None:
        """Refuse a board, a scenario or an attacker that is not there."""
        if GUIDE in form.options and not guided(str(form.options[GUIDE])):
            raise fail("the guide has no such squads", "something like `3 medium cavs` would do", "options", GUIDE)
        pool = str(form.options.get(POOL, 0))
        if not (pool.isdecimal() and len(pool) <= LONGEST_POOL):
            raise fail("the pool is no number of Threat Value", "something like 3000 would do", "options", POOL)
        ready = form.options.get(READY, next(iter(READY_BATTLES.names("battles"))))
        if ready not in READY_BATTLES.names("battles"):
            raise fail(f"there is no ready battle {ready!r}", "leave it out", "options", READY)
        played = form.options.get(SCENARIO, WAR)
        if played not in PLAYED:
            raise fail(f"there is no scenario {played!r} yet", f"one of {', '.join(PLAYED)}", "options", SCENARIO)
        if form.options.get(ATTACKER, ROLL_OFF) not in (*form.sides, ROLL_OFF):
            raise fail("the attacker is no side", f"one of {', '.join(form.sides)}", "options", ATTACKER)
        for option, words in {LAYING: (RANDOM, ALTERNATING), SHAPED: (PLAYERS, SHAPED_BY_DICE)}.items():
            if form.options.get(option, words[0]) not in words:
                raise fail(f"{option} {form.options[option]!r}", f"one of {', '.join(words)}", "options", option)
        if form.options.get(HALVED, "no") not in (*YES, "no", 0):
            raise fail(f"{HALVED} {form.options[HALVED]!r}", "yes or no", "options", HALVED)
        if form.options.get(HALVED) in YES and not is_small(form.board.width, form.board.height):
            raise fail("the board is not small", f"leave it out; see {SMALL_BOARD.id}", "options", HALVED)
        refusal = refused_deck(str(form.options.get(DECK_OPTION, STANDARD_DECK)))
        if refusal is not None:
            raise fail(refusal.sentence, f"leave it out; see {refusal.rule}", "options", DECK_OPTION)
        name = form.options.get(BOARD_OPTION)
        if name is not None and name not in BOARDS:
            raise fail(f"there is no board {name!r}", f"one of {', '.join(BOARDS)}", "options", BOARD_OPTION)

    def see_room(self, laid: Laid[Any], fail: Fail) -> None:
        """Refuse models of which something is still to come, by name."""
        for side, force in laid.models.items():
            for fielded in force:
                missing = still_to_come(fielded.card.stats)
                if missing:
                    found = f"`{fielded.card.id}` has {missing}, which this ruleset does not play yet"
                    raise fail(found, "field another model", "sides", side, "force", fielded.entry)

    def see_scenario(self, form: Scenario, fail: Fail) -> None:
        """Refuse a side that costs more than its share of the pool, and a hill that is not there."""
        form = self.prepared(form)
        pool, played = form.options.get(POOL), str(form.options.get(SCENARIO, WAR))
        assert self.book.cards is not None
        for side, one in form.sides.items():
            if pool is not None:
                attacks = form.options.get(ATTACKER, next(iter(form.sides))) in (side, ROLL_OFF)
                most = part_of(int(str(pool)), played, attacks=attacks)
                forces = one.force + (recruits(one.roster) if one.roster is not None else ())
                cost = sum(self.book.cards[model.model].points * int(model.count) for model in forces)
                if cost > most:
                    found = f"{side} has {cost} TV of the {most} that are its share of {pool}"
                    raise fail(found, f"see {PLAYED[played].id}", "sides", side)
        hill = great_hill(self.lay_out(form, fail).ground) if played == THE_HILL else None
        if played == THE_HILL and (hill is None or hill.height < HILL_LEVELS):
            found = f"there is no hill of {HILL_LEVELS} levels in the centre of the board"
            raise fail(found, f"see {PLAYED[played].id}", "board")

    def edges(self, board: BoardForm) -> Sequence[str]:
        """All four: the two short ends are only what is recommended (strikeops.setup.board-size)."""
        return tuple(Edge)

    def see_beginning(self, case: Data, begins: Opening) -> None:
        """The two starting edges lie opposite each other (strikeops.setup.deployment-zones)."""
        see_edges(case, begins, ZONES)

    def given(self, begins: Opening) -> Mapping[str, int | str]:
        """In a case the order may be given instead of drawn."""
        return {ORDER_GIVEN: begins.turn_number} if begins.turn and not begins.next else {}

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """Put the board and its terrain on the table."""
        played, ready = scenario_of(battle.table), battle.table.options.get(BOARD_OPTION)
        also = [SELECTION, NUMBERS, OBJECTIVES, *CITED[played], *((THIS_IS_WAR,) if played == WAR else ())]
        also += [READY_BOARDS, BOARDS[str(ready)]] if ready in BOARDS else []
        also += [READY_BATTLES] if READY in battle.table.options else []
        lay_board(battle, ground, BOARD, ORDER, SCALE, *LAID_BY, *also, placed=lain)

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """A model with its squad; one of which none is said is a squad of its own."""
        thing = fielded.thing
        called = thing.unit or f"{thing.id} squad"
        if any(one.name == called for side in form.sides.values() for one in side.force):
            called = f"{called} squad"  # a model is called so
        squad = _own(battle.table, thing.side, called)
        if squad not in battle.table.things:
            kind = _kind_of(fielded.form, form.sides[thing.side].roster)
            states = {str(StateName.SQUAD_TYPE): Mark(kind, Until.GAME)} if kind else {}
            if fielded.form.options.get(CARD_OPTION) == CARD_ASSIGNED:
                states[StateName.ASSIGNED] = Mark(1, Until.GAME)
            made = Thing(ThingId(squad), kind="unit", side=thing.side, label=_spoken(called), states=states)
            battle.happens(Placed(squad, Off(), made=made, rule=SQUAD.id, detail=citing(FORCE_GROUP)))
        n = next(n for n, one in enumerate(force, 1) if one is fielded)
        label = fielded.form.name or f"{fielded.card.name} {thing.side[0].upper()}{n}"
        counts = {CountName.AMMO_BIN: rating(thing, "ammo_bin"), **thing.counts}
        kept = {what: number for what, number in counts.items() if number or what == CountName.AP}
        track = stats(thing).damage_tracks + 1
        states, small = dict(thing.states), form.options.get(HALVED) in YES
        fallen = {StateName.OUT_OF_ACTION: thing.harm >= track, StateName.SMALL_BOARD: small}
        states |= {str(state): Mark(1, Until.GAME) for state, holds in fallen.items() if holds}
        states |= {state: _silent(states[state]) for state in SILENCED if state in states}
        if StateName.OUT_OF_ACTION in states or StateName.ABANDONED in states:
            states.setdefault(StateName.STATIONARY, Mark(1, Until.GAME))
        if StateName.OVERWATCH in states:
            states[StateName.OVERWATCH] = laid_watch(states[StateName.OVERWATCH], thing.counts.get(CountName.AP))
            states.setdefault(StateName.STATIONARY, Mark(1, Until.NEXT_ACTIVATION))
        made = replace(thing, unit=squad, label=label, track=track, counts=kept, states=states)
        detail = citing(BASES, MODEL, FACING, HEIGHTS, *((SMALL_BOARD,) if small else ()))
        battle.happens(Placed(thing.id, thing.place, thing.facing, made=made, rule=FORCES.id, detail=detail))

    def give_baseline(self, battle: Battle, side: Side, edge: str) -> None:
        """A side's starting edge, as a case gives it."""
        give(battle, side, StateName.EDGE, ZONES, edge, until=Until.GAME)

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin by the rules, or with the squads of those whom a case names."""
        begins = begun.begins
        for side in battle.table.sides:
            said = begun.form.sides[side].options.get(POINTS)
            fill_pool(battle, side, None if said is None else int(str(said)))
            bonus = int(str(begun.form.sides[side].options.get(BONUS_OPTION, 0)))
            if bonus:
                battle.happens(Counted(side, CountName.BONUS_CARDS, 0, bonus, rule=BONUS_CARDS.id))
        DRAW_DECK.assemble(battle, assigned=bool(begins.turn or begins.next))
        if begins.turn or begins.next:
            battle.happens(PhaseBegan(begins.turn_number, ACTIVATION, rule=ACTIVATION_PHASE.id))
            for model in battle.table.models():
                if CountName.AP not in model.counts:
                    refill(battle, model)
            acting = list(dict.fromkeys(battle.table[model].unit for model in begins.turn))
            steps: list[Step] = [ActivateSquad(squad) for squad in acting]
            if begins.next:
                acted = [battle.table[squad].side for squad in acting]
                DRAW_DECK.lay(battle, begins.next, acted)
                battle.push(*(steps or [DrawCard()]))
            else:
                battle.push(*steps, EndPhase())
        else:
            reveal_forces(battle, begun.form)
            for brings, what, why in warned_of(battle.table):
                battle.happens(Declared(brings, what, rule=why.id))
            secret = (ChooseTurns(),) if scenario_of(battle.table) == TIME else ()
            roles = (RollForRoles(),) if battle.table.options.get(ATTACKER) == ROLL_OFF else ()
            doubt = (SettleQuestion(),) if QUESTION in battle.table.options else ()
            battle.push(*doubt, *roles, *secret, *opening_steps(battle.table))


def _silent(mark: Mark) -> Mark:
    """Which types of weapon cannot fire, as a model is laid out with them: one or several, in any spelling."""
    said = (mark.value,) if isinstance(mark.value, str) else mark.value
    if not isinstance(said, list | tuple):
        return mark
    return replace(mark, value=tuple(re.sub(r"[\s-]+", "_", str(one).strip()).casefold() for one in said))


def reveal_forces(battle: Battle, form: Scenario) -> None:
    """Both sides show what they bought, one list after the other; who bought nothing has nothing to show.

    strikeops.setup.declare-forces                  models, squads and what they cost
    strikeops.forces.starting-threat-value-guide    where the pool was worked out by it
    """
    for side, one in form.sides.items():
        for words, built_by in shown(one.roster) if one.roster is not None else ():
            guide = (GUIDE_RULE,) if GUIDE in form.options and POOL_RULE in built_by else ()
            what = f"{side}: {FORCE_GROUP_SHOWN}"
            battle.happens(Revealed(what, words, rule=FORCES.id, detail=citing(*built_by, *guide)))


def lain(piece: Piece) -> Placed:
    """A piece of terrain that lies there from the beginning, with the rules it brings into play."""
    rules = citing(*LIES_BY.get(piece.kind, (KIND_RULES[piece.kind],)))
    return Placed(piece.id, Off(), piece=piece, rule=BOARD.id, detail=rules)


def _kind_of(form: ModelForm, roster: Roster | None) -> str:
    """The type of a model's squad, by the roster or by what the model says."""
    said = str(form.options.get(SQUAD_OPTION, ""))
    bought = [] if roster is None else [unit.kind for unit in roster.units if unit.name == form.unit]
    kind = said or (bought[0] if bought else "")
    return kind if kind in squad_types() else ""


def _agreed(form: Scenario) -> Scenario:
    """A form with its pool: what it says, what its ready battle is played for, or more that rosters name.

    strikeops.scenarios.ready-battles    it also says for how many turns, if nothing else is agreed on
    """
    said = [int(str(form.options[POOL]))] if POOL in form.options else []
    if GUIDE in form.options:
        said.append(guided(str(form.options[GUIDE])))
    if READY in form.options:
        ready = READY_BATTLES.at("battles", str(form.options[READY]))
        said.append(ready.number("pool"))
        if ready.has("turns") and ready.text_at("scenario").replace("_", "-") == form.options.get(SCENARIO):
            form = replace(form, turn_limit=ready.number("turns") if form.turn_limit is None else form.turn_limit)
    said += [one.roster.limit for one in form.sides.values() if one.roster is not None and one.roster.limit]
    return replace(form, options={**form.options, POOL: str(max(said))}) if said else form


def first(force: Sequence[ModelForm], most: int) -> tuple[ModelForm, ...]:
    """The models of the first so many squads of a force."""
    kept = list(dict.fromkeys(one.unit for one in force))[:most]
    return tuple(one for one in force if one.unit in kept)


def _own(table: Table, side: Side, called: str) -> str:
    """The id of a squad: what it is called, with its side before it where somebody else is called so."""
    other = table.things.get(called)
    return called if other is None or (other.kind, other.side) == ("unit", side) else f"{side} {called}"


def _spoken(name: str) -> str:
    return " ".join(word if word.isupper() else word.capitalize() for word in name.split("-"))


# The end ----------------------------------------------------------------------------------------------------------


def end_phase(battle: Battle) -> Procedure[None]:
    """See who has won, take the cards of lost squads away, and begin the next turn.

    strikeops.scenarios.this-is-war    the last side with a model in play
    strikeops.scenarios.long-stop      after so many turns the higher quotient of what is left
    """
    yield from ()
    table = battle.table
    battle.happens(PhaseBegan(table.turn, END, rule=END_PHASE.id))
    clear_smoke_of_the_gone(battle)
    if scenario_of(table) != WAR:
        if shows_turns(table):
            show_turns(battle)
        found = verdict(table)
        if found is not None:
            _over(battle, found.winner, found.rule, graded(table, found.winner, found.reason), found.points)
            return
        DRAW_DECK.restore(battle)
        battle.push(StartPhase())
        return
    winner = last_side_standing(table, lambda side: remains(table, side))
    if winner is not None:
        reason = f"{winner} is the last side with a model in play" if winner else "no side has a model in play"
        _over(battle, winner, THIS_IS_WAR if winner else ELIMINATED, graded(table, winner, reason))
        return
    if table.turn >= last_turn(table):
        _count(battle)
        return
    DRAW_DECK.restore(battle)
    battle.push(StartPhase())


def _over(battle: Battle, winner: Side, rule: Rule, reason: str, points: Mapping[Side, int] | None = None) -> None:
    """Tell that the battle is over, and by what its level was counted.

    strikeops.scenarios.side-eliminated    a side without models ends it, and the scenario says who has won
    strikeops.scenarios.turn-limit         so does the end of the last turn
    """
    table = battle.table
    gone = not all(stands(table, side) for side in table.sides)
    over = (LASTS.get(scenario_of(table), LONG_STOP),) if table.turn >= last_turn(table) else ()
    also = citing(LEVELS, *COUNTED_BY, *over, *((ELIMINATED,) if gone else ()))
    battle.happens(BattleEnded(winner, dict(points or {}), reason, rule=rule.id, detail=also))


def _count(battle: Battle) -> None:
    """The side with more of its pool left wins (strikeops.victory.winner-by-points); equal quotients are a draw."""
    left = {side: quotient(battle.table, side) for side in battle.table.sides}
    best = max(left.values())
    first = [side for side, share in left.items() if share == best]
    points = {side: int(share * 1000) for side, share in left.items()}
    winner = first[0] if len(first) == 1 else NO_SIDE
    reason = graded(battle.table, winner, "the last turn is over; what is left of the pools decides")
    _over(battle, winner, LONG_STOP, reason, points)


def parts_of(name: str) -> dict[str, object]:
    """What a scenario defines, part by part (strikeops.scenarios.parts)."""
    form = find_scenario(name, ledger("strikeops")).value
    played = str(form.options.get(SCENARIO, WAR))
    shares = {role: str(share(played, attacks=role == ATTACKER)) for role in (ATTACKER, DEFENDER)}
    deployed = form.deployment or str(form.options.get(DEPLOYMENT, "standard"))
    values = (form.about.partition(".")[0], shares, form.rules, deployed, form.victory)
    return dict(zip(PARTS.texts("parts"), values, strict=True))


CHAPTER = Chapter(
    values={
        "scenario-parts": lambda table, asked: parts_of(asked.text_at()),
        "deck-refused": lambda table, asked: "no" if (one := refused_deck(asked.text_at())) is None else one.rule,
    },
    steps={
        EndPhase: lambda battle, step: end_phase(battle),
    },
    options={
        SQUAD_OPTION: f"the type of its squad: {', '.join(squad_types())}; the one it fits if nothing is said",
        CARD_OPTION: f"{CARD_ASSIGNED}: its squad has one card of the deck, which is assigned to it",
    },
)
