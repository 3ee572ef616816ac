"""Exact odds of shots, as previews tell them and as they are played, against a calculation of its own with icepool."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import icepool
import pytest

import sandtable.rulesets.dropzone as dropzone
from sandtable.engine.battle import Battle
from sandtable.engine.enumerator import distribution
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.rulesets.dropzone.cases import DropzoneWords
from sandtable.rulesets.dropzone.shooting.aiming import Shot
from sandtable.rulesets.dropzone.shooting.firing import RollHits
from sandtable.rulesets.dropzone.shooting.odds import added, harms
from sandtable.rulesets.dropzone.units import CARDS, Unit, Weapon

MADE_UP = Path(__file__).parent / "odds.yaml"
#: What stands between and around: cover, shooters torn apart, shooters who have just got out.
OPEN, COVERED, ASUNDER, DISEMBARKED, ALL = "open", "covered", "asunder", "disembarked", "all"
SCENES = (OPEN, COVERED, ASUNDER, DISEMBARKED, ALL)
VEHICLES = ("tank", "skimmer", "walker")


@cache
def case_words() -> DropzoneWords:
    """The words of cases, read once, with targets that outlive any volley."""
    words = dropzone.RULESET.with_cards([MADE_UP]).case_words()
    assert isinstance(words, DropzoneWords)
    return words


def stats(card: str) -> Unit:
    """What a card says."""
    case_words()
    return CARDS.held[card].stats


def laid_out(shooter: str, target: str, scene: str, *, shooters: int = 1, landed: bool = True) -> Battle:
    """Shooters in a row before B1, an inch and a half from edge to edge."""
    near = (stats(shooter).radius_in + stats(target).radius_in + 1500) / 1000
    wide = 2 * stats(shooter).radius_in / 1000 + 0.1
    edge = 20 - stats(target).radius_in / 1000
    states = "states: [disembarked]" if scene in (DISEMBARKED, ALL) else ""
    rows = [
        f"{{model: {shooter}, as: A{n + 1}, unit: A, at: [{20 - near:.3f}, {20 + n * wide:.3f}], facing: 0, {states}}}"
        for n in range(shooters)
    ]
    if scene in (ASUNDER, ALL):
        rows.append(f"{{model: {shooter}, as: A9, unit: A, at: [4, 36], options: {{landed: 1}}}}")
    wall = f"{{kind: barricade, rectangle: [{edge - 0.9:.3f}, 12, 0.5, 16]}}" if scene in (COVERED, ALL) else ""
    text = f"""
    board: {{width: 40, height: 40, terrain: [{wall}]}}
    red: [{", ".join(rows)}]
    blue: [{{model: {target}, as: B1, unit: B, at: [20, 20], facing: 180, options: {{landed: {int(landed)}}}}}]
    turn: A1
    """
    words = case_words()
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


# The rules once more, by hand ---------------------------------------------------------------------------------------


def number(special: Sequence[str], word: str) -> int | None:
    """The number behind a special rule; none where it is not there."""
    found = [one for one in special if one == word or one.startswith(f"{word}-")]
    return None if not found else int(found[0].split("-")[1]) if "-" in found[0] else 0


def devastates(special: Sequence[str], kind: str) -> int:
    """The Damage that a Devastator does to a kind; 0 where it does not name it."""
    best = 0
    for one in special:
        word, *rest = one.split("-")
        named = {kind, "all", *(["vehicle"] if kind in VEHICLES else [])}
        if word == "devastator" and named & {*rest[1:]}:
            best = max(best, int(rest[0]))
    return best


def one_hit(energy: int, armour: int, special: Sequence[str], target: Unit, kind: str) -> "icepool.Die[int]":
    """The Damage of one hit, before anything saves."""
    more = devastates(special, kind)
    plain, critical = (more, 2 * more) if more else (1, 2)
    if "resilient" in target.special:
        critical = 1

    def damage(face: int) -> int:
        if face == 1:
            return 0
        if face + energy >= armour + 2:
            return critical
        return plain if face + energy >= armour or (face == 6 and "penetrative" in special) else 0

    return icepool.d6.map(damage)


def saved(points: "icepool.Die[int]", *numbers: int | None) -> "icepool.Die[int]":
    """What is left of Damage when every point is saved from on each of some numbers."""
    stays = Fraction(1)
    for needs in numbers:
        if needs is not None:
            stays *= Fraction(needs - 1, 6)
    kept = icepool.Die({1: stays.numerator, 0: stays.denominator - stays.numerator})
    return points.map(lambda many: many @ kept if many else icepool.Die([0]))


def one_shot(weapon: Weapon, target: Unit, scene: str, *, airborne: bool = False) -> "icepool.Die[int]":
    """The Damage of one Shot of a weapon at a unit outside Garrisons."""
    covered = scene in (COVERED, ALL) and not airborne
    huge = target.type == "behemoth"
    special = tuple(one for one in weapon.special if not huge or one.startswith("devastator"))
    kind = "tank" if target.type.startswith("aircraft") and not airborne else target.type
    flame = "flame" in special
    needs = (weapon.accuracy or 0) + 2 * (scene in (DISEMBARKED, ALL)) + (scene in (ASUNDER, ALL))
    needs += 2 * (covered and not flame)
    needs += 0 if flame else max(0, target.countermeasures.evasion - (number(special, "aa") or 0))
    armour = target.armour + (covered and not flame)
    passive = None if weapon.energy >= 13 and not huge else target.countermeasures.passive
    whole = one_hit(weapon.energy, armour, special, target, kind)
    glance = one_hit(weapon.energy - 2, armour, special, target, kind)
    destroyer, area = number(special, "destroyer"), "area" in special
    often = icepool.d6 if target.type == "infantry" else icepool.Die([1])

    def shot(face: int) -> "icepool.Die[int] | int":
        hits = face != 1 and (face == 6 or face >= needs)
        if area:
            return 0 if face == 1 else often @ (whole if hits else glance)
        if not hits:
            return 0
        if destroyer is not None and face >= destroyer:
            more = devastates(special, kind)
            return 1 if "resilient" in target.special else 2 * more or 2
        return whole

    return saved(icepool.d6.map(shot), passive)


def chances(die: "icepool.Die[int]") -> dict[int, Fraction]:
    """A die as the rules' code tells chances."""
    return {what: die.probability(what) for what in die.outcomes()}


