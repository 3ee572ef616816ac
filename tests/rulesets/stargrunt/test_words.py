"""Its log reads like a battle report: names, not ids, and whole sentences for what is done."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.engine.events import AnyEvent, Declared
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import folded
from sandtable.engine.table import Table
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.rulesets import ruleset
from sandtable.telling.scenes import Scenes, is_bookkeeping
from sandtable.telling.words import sentence

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "stargrunt").glob("*.jsonl"))
SOURCE = Path(__file__).parents[3] / "src" / "sandtable" / "rulesets" / "stargrunt"


def told(path: Path) -> Iterator[tuple[AnyEvent, Table, str]]:
    journal = Journal.decode(path.read_bytes())
    setup, events = journal.header.setup, journal.events()
    words = vocabulary_of("stargrunt")
    for event, table in zip(events, folded(events, setup.sides, setup.options), strict=True):
        yield event, table, sentence(event, table, words)


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_nobody_is_called_by_an_id(path: Path) -> None:
    for event, table, text in told(path):
        if is_bookkeeping(event, ruleset("stargrunt").notes):
            continue
        rest = re.sub(r"\(red \d+, blue \d+\)\.$", "", text)  # a score: no side is called by a number
        for label in sorted({thing.label for thing in table.things.values() if thing.label}, key=len, reverse=True):
            rest = rest.replace(label, "")
        for thing in table.things.values():
            if re.search(r"[-\d]", thing.id) and thing.side and thing.label and not thing.label.endswith(thing.id):
                spaced = re.escape(thing.id).replace(r"\-", "[- ]")
                assert not re.search(rf"\b{spaced}\b", rest), text


def test_every_action_that_is_declared_has_a_phrase() -> None:
    pattern = re.compile(r'Declared\(\s*[^"()]*(?:\.id|side|by|unit|firer),\s*"([^"]+)"')
    declared = {action for path in sorted(SOURCE.rglob("*.py")) for action in pattern.findall(path.read_text("utf-8"))}
    assert len(declared) > 25
    assert sorted(declared - set(ruleset("stargrunt").phrases)) == []


def test_the_golden_battles_declare_in_phrases() -> None:
    said = {text for path in GOLDEN for event, _, text in told(path) if isinstance(event, Declared)}
    assert said
    assert [text for text in said if " declares " in text] == []


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_every_scene_says_what_somebody_did_and_what_came_of_it(path: Path) -> None:
    """No form is filled in: "Blue One, removing suppression: passed", "range no effect", "confidence failed"."""
    lines = [scene.words() for scene in _read(path) if scene.lead]
    assert len(lines) > 10
    for line in lines:
        assert not re.search(r"\b(passed|failed|minor success|major success)\b", line), line
        assert not re.search(r"\b(range|the remainder|impact|confidence|panic|building|ecm|aboard) [a-z]", line), line
        assert not re.search(r"^[^:]*, (removing|leaving|moving|going|combat move|support requests)", line), line


def test_a_volley_names_whom_it_hits_once_and_tells_no_die_by_name() -> None:
    """As in the golden battles: the target is named once where all that came is about it."""
    came = [
        scene.words()
        for path in GOLDEN
        for scenes in [_read(path)]
        for scene in scenes
        if " fires at " in scene.lead and "is suppressed, keeps its nerve" in scene.words()
    ]
    assert came


def _read(path: Path) -> Scenes:
    scenes = Scenes(vocabulary_of("stargrunt"))
    for event, table, _ in told(path):
        scenes.add(event, table)
    return scenes
