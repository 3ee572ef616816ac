"""Forged journals of every kind: each must be found by name, or be just what this program would have written."""

import random
from functools import cache

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.engine.records.replay import verified
from sandtable.engine.ruleset import Ruleset
from tests.attack.limits import in_time
from tests.engine.duel import Duel
from tests.engine.parley import Parley
from tests.engine.test_verified import FORGERIES, forged_snapshot
from tests.miniatures import ALL

#: Small rulesets: what is forged is the journal, and they are played again in a few milliseconds.
RULES: tuple[type[Ruleset], ...] = (Parley, Duel, *(type(one.ruleset) for one in ALL.values()))
SMALL: dict[str, type[Ruleset]] = {one.name: one for one in RULES}


@cache
def journals(which: int, answers: int) -> tuple[bytes, bytes]:
    """The journal of a battle after so many answers, without and with its snapshot."""
    rules = RULES[which]()
    setups = next((one.setups for one in ALL.values() if type(one.ruleset) is RULES[which]), ())
    battle = Battle(rules, *setups[:1], seed=which)
    bot = RandomBot(rules, which)
    for _ in range(answers):
        if battle.ended:
            break
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        assert battle.answer(bot.answer(battle.view(question.side), question), question.side) is None
    return battle.journal.encode(), battle.saved().encode()


def attack(number: int) -> str:
    """Forge a journal, by its number; gives what came of it."""
    chance = random.Random(f"forged {number}")
    which, answers = number % len(RULES), chance.randrange(1, 14)
    plain, saved = journals(which, answers)
    forge = FORGERIES[number // len(RULES) % len(FORGERIES)]
    data = saved if forge is forged_snapshot or chance.random() < 0.5 else plain
    forged = forge(data, chance)
    if forged == data:
        return f"{forge.__name__}: nothing was changed"
    with in_time(f"forged {number}"):
        try:
            verified(forged, RULES[which]())
        except (JournalDiverged, JournalError) as problem:
            words = str(problem)
        else:
            words = ""
    if words:
        assert "line" in words or "journal" in words, words
        return f"{forge.__name__}: found"
    if _is_said(data, forged):
        # What somebody said, or began with, may have been said: with another seed before a die has fallen it is the
        # journal of a battle that may have been, and nothing in it is untrue.
        return f"{forge.__name__}: another battle's own"
    earlier = [one for n in range(answers + 1) for one in journals(which, n)]
    assert forged in earlier, f"forged {number}: {forge.__name__} of {RULES[which].__name__} passes as genuine"
    return f"{forge.__name__}: an earlier moment"


def _is_said(data: bytes, forged: bytes) -> bool:
    """Whether two journals differ in their header, or in what somebody said, and in nothing else."""
    one, other = data.split(b"\n"), forged.split(b"\n")
    changed = [n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    said = (b'{"line":"header"', b'{"line":"answer"', b'{"line":"order"')
    return len(one) == len(other) and all(one[n].startswith(said) for n in changed)
