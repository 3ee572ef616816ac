"""Its ids as players say them, for logs and panels. What is not here is read as it stands, with spaces."""

from sandtable.rulesets.quickstart.close_combat import BREAK_PENALTY
from sandtable.rulesets.quickstart.datacard import catalogue
from sandtable.rulesets.quickstart.states import KNOCKDOWN, STUNNED_RECOVERY, SUPPRESSED_RECOVERY
from sandtable.rulesets.quickstart.turn.declaration import LABELS
from sandtable.rulesets.quickstart.words.looks import looks


def words() -> dict[str, str]:
    """Actions, states, and the weapons of the edition's cards.

    >>> words()["medium-mac-2"], words()["shoot"]
    ('second medium MAC', 'ranged assault')
    """
    said = {name: label[:1].lower() + label[1:] for name, label in LABELS.items()}
    said |= {state: look["words"] for state, look in looks().items() if state not in said}
    said |= {text: phrase for text, phrase in UNTIL.items() if text not in said}
    for card in catalogue().cards.values():
        for weapon in card.stats.weapons:
            said[weapon.id] = weapon.name
            said |= {f"{weapon.id}-{n}": f"{_nth(n)} {weapon.name}" for n in range(2, weapon.count + 1)}
    return said


#: What a log says of its actions and states in whole phrases.
PHRASES = {
    "does shoot": "{who} fires {tools} at {at}",
    "does target-lock": "{who} locks on {at}",
    "destroyed": "{who} [is|are] destroyed",
    "deflected": "the {tools} of {who} is deflected by {at}",
    "penetrated": "the {tools} of {who} penetrates {at}",
    "defensive-fire": "{who} answers {at} by defensive fire",
    "over-watch fire": "{who} fires at {at} from over-watch",
    "edge": "{who} starts from the {value} edge",
    "not target-lock": "{who} has no target lock any more",
}


#: Until when a state lasts, as it is said after that word.
UNTIL = {
    "game": "the end of the game",
    "end of turn": "the end of the turn",
    BREAK_PENALTY.text_at("until"): "the end of the turn",
    "end of the assault": "the end of the assault",
    KNOCKDOWN.text_at("ends"): "it stands up",
    SUPPRESSED_RECOVERY.text_at("ends"): "the end of an activation it begins suppressed",
    STUNNED_RECOVERY.text_at("ends"): "the end of an activation it begins stunned",
}


def _nth(n: int) -> str:
    return {2: "second", 3: "third", 4: "fourth"}.get(n, f"{n}th")