def weapons(*cards: str) -> list[tuple[str, Weapon]]:
    """The weapons of some cards that are fired without further choices, at targets outside Garrisons."""
    found = [(card, weapon) for card in cards for weapon in stats(card).weapons]
    return [
        (card, one)
        for card, one in found
        if not one.close_quarters and all("focus" not in word for word in one.special)
    ]


SHOOTERS = (
    "bulwark",
    "picket",
    "skyguard",
    "line-infantry",
    "beacon",
    "wraith",
    "drifter",
    "stilt",
    "censer",
    "kestrel",
)
TARGETS = ("bulwark", "picket", "line-infantry", "petrel", "wraith", "stilt", "kestrel", "gatebreaker", "steady-tank")


def pairs() -> list[tuple[str, str, str, str]]:
    """Every weapon of the shooters at every target in the open, and at a few in every scene."""
    made = [(card, one.id) for card, one in weapons(*SHOOTERS, "gatebreaker", "oddity")]
    found = [(card, weapon, target, OPEN) for card, weapon in made for target in TARGETS]
    few = [("bulwark", "coaxial-gun"), ("oddity", "smasher"), ("oddity", "bombard"), ("stilt", "swarm-racks")]
    return found + [(*one, target, scene) for one in few for target in ("stilt", "wraith") for scene in SCENES[1:]]


