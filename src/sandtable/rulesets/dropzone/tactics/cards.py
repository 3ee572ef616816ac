"""What a Command Card is worth at the moment at which it may be played."""

from collections.abc import Iterator

from sandtable.engine.ids import Side
from sandtable.engine.questions import React, Reaction
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.basics import FACES
from sandtable.rulesets.dropzone.command.cards import HANDS, designs
from sandtable.rulesets.dropzone.command.effects import FAILED, under
from sandtable.rulesets.dropzone.command.playing import CARD_PLAYED, Play, read_option
from sandtable.rulesets.dropzone.previews.cards import shots_of, words_of
from sandtable.rulesets.dropzone.tactics.worth import POINT, expected, price, value_of_damage
from sandtable.rulesets.dropzone.units import inside
from sandtable.tabletop.hands import PLAYED_ON
from sandtable.tabletop.opponent import Idea

#: What a card must bring at least, for it is gone then; what a search that is a sixth likelier is worth, and the lead.
KEPT, SOONER, LEAD = 3 * POINT, 1300, 800


def card_ideas(table: Table, question: React) -> Iterator[Idea]:
    """Every card that may be played now with what it brings, and to keep them all."""
    yield Idea(None, "keep the cards", (("for later", KEPT),))
    for option in question.options:
        design, target = read_option(option.id)
        play = Play(question.side, design, target)
        yield Idea(Reaction(option.id), option.label, ((design.name, worth_of(table, question, play)),))


def worth_of(table: Table, question: React, play: Play) -> int:
    """What a card brings, in thousandths of a point of harm."""
    side, moment = play.side, play.design.moment
    if moment == CARD_PLAYED:
        return _of_the_last(table, question)
    match moment:
        case "shooting_declared":
            return _of_shots(table, question, play)
        case "damage_rolled":
            return _of_dice(table, question, side)
        case "hits_rolled":
            return question.facts["hits"] * price(table, table[play.target]) // 4
        case "initiative_rolled":
            others = [question.facts[one] for one in table.sides if one != side]
            return LEAD if question.facts[side] < max(others) else 0
        case "search":
            return SOONER
        case "moving_declared":
            return 0 if play.design.data.has("no_shooting") else 2 * KEPT
        case "transport_destroyed":
            return _aboard(table, table[question.about[0]]) // 2 if question.about else SOONER
        case "garrison_damaged":
            held = inside(table, play.target)
            return sum(price(table, one) * (1 if one.side != side else -1) for one in held) // 10
        case _:  # a test that is passed, a wreck mended, Infantry dug in
            return 2 * KEPT


def _aboard(table: Table, unit: Thing) -> int:
    return sum(price(table, one) for one in inside(table, unit.id))


def _of_shots(table: Table, question: React, play: Play) -> int:
    """By how much the declared shots are expected to do more, or less where they are the enemy's."""
    total = 0
    for shot in shots_of(table[question.about[0]]):
        mark, by = table[shot.target], table[shot.unit].side
        after, before = (expected(table, one) for one in (under(table, shot, play), shot))
        gain = value_of_damage(table, by, mark, after) - value_of_damage(table, by, mark, before)
        total += gain if by == play.side else -gain
    return total


def _of_dice(table: Table, question: React, side: Side) -> int:
    """What failed damage dice are expected to do when they fall again."""
    rows = [words.split(" ") for words in words_of(table[question.about[0]], FAILED)]
    return sum(
        value_of_damage(table, side, table[target], 1000 * int(failed) * int(faces) // len(FACES))
        for target, failed, faces in rows
    )


def _of_the_last(table: Table, question: React) -> int:
    """What it is worth to undo the card that the enemy has laid last: what that one brings him."""
    last = HANDS.lying(table)[-1]
    if designs()[last.card].moment != question.moment:
        return 0
    return worth_of(table, question, Play(last.side, designs()[last.card], str(last.value(PLAYED_ON))))
