"""From a scenario, or a case, to the first question: the set-up of a battle, and how it is laid on the table.

A ruleset makes a subclass of `Opener`, names it in its book and says there what differs: what a battle may be told,
what else must be right, who is brought how, and what happens first.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import BOARD, Placed
from sandtable.engine.ids import BLUE, NO_SIDE, RED, PieceId, Side
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import In, Off, rectangle
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.forces.case_table import TABLE_KEYS, Opening, opening, see_keys, told_by_its_line
from sandtable.forces.data import Data
from sandtable.forces.files import ScenarioError, nearest
from sandtable.forces.ledger import Rule, citing
from sandtable.forces.models import UNDEPLOYED, BattleOptions, Fielded, ModelForm, Options
from sandtable.forces.reading import Fail, Loaded
from sandtable.forces.roster import Roster
from sandtable.forces.scenario import Laid, MarkerForm, Scenario, SideForm, find_scenario, lay_out
from sandtable.forces.terrain import BoardForm
from sandtable.tabletop.rosters import with_rosters

if TYPE_CHECKING:
    from sandtable.tabletop.book import Book

#: What a set-up keeps of a case beside its table: plain data by key.
Kept = Mapping[str, Any]
#: The keys of a case that has markers, or sides of which something is said; beside `TABLE_KEYS`.
MORE_KEYS = {
    "markers": "[{kind: objective, as: M, at: [x, y]}]: what lies on the table",
    "sides": "{red: {motivation: low}}: what a side is like",
}
TURN_LIMIT = "turn-limit"
#: A switch of cases: nothing is done by default, so that a case stops where somebody has to choose what to do next.
NOTHING_BY_DEFAULT = "nothing by default"


def by_default(table: Table, option: str) -> str | None:
    """What declining takes; nothing where a case wants to be asked."""
    return None if table.options.get(NOTHING_BY_DEFAULT) else option


class Begun(NamedTuple):
    """A set-up read again: its form, the form laid out, who begins, and the set-up itself."""

    form: Scenario
    laid: Laid[Any]
    begins: Opening
    setup: Setup


class Opener:
    """How battles of a ruleset are opened. Everything but `bring` and `begin` may stay as it is here."""

    #: The scenario that is played where none is named.
    default: ClassVar[str] = ""
    #: The sides a case may have, and how many a scenario must have; 0: any number.
    sides: ClassVar[tuple[Side, ...]] = (RED, BLUE)
    sides_of_a_scenario: ClassVar[int] = 0
    #: What a case may say of a side (`sides`), and the kinds of its markers, each with what it means; none: anything.
    side_options: ClassVar[Mapping[str, str]] = {}
    marker_kinds: ClassVar[Mapping[str, str]] = {}
    #: What `traits` of a piece of terrain the ruleset knows, each with what it means; none: any.
    piece_traits: ClassVar[Mapping[str, str]] = {}
    #: What acts: "models" or "units".
    acting: ClassVar[str] = "models"
    #: The keys of a case, and of an entry of a force beyond the usual ones, with what they say.
    keys: ClassVar[Mapping[str, str]] = TABLE_KEYS
    model_keys: ClassVar[Mapping[str, str]] = {}
    #: Those options of a side that bring a force of their own, so that a case need not list any.
    bring_forces: ClassVar[Sequence[str]] = ()
    #: What a battle may be told beside the switches of the chapters.
    battle_options: ClassVar[Mapping[str, str]] = {}
    #: Which options, of a battle or a side, are numbers; a limit of turns only where the rules know one.
    numbers: ClassVar[Sequence[str]] = (TURN_LIMIT,)
    #: The rule by which the board lies there, and terrain on it.
    board_rule: ClassVar[Rule]

    def __init__(self, book: "Book") -> None:
        self.book = book

    # What differs ------------------------------------------------------------------------------------------------

    def see(self, form: Scenario, fail: Fail) -> None:
        """Refuse a scenario or case that the rules could not go by, beyond what all rulesets refuse."""

    def see_scenario(self, form: Scenario, fail: Fail) -> None:
        """Refuse what only a case may lay out; `see` has found nothing."""

    def see_room(self, laid: Laid[Any], fail: Fail) -> None:
        """Refuse a scenario whose forces could not stand on its board."""

    def prepared(self, form: Scenario, size: int = 0) -> Scenario:
        """A form with what the ruleset adds to it."""
        return form

    def read_case(self, case: Data) -> tuple[Data, Kept]:
        """A case in the usual form, and what the set-up keeps of what went beyond it."""
        return case, {}

    def ready_board(self, options: BattleOptions) -> BoardForm | None:
        """The board that the options of a case name, where it lays out none."""
        return None

    def edges(self, board: BoardForm) -> Sequence[str]:
        """The edges that a side may start from."""
        return ("north", "south")

    def given(self, begins: Opening) -> Mapping[str, int | str]:
        """The options of a battle that is a case: it stops where somebody has to choose what to do next."""
        return {NOTHING_BY_DEFAULT: 1}

    def see_beginning(self, case: Data, begins: Opening) -> None:
        """Refuse a case that begins in a way that the ruleset does not know."""

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """Put the board and its terrain on the table."""
        lay_board(battle, ground, self.board_rule)

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """Bring one entry of a force: where it stands, by the rule of the board, unless a ruleset says otherwise."""
        one = fielded.thing
        battle.happens(Placed(one.id, one.place, made=one, rule=self.board_rule.id))

    def lay_marker(self, battle: Battle, marker: Thing) -> None:
        """Put a marker on the table."""
        battle.happens(Placed(marker.id, marker.place, made=marker, rule=self.board_rule.id))

    def lay_rest(self, battle: Battle, begun: Begun) -> None:
        """Put on the table what is there beside board, forces and markers."""

    def give_baseline(self, battle: Battle, side: Side, edge: str) -> None:
        """Tell that an edge is a side's."""

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Push the first steps: by the rules, or with those whom a case names."""
        raise NotImplementedError

    # What is alike -----------------------------------------------------------------------------------------------

    def lay_out(self, form: Scenario, fail: Fail, size: int = 0) -> Laid[Any]:
        """The ground and the models of a form."""
        assert self.book.cards is not None, f"{self.book.name} has no cards"
        words = self.book.model_words
        laid = lay_out(form, self.book.cards, self.book.terrain, fail, size=size, words=words, high=self.high)
        self._see_holders(laid, fail)
        return laid

    def _see_holders(self, laid: Laid[Any], fail: Fail) -> None:
        """Refuse models that are in what is not there, in one another, or in a slot that nothing has."""
        holders = {str(piece.id): self.slots(piece) for piece in laid.ground.pieces}
        places = {str(one.thing.id): one.thing.place for force in laid.models.values() for one in force}
        for side, force in laid.models.items():
            for one in force:
                place, inside = one.thing.place, [str(one.thing.id)]
                while isinstance(place, In):
                    holder, slots = place.holder, holders.get(place.holder, ())
                    below = fail.under("sides", side, "force", one.entry)
                    if holder in inside:
                        raise below(f"`{inside[0]}` is in itself", "say where it is", "in")
                    if holder not in places and holder not in holders:
                        raise below(f"there is no `{holder}` to be in", nearest(holder, (*places, *holders)), "in")
                    if place.slot and slots and place.slot not in slots:
                        raise below(f"`{holder}` has no `{place.slot}`", nearest(place.slot, slots), "slot")
                    inside.append(holder)
                    place = places.get(holder, UNDEPLOYED)

    def slots(self, piece: Piece) -> Sequence[str]:
        """Where in a piece of terrain models may be; none: anywhere."""
        return ()

    def high(self, fielded: Fielded[Any]) -> int:
        """Who is in the air: none of those overlaps anybody on the ground."""
        return 0

    def setup(
        self,
        scenario: str = "",
        size: int = 0,
        rosters: Mapping[Side, Loaded[Roster]] | None = None,
        forces: Side = NO_SIDE,
    ) -> Setup:
        """The set-up of a scenario by name or file, in which sides may bring rosters instead of its own forces.

        With `forces` all sides field the force of that one.
        """
        loaded = find_scenario(scenario or self.default, self.book.ledger)
        form, fail = with_rosters(self.book, loaded.value, rosters or {}), loaded.fail
        if forces:
            same = {name: replace(form.sides[forces], zone=own.zone) for name, own in form.sides.items()}
            form = replace(form, sides=same)
        if self.sides_of_a_scenario not in (0, len(form.sides)):
            raise fail(f"there are {len(form.sides)} sides", f"{self.sides_of_a_scenario} would do", "sides")
        self.lay_out(form, fail, size)
        self._see_options(form.options, fail)
        self.see(form, fail)
        self.see_scenario(form, fail)
        form = self.prepared(form, size)
        self.see_room(self.lay_out(form, fail, size), fail)
        return Setup(tuple(form.sides), {"form": msgspec.to_builtins(form)}, _options(form), size)

    def case(self, case: Data) -> Setup:
        """The set-up of a case: its board, its models as they stand, and who acts (`turn`), one after another."""
        case, kept = self.read_case(case)
        see_keys(case, self.sides, self.keys)
        said = case.read(dict[str, Options], "sides") if case.has("sides") else {}
        named = [*case.names(), *(name for name, given in said.items() if set(self.bring_forces) & set(given))]
        sides = {
            Side(name): SideForm(
                force=case.read(tuple[ModelForm, ...], name) if case.has(name) else (), options=said.get(name, {})
            )
            for name in dict.fromkeys(named)
            if name in self.sides
        }
        options: BattleOptions = case.read(BattleOptions, "options") if case.has("options") else {}
        self._see_options(options, case.fail, *(one for one in self.numbers if one == TURN_LIMIT))
        markers = case.read(tuple[MarkerForm, ...], "markers") if case.has("markers") else ()
        self._see_sides_and_markers(case, sides, said, markers)
        board = case.read(BoardForm, "board") if case.has("board") else self.ready_board(options)
        if board is None:
            raise case.fail("there is no `board`", "add one, such as {width: 48, height: 48}")
        fail = told_by_its_line(case, self.sides)
        for n, piece in enumerate(() if isinstance(board.terrain, str) else board.terrain):
            for word in piece.traits if self.piece_traits else ():
                if word not in self.piece_traits:
                    found = f"terrain has no trait `{word}`"
                    raise case.fail(found, nearest(word, self.piece_traits), "board", "terrain", n, "traits", word)
        form = Scenario(ruleset=self.book.name, name="case", board=board, sides=sides, options=options, markers=markers)
        self.see(form, fail)
        form = self.prepared(form)
        self.lay_out(form, fail)
        begins = opening(case, sides, self.acting, self.edges(board))
        self.see_beginning(case, begins)
        for side in sides.values():
            for word in [word for entry in side.force for word in entry.options]:
                if word not in self.book.unit_options:
                    found = f"one of the {self.acting} has no option `{word}`"
                    raise case.fail(found, nearest(word, self.book.unit_options))
        scenario = {"form": msgspec.to_builtins(form), **begins.told(), **kept}
        return Setup(tuple(sides), scenario, {**_options(form), **self.given(begins)})

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay the board, bring the forces, and begin."""
        form = msgspec.convert(setup.scenario["form"], Scenario)
        laid = self.lay_out(form, Fail("set-up", error=ScenarioError), setup.size)
        begun = Begun(form, laid, Opening.of(setup.scenario), setup)
        self.lay_ground(battle, laid.ground)
        for force in laid.models.values():
            for fielded in force:
                self.bring(battle, fielded, force, form)
        for marker in laid.markers:
            self.lay_marker(battle, marker)
        self.lay_rest(battle, begun)
        for side, edge in begun.begins.baselines.items():
            self.give_baseline(battle, side, edge)
        self.begin(battle, begun)

    def _see_sides_and_markers(
        self, case: Data, sides: Collection[str], said: Mapping[str, Options], markers: Sequence[MarkerForm]
    ) -> None:
        for side, options in said.items():
            if side not in sides:
                known = side in self.sides
                remedy = f"add the {self.acting} of a side, `{side}: […]`" if known else nearest(side, self.sides)
                raise case.fail(f"`{side}` in `sides` is no side of this case", remedy, "sides", side)
            for word in options if self.side_options else ():
                if word not in self.side_options:
                    found = f"nothing is known of a side by `{word}`"
                    raise case.fail(found, nearest(word, self.side_options), "sides", side, word)
            self._see_numbers(options, case.fail, "sides", side)
        for n, marker in enumerate(markers if self.marker_kinds else ()):
            if marker.kind not in self.marker_kinds:
                found = f"there is no marker of the kind `{marker.kind}`"
                raise case.fail(found, nearest(marker.kind, self.marker_kinds), "markers", n, "kind")

    def _see_options(self, options: BattleOptions, fail: Callable[..., Exception], *more: str) -> None:
        known = (*self.book.switches, *self.battle_options, *more)
        for word in options:
            if word not in known:
                raise fail(f"there is no option `{word}`", nearest(word, known), "options", word)
        self._see_numbers(options, fail, "options")

    def _see_numbers(self, options: Mapping[str, Any], fail: Callable[..., Exception], *path: str) -> None:
        for word in self.numbers:
            if word in options and not (isinstance(options[word], int) and options[word] >= 0):
                raise fail(f"`{word}` is {options[word]!r}", "a whole number from 0 would do", *path, word)


def lay_board(
    battle: Battle,
    ground: Ground,
    board_rule: Rule,
    *also: Rule,
    placed: Callable[[Piece], Placed] | None = None,
) -> None:
    """Put the board and its terrain on the table; `placed` says how a piece is told, where not by the board's rule."""
    board = Piece(PieceId("board"), BOARD, rectangle(0, 0, ground.width, ground.height))
    battle.happens(Placed("board", Off(), piece=board, rule=board_rule.id, detail=citing(*also)))
    for piece in ground.pieces:
        told = Placed(piece.id, Off(), piece=piece, rule=board_rule.id) if placed is None else placed(piece)
        battle.happens(told)


def _options(form: Scenario) -> dict[str, int | str]:
    given: dict[str, int | str] = {TURN_LIMIT: form.turn_limit} if form.turn_limit is not None else {}
    return {**given, **{name: value for name, value in form.options.items() if isinstance(value, int | str)}}
