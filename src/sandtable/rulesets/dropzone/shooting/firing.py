"""A Shooting action: every shot of the squad is declared, then all dice to hit fall, then the hits do their damage."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared
from sandtable.engine.ids import Side
from sandtable.engine.questions import Allocate, ChooseOne, Option, Plan, PlanPart, Refusal, closed
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Disc, Shape
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap, overlap
from sandtable.field.measure import inside as encloses
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.dropzone.basics import (
    ARTICULATED,
    DIMENSIONS,
    FRIENDS,
    MEASURING,
    eyes,
    near,
    on_edge,
    roll_number,
    seen,
    spoken,
)
from sandtable.rulesets.dropzone.damage import CLOSE, STORMED, DamageRolls, Hits, add_tokens
from sandtable.rulesets.dropzone.shooting.aiming import (
    ABOARD,
    ACTIVE,
    ALTERNATE,
    ARC_AND_RANGE,
    ARCS,
    AREA,
    AUTOMATIC,
    COVER_SWITCH,
    DESTRUCTIBLE,
    DISEMBARKED,
    DROPPED,
    EMBARKED,
    EMBARKING,
    FLAME,
    FLAME_IN,
    LIMITED,
    MIXED,
    ONE_TARGET,
    REDUCED,
    SAME_GARRISON,
    SECTORS,
    SEQUENCE,
    USED,
    Aim,
    Shot,
    aim,
    alternates,
    cannot_fire,
    countered,
    covers,
    energy_of,
    has,
    hit_pool,
    holder,
    ignored_cover,
    in_garrison,
    refused,
    scatters,
    shots_of,
    weapon_of,
)
from sandtable.rulesets.dropzone.units import (
    ACTION_LIST,
    AIRBORNE,
    END_OF_ROUND,
    FAST,
    FIRED,
    HIGH,
    SHOT,
    Weapon,
    card,
    fired,
    inside,
    is_behemoth,
    is_kind,
    value_of,
)
from sandtable.tabletop.actions import Action, all_of
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter, Moment
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.pools import Fell, Pool, throw_pool
from sandtable.tabletop.states import give

DECLARE = rule("dropzone.shooting.declare-before-rolling")
STRAFE = rule("dropzone.special-rules.strafe")
FOCUS = rule("dropzone.special-rules.focus")
ZONES = rule("dropzone.behemoths.zones")
EXCLUSIVE = rule("dropzone.garrisons.close-quarters-exclusive")

SHOOTING, SHOTS, TARGET, ZONE, FOCUSING = "shooting", "shots", "target", "zone", "focus"
ASTRAY = "astray"
FOCUSED = FOCUS.at("illustration")
same_number(
    "how many hits are left of those that Focus discards", FOCUSED.number("hits"), FOCUSED.number("discarded") + 1
)
same_number(
    "what Focus comes to",
    FOCUSED.number("energy_before") + FOCUSED.number("focus") * FOCUSED.number("discarded"),
    FOCUSED.number("energy_after"),
)
COMBINED = "combined"
#: A state of a unit: it went into a Garrison this round in which enemies were.
STORMING = "storming"


class RollHits(Step, frozen=True):
    """Shots still to be rolled to hit, and the hits so far."""

    left: tuple[Shot, ...]
    hits: tuple[Hits, ...] = ()


#: A squad has declared its shots: chapters may change them (Commanders, cards).
DECLARED: Moment[[Battle, Thing, tuple[Shot, ...]], Procedure[tuple[Shot, ...]]] = Moment("shots are declared")
#: A weapon has rolled to hit; gives how its dice stand after that.
HITS_ROLLED: Moment[[Battle, Shot, Pool, Fell], Procedure[Fell]] = Moment("hits are rolled")
#: A squad has shot: what follows when all of it is done.
AFTER_SHOOTING: Moment[[Battle, Thing], Sequence[Step]] = Moment("a Shooting action is over")


# Declaring ---------------------------------------------------------------------------------------------------------


def shooters(table: Table, squad: Thing) -> list[Thing]:
    """The units of a squad that stand where they can shoot: on the table, not flying high, or in a Garrison."""
    return [
        one
        for one in table.members(squad.id)
        if (isinstance(one.place, At) and not one.has(HIGH)) or in_garrison(table, one)
    ]


def targets(table: Table, unit: Thing, weapon: Weapon) -> Iterator[Thing]:
    """What a weapon might be aimed at: enemy squads in the same Garrison, enemies outside, scenery."""
    if weapon.close_quarters:
        for squad in dict.fromkeys(one.unit for one in inside(table, holder(unit)) if one.side != unit.side):
            yield table[squad]
        return
    for one in table.of_kind("model"):
        if one.side != unit.side and not one.gone and (one.on_table or in_garrison(table, one)):
            yield one
    for one in table.of_kind("holder"):
        if one.track and not one.gone:
            yield one


def parts(view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
    """A part for each weapon that may be fired: what it is aimed at. Those that exclude one another go by the draft."""
    table = view.table
    squad = table[plan.about[0]]
    found = [_zone_part(view, part, target) for part, target in draft.items() if _has_zones(table, target)]
    draft = {part: target for part, target in draft.items() if not part.endswith(f" {ZONE}")}
    close = {weapon_of(table[unit], name).close_quarters for unit, name in map(_named, draft)}
    for unit in shooters(table, squad):
        for weapon in card(unit).weapons:
            if cannot_fire(table, unit, weapon) is not None or (close and weapon.close_quarters not in close):
                continue
            if _excluded(unit, weapon, draft):
                continue
            for name, combined in ways(unit, weapon):
                if _fired_otherwise(name, combined, draft):
                    continue
                options = tuple(_options(table, unit, weapon, combined))
                if any(not one.refused for one in options):
                    found.append(PlanPart(name, _target_question(view.side, unit, weapon, combined, options), True))
    return found


def _has_zones(table: Table, target: Any) -> bool:
    return isinstance(target, str) and target in table.things and is_behemoth(table[target])


def _zone_part(view: View, part: str, target: str) -> PlanPart:
    """Which zone of a Behemoth a weapon is aimed at."""
    unit, weapon = _named(part)
    aimed = weapon_of(view.table[unit], weapon)
    question = ChooseOne(
        view.side,
        f"{view.table[unit].label}, {aimed.name}: at which zone of {view.table[target].label}?",
        topic=ZONE,
        about=(unit, weapon, target),
        options=tuple(Option(one, one.capitalize(), (target,), (ZONES.id,)) for one in ZONES.texts("zones")),
        rules=(ZONES.id,),
    )
    return PlanPart(f"{part} {ZONE}", question)


def _named(part: str) -> tuple[str, str]:
    """The unit and the weapon that a part is about."""
    unit, weapon = part.split(" ")[:2]
    return unit, weapon


def _fired_otherwise(part: str, combined: bool, draft: dict[str, Any]) -> bool:
    """Whether a draft fires the weapon of a part in the other way already."""
    return any(_named(one) == _named(part) and one.endswith(COMBINED) != combined for one in draft)


def ways(unit: Thing, weapon: Weapon) -> Iterator[tuple[str, bool]]:
    """The parts by which a weapon is fired: once, several times where it strafes, or all Shots as one."""
    times = value_of(weapon.special, "strafe") or 1
    for number in range(times):
        yield f"{unit.id} {weapon.id}" + (f" {number + 1}" if number else ""), False
    if has(weapon, "reduced") and shots_of(unit, weapon) > 1:
        yield f"{unit.id} {weapon.id} {COMBINED}", True


def _excluded(unit: Thing, weapon: Weapon, draft: Mapping[str, Any]) -> bool:
    """Whether a draft fires another profile with the same ALT number."""
    used = [name for one, name in map(_named, draft) if one == unit.id]
    return any(one.id in used for one in alternates(unit, weapon))


def _target_question(side: Side, unit: Thing, weapon: Weapon, combined: bool, options: tuple[Option, ...]) -> ChooseOne:
    words = f"{unit.label}, {weapon.name}" + (" as one shot" if combined else "")
    return ChooseOne(
        side,
        f"{words}: at what?",
        topic=TARGET,
        about=(unit.id, weapon.id, *((COMBINED,) if combined else ())),
        options=options,
        rules=(ONE_TARGET.id, *((SAME_GARRISON.id, EXCLUSIVE.id) if weapon.close_quarters else ())),
        shows=("distance", "sight", "odds"),
        decline="Hold fire",
    )


def _options(table: Table, unit: Thing, weapon: Weapon, combined: bool) -> Iterator[Option]:
    for target in targets(table, unit, weapon):
        refusal = refused(table, Shot(unit.id, weapon.id, target.id, combined))
        if refusal is not None and target.kind == "holder":
            continue  # far too many of them to list
        yield closed(Option(target.id, target.label, (target.id,), (ONE_TARGET.id,)), refusal)


def judge_shots(view: View, question: Plan, answer: Mapping[str, str | None]) -> Refusal | None:
    """Why shots may not be fired together: Close Quarters and others, two ALT profiles, one weapon in two ways."""
    table = view.table
    shots = shots_in(answer)
    close = {weapon_of(table[shot.unit], shot.weapon).close_quarters for shot in shots}
    if len(close) > 1:
        return Refusal(EXCLUSIVE.id, "Close Quarters weapons and others may not be fired in one activation.")
    for shot in shots:
        unit = table[shot.unit]
        weapon = weapon_of(unit, shot.weapon)
        others = {f"{one.unit} {one.weapon}": one.target for one in shots if one.weapon != shot.weapon}
        if _excluded(unit, weapon, others):
            return Refusal(ALTERNATE.id, f"Only one profile of {unit.label} with that ALT number may be fired.")
        same = [one for one in shots if (one.unit, one.weapon) == (shot.unit, shot.weapon)]
        if any(one.combined != shot.combined for one in same):
            return Refusal(REDUCED.id, f"{weapon.name} fires as usual or as one shot, not both.")
        if len(same) > 1 and not _strafes_together(table, [one.target for one in same]):
            return Refusal(STRAFE.id, f"The targets of {weapon.name} are too far apart.")
    return None


def unoffered(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which something is not among the targets of a weapon."""
    if answer not in view.table.things:
        pieces = [one for one in view.table.ground.pieces if one.id == answer]
        return Refusal(DESTRUCTIBLE.id, f"{spoken(pieces[0])} is not Destructible.") if pieces else None
    unit, *rest = question.about
    if not rest:  # of a squad that has no shot at all: what forbids each of its weapons this target
        squad = [(one, weapon) for one in shooters(view.table, view.table[unit]) for weapon in card(one).weapons]
        return all_of(*(why for one, weapon in squad for why in aimed(view.table, one, weapon, answer)))
    weapon, *combined = rest
    return refused(view.table, Shot(unit, weapon, answer, bool(combined)))


