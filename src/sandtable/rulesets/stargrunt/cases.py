"""The words of this ruleset's conformance cases: those of its chapters, its weapons, and what its values mean."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, In, Point
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.directions import rounded
from sandtable.forces.data import Data
from sandtable.forces.files import Node
from sandtable.rulesets.stargrunt.actions.activation import DONE
from sandtable.rulesets.stargrunt.fire.armament import GUN_STATE
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.forces.squads import figure_names
from sandtable.rulesets.stargrunt.scenario.setup import VALUES
from sandtable.rulesets.stargrunt.units.record import REGROUPED, counters, fit, hull_of, standing
from sandtable.rulesets.stargrunt.vehicles.transport import hull_name
from sandtable.rulesets.stargrunt.weapons import COUNTED, SMALL, SUPPORT
from sandtable.tabletop.case_words import BookWords
from sandtable.tabletop.face_down import lies_under


class StargruntWords(BookWords):
    """What a case may say."""

    def start(self, case: Data) -> Setup:
        """Values of the set-up that stand in the ledger may be written with other capitals: `motivation: High`."""
        whole = case.node.value
        return super().start(case.renamed({**whole, **_as_known(case.node)}) if isinstance(whole, dict) else case)

    @property
    def dice_names(self) -> Mapping[str, Sequence[str]]:
        """Recon by fire and sniper fire are fire, and the die of a building under fire is a Range Die."""
        return {"recon by fire": ("fire",), "sniper fire": ("fire",), "building": ("range",)}

    def as_told(self, table: Table, thing: Thing) -> Thing:
        """A vehicle is its hull and its own crew; a squad stands where its centre is (stargrunt.cover.measuring).

        A squad whose figures are all aboard one vehicle is in it. A vehicle whose crew has got out has the states of
        its hull, and one that is out of action is gone in the way its hull is; a squad is gone as its figures are when
        none is left. A crew-served weapon is as its crew has it: set up, packed. What a counter is marked with is told
        of the unit under it, and what a unit has become by regrouping of the unit that has its figures now.
        """
        if thing.kind != "unit":
            return thing
        if getattr(thing.place, "why", "") == REGROUPED:
            return self.as_told(table, table[table[figure_names(thing.id, 1)[0]].unit])
        hull, figures = hull_of(table, thing.id), fit(table, thing.id)
        if hull is not None and vehicle(hull).own_crew:
            states = {**hull.states, **thing.states}
            return replace(hull, id=thing.id, states=states, counts={**hull.counts, **thing.counts})
        lost = table.things.get(hull_name(thing.id))
        gone = thing.gone or ("" if lost is None else lost.gone) or _whole_unit_gone(table, thing.id)
        over = [one.counts for one in counters(table, thing.side) if lies_under(one) == thing.id]
        marked = {what: count for counts in over for what, count in counts.items() if count}
        held = [word for word in COUNTED.values() if any(word in one.counts for one in figures)]
        loaded = {word: sum(one.count(word) for one in figures) for word in held}
        served = {str(thing.value(GUN_STATE)): Mark()} if thing.has(GUN_STATE) else {}
        states = {**({} if lost is None else lost.states), **thing.states, **served}
        thing = replace(thing, gone=gone, states=states, counts={**thing.counts, **marked, **loaded})
        aboard = list(dict.fromkeys(one.place for one in figures))
        if len(aboard) == 1 and isinstance(aboard[0], In):
            return replace(thing, place=aboard[0])
        spots = [one.place.point for one in standing(table, thing.id) if isinstance(one.place, At)]
        if not spots:
            return thing
        x, y = (rounded(sum(along), len(spots)) for along in zip(*spots, strict=True))
        return replace(thing, place=At(Point(x, y)))

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """To do nothing more is an action too; weapons are named by the ledger."""
        return {
            "actions": {
                DONE: "Nothing more",
                "shift": "of a hidden sniper: change places with a dummy",
                "show": "of a hidden sniper: show himself",
            },
            "outcomes": {"safe": "of somebody aboard", "a casualty": "of somebody aboard"},
            "counts": {"missiles of …": "rounds of one of several launchers"},
            "declared": dict.fromkeys(("jam …", "counter …", "spoof …", "spot … …"), "what EW markers are spent on"),
            "values": _MEANT,
            "weapons": {name: name.replace("_", " ") for name in (*SMALL, *SUPPORT)},
        }


def _as_known(node: Node) -> dict[str, Node]:
    """The keys of a mapping, the values that the ledger knows under them written as it writes them."""
    found: dict[str, Node] = {}
    for key, below in node.value.items() if isinstance(node.value, dict) else ():
        called = {word.casefold(): word for word in VALUES.get(key, ())}
        if isinstance(below.value, str):
            found[key] = Node(called.get(below.value.casefold(), below.value), below.line)
        elif isinstance(below.value, list):
            found[key] = Node(
                [Node(_as_known(one), one.line) if isinstance(one.value, dict) else one for one in below.value],
                below.line,
            )
        else:
            found[key] = Node(_as_known(below), below.line) if isinstance(below.value, dict) else below
    return found


def _whole_unit_gone(table: Table, unit: str) -> str:
    """How the figures of a unit are gone, the last of them, where nobody is left."""
    ways = [one.gone for one in table.things.values() if one.kind == "model" and one.unit == unit]
    return ways[-1] if ways and all(ways) else ""


#: What those values are whose function does not say so itself.
_MEANT = {
    "nearest": "the smallest die type that is not less than a count, 6.5",
    "standard-table": "the width and depth of a table, in thousandths of an inch",
    "multiplied": "what a score comes to that counts several times",
    "wall": "what crossing an obstacle of a kind costs, in thousandths of an inch",
    "mobility": "how far a mobility class moves, in thousandths of an inch, and its die",
    "weapon": "the line of a weapon in the ledger",
    "warhead": "[8, 12, 2]: the Impact Die of a warhead against figures, and that against vehicles with its multiplier",
    "burst-radius": "how far a burst reaches, in thousandths of an inch",
    "walls": "[12, 2]: the die of a building's walls and their Armour Class",
    "against-mines": "the die of the suspension of a vehicle, by its name, against mines",
    "air-defence": "the die of air defences of a level",
    "bears-from-air": "whether a target is in the arc of a craft's weapon, however near: `[A, weapon, B]`",
    "cards": "the units that a side fields",
    "capacity": "how many spaces a vehicle has",
}