@pytest.mark.parametrize(("shooter", "name", "target", "scene"), pairs())
def test_exact_odds_of_a_shot_equal_an_independent_calculation(
    shooter: str, name: str, target: str, scene: str
) -> None:
    weapon = next(one for one in stats(shooter).weapons if one.id == name)
    table = laid_out(shooter, target, scene).table
    zone = "hull" if target == "gatebreaker" else ""
    found = harms(table, Shot("A1", name, "B1", zone=zone))
    assert found == chances(weapon.shots @ one_shot(weapon, stats(target), scene))


@pytest.mark.parametrize("target", ["petrel", "kestrel"])
def test_exact_odds_of_fire_at_aircraft_equal_an_independent_calculation(target: str) -> None:
    weapon = stats("skyguard").weapons[0]
    table = laid_out("skyguard", target, COVERED, landed=False).table
    expected = weapon.shots @ one_shot(weapon, stats(target), COVERED, airborne=True)
    assert harms(table, Shot("A1", weapon.id, "B1")) == chances(expected)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("shooter", ["bulwark", "oddity"])
def test_what_a_squad_does_together_is_told_and_played_as_calculated(shooter: str, scene: str) -> None:
    """Two units with two weapons each at one target: by the odds told, and by walking every way the dice can fall."""
    names = ("bulwark-gun", "coaxial-gun") if shooter == "bulwark" else ("smasher", "breaker")
    battle = laid_out(shooter, "steady-stilt", scene, shooters=2)
    shots = tuple(Shot(f"A{n}", name, "B1") for n in (1, 2) for name in names)
    arms = [one for one in stats(shooter).weapons if one.id in names]
    volley = sum(2 * one.shots @ one_shot(one, stats("steady-stilt"), scene) for one in arms)
    assert isinstance(volley, icepool.Die)
    told = {0: Fraction(1)}
    for shot in shots:
        one = harms(battle.table, shot)
        assert one is not None
        told = dict(added(told, one))
    assert told == chances(volley)
    state = battle.boundary()
    state.agenda = [RollHits(shots)]
    played = distribution(battle.ruleset, state, read=lambda end: end.table["B1"].harm)
    assert played.exact
    assert {one.what: one.chance for one in played.outcomes} == chances(volley)


@pytest.mark.parametrize("stormed", [False, True])
@pytest.mark.parametrize(("shooter", "target"), [("line-infantry", "steady-reavers"), ("reavers", "line-infantry")])
def test_close_quarters_are_told_as_calculated(shooter: str, target: str, stormed: bool) -> None:
    """Every Shot hits, does one Damage at most, is rolled again by who has just stormed in, and may be dodged."""
    states = "states: [storming]" if stormed else ""
    text = f"""
    board: {{width: 40, height: 40, terrain: [{{kind: small-building, id: house, rectangle: [18, 18, 5, 5]}}]}}
    red: [{{model: {shooter}, as: A1, unit: A, in: house, {states}}}]
    blue: [{{model: {target}, as: B1, unit: B, in: house}}]
    turn: A1
    """
    words = case_words()
    table = Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1).table
    weapon = next(one for one in stats(shooter).weapons if one.close_quarters)
    armour = stats(target).armour
    hurts = icepool.d6.map(lambda face: int(face != 1 and face + weapon.energy >= armour))
    whole = weapon.shots @ (hurts.map(lambda done: hurts if done else 0) if stormed else hurts)
    expected = saved(whole, number(stats(target).special, "dodge"))
    assert harms(table, Shot("A1", weapon.id, "B")) == chances(expected)


def test_every_kind_of_weapon_and_target_is_compared() -> None:
    words = {word.split("-")[0] for card, one in weapons(*SHOOTERS, "gatebreaker", "oddity") for word in one.special}
    assert words >= {"aa", "area", "destroyer", "devastator", "flame", "indirect", "penetrative", "reduced"}
    assert {stats(one).type for one in TARGETS} == {"tank", "infantry", "aircraft", "skimmer", "walker", "behemoth"}
    assert any(stats(one).countermeasures.passive for one in TARGETS)
    assert any("resilient" in stats(one).special for one in TARGETS)