def unasked(view: View, plan: Plan, draft: Mapping[str, Any], extra: Mapping[str, Any]) -> Refusal | None:
    """The rule by which a weapon that a draft fires is not asked for: by itself, or beside the rest of the draft."""
    table = view.table
    for part, target in extra.items():
        if len(part.split(" ")) < 2 or not isinstance(target, str) or target not in table.things:
            continue
        shot = shot_of(part, target)
        unit = table.things.get(shot.unit)
        if unit is None or unit.unit != plan.about[0] or all(one.id != shot.weapon for one in card(unit).weapons):
            continue
        if unit.has(HIGH):
            return Refusal(FAST.id, f"{unit.label} flies high this round.")
        weapon = weapon_of(unit, shot.weapon)
        if weapon.close_quarters:  # it is aimed at a squad, whichever unit of it is named
            target = table[target].unit or target
            shot = shot_of(part, target)
        beside = {part: target, **{one: at for one, at in draft.items() if isinstance(at, str)}}
        refusal = cannot_fire(table, unit, weapon) or refused(table, shot) or judge_shots(view, plan, beside)
        if refusal is not None:
            return refusal
    return None


def _strafes_together(table: Table, names: Sequence[str]) -> bool:
    """Whether each target is near enough to another target of the same weapon."""
    things = [table[one] for one in names]
    return all(
        any(_within_strafe(table, one, other) for m, other in enumerate(things) if m != n)
        for n, one in enumerate(things)
    )


