"""Playing Command Cards: windows in which both sides may lay cards open, last laid resolved first."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited
from sandtable.engine.ids import Side
from sandtable.engine.questions import Option, React, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.behemoths.zones import GENERAL
from sandtable.rulesets.dropzone.command.cards import CARDS, DECK, HANDS, Design, copies_unseen, designs, in_use
from sandtable.rulesets.dropzone.command.influence import INFLUENCE, affected, reaches
from sandtable.rulesets.dropzone.shooting.aiming import ABOARD
from sandtable.rulesets.dropzone.units import is_behemoth
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.hands import PLAYED_ON

#: The topic of every window for cards: what differs is its moment.
CARD_TOPIC = "card"
#: The moment at which cards answer cards.
CARD_PLAYED = "card_played"
ON = " on "


class Play(NamedTuple):
    """A card that takes effect: whose, which, and on what."""

    side: Side
    design: Design
    target: str


#: What a side may play a card on, by what everybody sees.
Targets = Callable[[Side, Design], Sequence[Thing]]


def countered(table: Table, side: Side) -> Thing | None:
    """The card that a side may answer: the last that was laid, if the enemy laid it."""
    cards = HANDS.lying(table)
    return cards[-1] if cards and cards[-1].side != side else None


def _open_to(table: Table, side: Side, moment: str, targets: Targets) -> list[tuple[Design, list[Thing]]]:
    """The cards that could be played now if a side held them, and on what: as everybody knows."""
    found = []
    for design in designs().values():
        if not copies_unseen(table, side, design):
            continue
        if design.moment == moment:
            found.append((design, [*targets(side, design)]))
        elif design.moment == CARD_PLAYED and (last := countered(table, side)) is not None:
            found.append((design, [last]))
    return found


def refused_card(table: Table, side: Side, design: Design, target: str) -> Refusal | None:
    """Why a card may not be played on something."""
    if not design.everywhere and not affected(table, table[target]):
        return Refusal(ABOARD.id, f"{table[target].label} is aboard a Transport and cannot be affected.")
    if not design.everywhere and not reaches(table, side, table[target]):
        return Refusal(INFLUENCE.id, f"{table[target].label} is outside your Influence.")
    thing = table.things.get(target)
    units = [] if thing is None else table.members(target) if thing.kind == "unit" else [thing]
    named = design.data.has("types") and "behemoth" in design.data.texts("types")
    if not named and any(is_behemoth(one) for one in units):
        return Refusal(GENERAL.id, f"{design.name} does not name Behemoths.")
    return None


def able(table: Table, side: Side, moment: str, targets: Targets) -> bool:
    """Whether everybody must reckon with a card of a side now: it has a hand, and some card could be played."""
    return bool(HANDS.hand(table, side)) and any(
        refused_card(table, side, design, target.id) is None
        for design, found in _open_to(table, side, moment, targets)
        for target in found
    )


def _named(design: Design, target: Thing) -> str:
    return design.id if target.kind == "side" else f"{design.id}{ON}{target.id}"


def read_option(option: str) -> tuple[Design, str]:
    """The card and its target, by the option that plays it."""
    name, _, target = option.partition(ON)
    return designs()[name], target


def play_cards(
    battle: Battle,
    moment: str,
    prompt: str,
    targets: Targets,
    *,
    about: tuple[str, ...] = (),
    facts: Mapping[str, int] | None = None,
    because: int = 0,
) -> Procedure[list[Play]]:
    """Let both sides lay cards open until both pass; give those that take effect, the last laid first.

    dropzone.command.command-cards    each player in turn adds a card or passes; then the last is resolved first

    Who has no card, or could not play any whatever he holds, is not asked; everybody else is, so that being asked tells
    nothing of a hand.
    """
    table = battle.table
    if not in_use(table) or not any(able(table, side, moment, targets) for side in table.sides):
        return []

    def ways(side: Side, laid: Sequence[Reacted]) -> list[ReactOption]:
        held = {one.card: one for one in HANDS.hand(battle.table, side)}
        return [
            ReactOption(
                _named(design, target),
                design.name if target.kind == "side" else f"{design.name}: {target.label}",
                held[design.id].id,
                rules=(DECK.id, CARDS.id),
            )
            for design, found in _open_to(battle.table, side, moment, targets)
            if design.id in held
            for target in found
        ]

    def tell(reacted: Reacted) -> None:
        design, target = read_option(reacted.reaction.option)
        card = next(one for one in HANDS.hand(battle.table, reacted.side) if one.card == design.id)
        n = HANDS.lay_open(battle, card, CARDS, target)
        battle.happens(Declared(reacted.side, design.id, (target,) if target else (), rule=DECK.id, because=n))

    yield from reaction_window(
        battle,
        moment=moment,
        topic=CARD_TOPIC,
        prompt=prompt,
        options=ways,
        rules=(CARDS.id, DECK.id, INFLUENCE.id),
        about=about,
        blind=lambda side: able(battle.table, side, moment, targets),
        facts=dict(facts or {}),
        shows=("odds",),
        because=because,
        tell=tell,
    )
    return _resolved(battle)


def _resolved(battle: Battle) -> list[Play]:
    """What the cards that lie open come to, the last laid first; all of them are discarded."""
    effective: list[Play] = []
    without: set[str] = set()
    for card in reversed(HANDS.lying(battle.table)):
        design, target = designs()[card.card], str(card.value(PLAYED_ON) or "")
        n = 0
        if card.id in without:
            n = battle.happens(Forfeited(card.side, design.id, rule=DECK.id))
        elif design.moment == CARD_PLAYED:
            without.add(target)
        else:
            effective.append(Play(card.side, design, target))
        HANDS.put_away(battle, card, CARDS, n)
    return effective


def refused_option(view: View, question: React, option: Option) -> Refusal | None:
    """Why a card on offer may not be played now."""
    design, target = read_option(option.id)
    return refused_card(view.table, view.side, design, target)


CHAPTER = Chapter(
    refusals={CARD_TOPIC: refused_option},
    answers={CARD_TOPIC: "a Command Card and what it is played on: `steady-aim on A`, `take-the-initiative`; or pass"},
)
