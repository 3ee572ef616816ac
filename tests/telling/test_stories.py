"""The golden battles of every ruleset read like stories: who did what and what came of it, and no form is filled in."""

import re
from pathlib import Path

import pytest

from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import folded
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.telling.scene_lines import Scene
from sandtable.telling.scenes import Scenes

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.jsonl"))
#: What no line of a story may be: a form, a number in thousandths, an id, a clause that begins in the middle.
FORMS = (
    r"\b(passed|failed)\b",
    r"→",
    r"(?<!-)\d{4,}",
    r": and ",
    r" -\d",
    r"\bnow: |\bno longer: ",
    r"\bdeclares (?!over-watch)[a-z]+-[a-z-]+",
    r"\bforfeits attack\b",
    r"\b[a-z]+_[a-z]+\b",
)


def told(path: Path) -> list[Scene]:
    journal = Journal.decode(path.read_bytes())
    setup, events = journal.header.setup, journal.events()
    scenes = Scenes(vocabulary_of(journal.header.ruleset))
    for event, table in zip(events, folded(events, setup.sides, setup.options), strict=True):
        scenes.add(event, table)
    return [scene for scene in scenes if scene.lead]


@pytest.mark.parametrize("path", GOLDEN, ids=[f"{path.parent.name}-{path.stem}" for path in GOLDEN])
def test_every_line_is_a_sentence_and_no_form(path: Path) -> None:
    scenes = told(path)
    assert len(scenes) > 5
    for words in (scene.words() for scene in scenes):
        for form in FORMS:
            assert not re.search(form, words), f"{form}: {words}"
    for scene in scenes:
        assert not scene.lead.endswith(" takes its last answer back") or not scene.came, scene.words()


def test_initiative_says_who_has_it() -> None:
    """Unless the battle is over before the winner has said whether to keep it."""
    lines = [[scene.words() for scene in told(path)][:-2] for path in GOLDEN if path.parent.name == "dropzone"]
    rolls = [line for battle in lines for line in battle if "for the initiative" in line]
    assert rolls
    assert [line for line in rolls if "has the initiative" not in line and "goes first" not in line] == []