def _within_strafe(table: Table, one: Thing, other: Thing) -> bool:
    """Whether two targets are near enough to be strafed: scenery, and who is in it, is measured to its edge."""
    spread = STRAFE.inches("spread_in")
    if one.id == other.id:
        return True
    if one.on_table and other.on_table and one.kind == other.kind == "model":
        return near(table, one, other, spread)
    return gap(_target_outline(table, one), _target_outline(table, other)) <= spread


def _target_outline(table: Table, target: Thing) -> Shape:
    if isinstance(target.place, At) and target.kind == "model":
        return Disc(target.place.point, 0)
    return table.ground.piece(target.id if target.kind == "holder" else holder(target)).outline


def shot_of(part: str, target: str) -> Shot:
    """The shot that an answered part of a plan is."""
    unit, weapon = _named(part)
    return Shot(unit, weapon, target, combined=part.endswith(f" {COMBINED}"))


def shots_in(answer: Mapping[str, str | None]) -> list[Shot]:
    """The shots of an answered plan, with the zones they are aimed at."""
    return [
        replace(shot_of(part, target), zone=answer.get(f"{part} {ZONE}") or "")
        for part, target in answer.items()
        if target is not None and not part.endswith(f" {ZONE}")
    ]


def cannot_shoot(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not take a Shooting action: it has embarked, or no weapon of it may be fired at anything.

    Where nothing may be aimed at anybody every reason is named, so that nobody is asked for an empty plan.
    """
    able = shooters(table, squad)
    if any(one.has(EMBARKED) for one in table.members(squad.id)):
        return Refusal(EMBARKING.id, f"{squad.label} has embarked this round.")
    if not able:
        return Refusal(ABOARD.id, f"{squad.label} is not on the table.")
    weapons = [(unit, weapon) for unit in able for weapon in card(unit).weapons]
    if not weapons:
        return Refusal(SEQUENCE.id, f"{squad.label} has no weapons.")
    found: list[Refusal] = []
    for unit, weapon in weapons:
        barred = cannot_fire(table, unit, weapon)
        for refusal in [barred] if barred else aimed(table, unit, weapon):
            if refusal is None:
                return None
            found.append(refusal)
    why = all_of(*found)
    if why is None:
        return Refusal(ARC_AND_RANGE.id, f"There is nobody whom {squad.label} could shoot at.")
    return why if len(found) == 1 else replace(why, sentence=f"{squad.label} has no shot: {why.sentence}")


def aimed(table: Table, unit: Thing, weapon: Weapon, target: str = "") -> Iterator[Refusal | None]:
    """Why a weapon may not be aimed at each of its targets, or at one."""
    for one in [table[target]] if target else targets(table, unit, weapon):
        for combined in dict.fromkeys(combined for _, combined in ways(unit, weapon)):
            yield refused(table, Shot(unit.id, weapon.id, one.id, combined))


def shoot(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """Declare every shot of the squad, then roll."""
    answer: dict[str, str | None] = yield Plan(
        squad.side,
        f"{squad.label}: what does each weapon fire at?",
        topic=SHOTS,
        about=(squad.id,),
        rules=(DECLARE.id, SEQUENCE.id, MEASURING.id, FRIENDS.id),
        actors=tuple(one.id for one in shooters(battle.table, squad)),
        shows=("distance", "sight", "odds"),
        default={},
    )
    shots = tuple(shots_in(answer))
    give(battle, squad.id, SHOT, SEQUENCE, until=END_OF_ROUND)
    if shots:
        yield from fire(battle, squad, shots)


def unfired(view: View, question: Plan, answer: dict[str, str | None] | None) -> list[str]:
    """A squad that fires at nothing has made its Shooting action all the same."""
    return [] if answer and any(answer.values()) else ["the Shooting action"]


def fire(battle: Battle, squad: Thing, shots: tuple[Shot, ...]) -> Procedure[None]:
    """Tell what is fired at what, let others have their say, and roll."""
    n = 0
    for shot in shots:
        weapon = weapon_of(battle.table[shot.unit], shot.weapon)
        rules = declared_by(battle.table, shot)
        n = battle.happens(
            Declared(
                shot.unit,
                "shoot",
                (shot.target,),
                (weapon.id,),
                rule=DECLARE.id,
                because=n,
                detail=citing(DECLARE, *rules),
            )
        )
    for changes in book_of(battle).at(DECLARED):
        shots = yield from changes(battle, squad, shots)
    for shot in shots:
        _use(battle, shot)
    battle.push(RollHits(shots), *steps_at(battle, AFTER_SHOOTING, battle, squad))


def declared_by(table: Table, shot: Shot) -> Iterator[Rule]:
    """The rules by which a shot may be declared as it is."""
    target, weapon = table[shot.target], weapon_of(table[shot.unit], shot.weapon)
    if not shot.reaction:
        yield ONE_TARGET
    yield MIXED
    if weapon.automatic and target.kind != "holder":
        yield AUTOMATIC
    if countered(target):
        yield ACTIVE
    if target.has(AIRBORNE):
        yield DIMENSIONS
    if len(weapon.arc) < len(SECTORS):
        yield ARCS
    if has(weapon, "articulated"):
        yield ARTICULATED
    if target.kind == "holder":
        yield DESTRUCTIBLE
    if has(weapon, "flame") and target.kind == "model" and holder(target) and not on_edge(target):
        yield FLAME_IN


def _use(battle: Battle, shot: Shot) -> None:
    """Note that a weapon was fired."""
    unit = battle.table[shot.unit]
    weapon = weapon_of(unit, shot.weapon)
    if weapon.id not in fired(unit):
        give(battle, unit.id, FIRED, ONE_TARGET, (*fired(unit), weapon.id), until=END_OF_ROUND)
        if has(weapon, "limited"):
            before = unit.count(USED + weapon.id)
            battle.happens(Counted(unit.id, USED + weapon.id, before, before + 1, rule=LIMITED.id))


# Rolling to hit ----------------------------------------------------------------------------------------------------


def roll_hits(battle: Battle, step: RollHits) -> Procedure[None]:
    """Roll the next shot to hit; when all have fallen, damage is rolled."""
    if not step.left:
        battle.push(DamageRolls(step.hits))
        return
    shot, *rest = step.left
    made = yield from hits_of(battle, shot)
    battle.push(RollHits(tuple(rest), (*step.hits, *made)))


def hits_of(battle: Battle, shot: Shot) -> Procedure[list[Hits]]:
    """The hits that a shot scores, rolled for unless it hits by itself."""
    table = battle.table
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    how = aim(table, shot) or Aim(None, 0, False, False, False)
    count, sure, because = shots_of(unit, weapon, shot.combined), 0, 0
    glances = 0
    if not weapon.automatic or target.kind == "holder":
        pool = hit_pool(table, shot, how)
        fell = throw_pool(battle, pool)
        for changes in book_of(battle).at(HITS_ROLLED):
            fell = yield from changes(battle, shot, pool, fell)
        because = fell.n
        if scatters(weapon, target):
            glances, count = fell.counts[1], fell.counts[2]
        else:
            count, sure = fell.counts[1], fell.counts[2] if len(fell.counts) > 2 else 0
    if has(weapon, "flame"):
        _set_alight(battle, target, because)
    base = replace(base_hits(table, shot, how), count=count, sure=sure, because=because)
    missed = shots_of(unit, weapon, shot.combined) - count - sure
    strays = (yield from _strays(battle, base, missed)) if has(weapon, "flame") else []
    if scatters(weapon, target):
        return _area(battle, base, how, count, glances)
    focus = value_of(weapon.special, "focus")
    if focus and count > 1:
        return (yield from _focus(battle, base, focus, shot))
    return [*([base] if count + sure else []), *strays]


def _strays(battle: Battle, hits: Hits, missed: int) -> Procedure[list[Hits]]:
    """Flame that misses in a Garrison hits the shooter's own Infantry there, whom the target's player chooses."""
    shooter, target = battle.table[hits.by], battle.table[hits.target]
    friends = [one for one in inside(battle.table, holder(target)) if one.side == shooter.side]
    struck: dict[str, int] = {}
    for _ in range(missed if target.kind == "model" and friends else 0):
        prompt = f"{shooter.label} misses {target.label}: whom of its own does the fire hit?"
        about = (shooter.id, target.id)
        chosen = yield from choose_thing(target.side, prompt, friends, FLAME, topic=ASTRAY, about=about, default=True)
        struck[chosen] = struck.get(chosen, 0) + 1
    return [replace(hits, target=name, count=count, sure=0) for name, count in struck.items()]


def base_hits(table: Table, shot: Shot, how: Aim) -> Hits:
    """The hits of a shot if every Shot of it hits."""
    unit = table[shot.unit]
    weapon = weapon_of(unit, shot.weapon)
    return Hits(
        shot.target,
        shots_of(unit, weapon, shot.combined),
        energy_of(unit, weapon, shot.combined),
        weapon.id,
        unit.id,
        printed=weapon.energy,
        cover=how.body,
        special=weapon.special,
        manner=manner(unit, weapon),
        zone=shot.zone,
    )


def manner(unit: Thing, weapon: Weapon) -> tuple[str, ...]:
    """What makes the hits of a weapon differ."""
    if not weapon.close_quarters:
        return ()
    return (CLOSE, STORMED) if unit.has(STORMING) else (CLOSE,)


def _set_alight(battle: Battle, target: Thing, because: int) -> None:
    """Each Flame attack at Destructible scenery, or at Infantry in it, puts a token on it."""
    table = battle.table
    pieces: list[str] = [target.id] if target.kind == "holder" else [holder(target)] if holder(target) else []
    if isinstance(target.place, At) and target.kind == "model" and is_kind(target, "infantry"):
        pieces += [piece.id for piece in table.ground.pieces if encloses(piece.outline, target.place.point)]
    for name in pieces:
        if name in table.things and table[name].kind == "holder" and table[name].track:
            add_tokens(battle, name, FLAME.number("tokens_per_attack"), FLAME, because)


def _focus(battle: Battle, hits: Hits, focus: int, shot: Shot) -> Procedure[list[Hits]]:
    """Let the player give up hits for the Energy of others."""
    count = hits.count
    names = _numbered(count)
    options = tuple(Option(one, one, rules=(FOCUS.id,)) for one in names)
    answer: dict[str, str] = yield Allocate(
        battle.table[hits.by].side,
        f"{count} hits: give up which for +{focus} Energy of another?",
        topic=FOCUSING,
        about=(hits.by, hits.target, shot.weapon, *([shot.zone] if shot.zone else [])),
        items=options[1:],
        bins=options[:-1],
        allowed={name: tuple(names[:n]) for n, name in enumerate(names) if n},
        all_items=False,
        rules=(FOCUS.id,),
        facts={"hits": count, "sure": hits.sure, "combined": int(shot.combined)},
        shows=("odds",),
        default={},
    )
    return focused(hits, focus, answer)


def _numbered(count: int) -> list[str]:
    return [f"hit {n + 1}" for n in range(count)]


def focused(hits: Hits, focus: int, answer: Mapping[str, str]) -> list[Hits]:
    """Hits of which some are given up for the Energy of others, apart by their Energy."""
    kept = [name for name in _numbered(hits.count) if name not in answer]
    gained = {name: focus * sum(into == name for into in answer.values()) for name in kept}
    energies: dict[int, int] = {}
    for name in kept:
        energies[gained[name]] = energies.get(gained[name], 0) + 1
    return [
        replace(hits, count=n, energy=hits.energy + more, sure=0 if group else hits.sure)
        for group, (more, n) in enumerate(sorted(energies.items()))
    ]


def judge_focus(view: View, question: Allocate, answer: Mapping[str, str]) -> Refusal | None:
    """A hit that is given up gains nothing itself."""
    if any(into in answer for into in answer.values()):
        return Refusal(FOCUS.id, "A hit that is given up cannot gain Energy.")
    return None


def focus_as_asked(question: Allocate, value: Data) -> dict[str, str]:
    """How a case writes it: hits are alike, so whichever it gives up, the last ones are. A word: all for that one."""
    names = [one.id for one in (*question.bins[:1], *question.items)]
    if isinstance(value.node.value, str):
        return dict.fromkeys(names[1:], names[0])
    said = {one: into.text_at() for one, into in value.table().items()}
    called = dict(zip([*(one for one in names if one not in said), *said], names, strict=False))
    return {called.get(one, one): called.get(into, into) for one, into in said.items()}


def _area(battle: Battle, base: Hits, how: Aim, count: int, glances: int) -> list[Hits]:
    """The hits of an Area weapon: on everybody under its templates, or glancing ones on the target alone."""
    table = battle.table
    target = table[base.target]
    caught = [(one, _covered(table, base, one, how)) for one in under_template(table, target, base)] if count else []
    placed = [_area_hits(battle, hits, one) for _ in range(count) for one, hits in caught]
    return placed + [_area_hits(battle, glancing(base), target) for _ in range(glances)]


def _covered(table: Table, base: Hits, caught: Thing, how: Aim) -> Hits:
    """The hits of a template on one of those under it, with the Body Cover that it has itself."""
    if caught.id == base.target or caught.kind != "model":
        return replace(base, target=caught.id)
    body = covers(table, table[base.by], caught, how.eye)[1] and "body" not in ignored_cover(base.special)
    return replace(base, target=caught.id, cover=body)


def glancing(base: Hits) -> Hits:
    """A hit of an Area weapon that has missed: on its target alone, with less Energy."""
    return replace(base, energy=base.energy + AREA.number("glance_energy"))


def under_template(table: Table, target: Thing, base: Hits) -> list[Thing]:
    """Who is hit when an Area weapon hits: all who are at least partly under a template on the target."""
    if target.kind == "holder":
        return [target]
    if on_edge(target):
        return [one for one in table.of_kind("model") if not one.gone and one.place == target.place]
    if not isinstance(target.place, At):
        return [target]
    template = Disc(target.place.point, AREA.inches("template_diameter_in") // 2)
    in_air = value_of(base.special, "aa") is not None and target.has(AIRBORNE)
    return [
        one
        for one in table.models()
        if one.has(AIRBORNE) == in_air
        and not is_behemoth(one)
        and isinstance(one.place, At)
        and overlap(template, Disc(one.place.point, card(one).radius_in))
    ]


def area_dice(caught: Thing) -> str:
    """The dice that say how often an Area weapon hits one of those it reaches; empty where it is once."""
    if caught.kind == "holder":
        return AREA.text_at("scenery_hits")
    return AREA.text_at("infantry_hits") if is_kind(caught, "infantry") else ""


def _area_hits(battle: Battle, hits: Hits, caught: Thing) -> Hits:
    """How many hits one of those under a template takes: Infantry D6, scenery D3, all others one."""
    dice = area_dice(caught)
    count = roll_number(battle, "area", dice, caught.id, AREA, hits.because) if dice else 1
    return replace(hits, count=count, sure=0)


def points_seen(table: Table, asked: Data) -> int:
    """How many of the fifteen points of a target a unit sees, from where it sees most."""
    unit, target = table[asked.text_at("by")], table[asked.text_at("target")]
    return max([seen(table, unit, target, eye) for eye in eyes(table, unit)], default=0)


CHAPTER = Chapter(
    values={"seen": points_seen},
    steps={RollHits: roll_hits},
    actions=(
        Action(
            id=SHOOTING,
            label="Shooting",
            rule=SEQUENCE,
            carry_out=shoot,
            cost=ACTION_LIST.number("actions", "shooting", "cost"),
            refused=cannot_shoot,
        ),
    ),
    plans={SHOTS: parts},
    losses={SHOTS: unfired},
    unasked={SHOTS: unasked},
    unoffered={TARGET: unoffered},
    readers={FOCUSING: focus_as_asked},
    judges={SHOTS: judge_shots, FOCUSING: judge_focus},
    switches={
        COVER_SWITCH: "only Infantry use Soft and Body Cover",
    },
    states={
        DISEMBARKED: "it has left a Transport this round",
        DROPPED: "it has come from the air this round",
        EMBARKED: "it has gone into a Transport this round",
        STORMING: "it has gone into a Garrison this round in which enemies were",
    },
    answers={
        SHOTS: "the targets: by weapon (`A1 bulwark-gun: B1`), or `target:` for every weapon that may fire",
        TARGET: "what every weapon fires at that may",
        ZONE: "the zone of a Behemoth at which every weapon is aimed",
        FOCUSING: "hits that are given up, and for which",
        ASTRAY: "whom of the shooter's own a Flame weapon hits that misses in their Garrison",
    },
)
