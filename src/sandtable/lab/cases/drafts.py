"""The keys of a step, and the drafts they make for the questions of a battle."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import msgspec

from sandtable.engine.answers.judging import proper_answer
from sandtable.engine.battle import Battle
from sandtable.engine.questions import (
    ALONG,
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    PlanPart,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.shapes import At, Leg, Walk
from sandtable.field.walking.paths import Pose, resolve
from sandtable.forces.data import Data
from sandtable.forces.files import Node, nearest
from sandtable.lab.cases.answers import DO, IDLE, declines, plain_answer
from sandtable.lab.cases.known_words import KnownWords
from sandtable.lab.cases.matching import loose
from sandtable.tabletop.case_words import CaseWords

#: Where somebody breaks in is looked for at every tenth of an inch.
TENTH = 100


class Keys:
    """The keys of a step that are not used up yet, in groups: a group comes up when those before it are used up."""

    def __init__(self, step: Data) -> None:
        entries = step.items() if isinstance(step.node.value, list) else (step,)
        self.groups: list[dict[str, Data]] = [dict(_opened(entry)) for entry in entries]
        self.named = tuple(key for group in self.groups for key in group)
        self._next_group()

    @property
    def now(self) -> dict[str, Data]:
        """The keys that may be used now."""
        return self.groups[0] if self.groups else {}

    @property
    def left(self) -> list[tuple[str, Data]]:
        """Every key that is not used up."""
        return [pair for group in self.groups for pair in group.items()]

    def use(self, keys: Sequence[str], rest: Data | None = None) -> None:
        """Use keys up; of the last of them a rest may be left, for who is asked the same after this."""
        for key in keys:
            self.now.pop(key, None)
        if rest is not None:
            self.now[keys[-1]] = rest
        self._next_group()

    def _next_group(self) -> None:
        while self.groups and not self.groups[0]:
            self.groups.pop(0)


def _opened(entry: Data) -> Iterator[tuple[str, Data]]:
    """The keys of an entry; of `{A: {do: shoot, target: B}}` they are `A` and `A target`."""
    for key, said in entry.table().items():
        if isinstance(said.node.value, dict) and DO in said.node.value:
            yield from ((key if one == DO else f"{key} {one}", value) for one, value in said.table().items())
        else:
            yield key, said


def key_of(keys: Collection[str], question: AnyQuestion) -> str:
    """The key that answers a question: its topic, or that of whoever it is about, `A walk`; empty where none does."""
    whose = f"{question.about[0]} {question.topic}" if question.about else question.topic
    return next((one for one in (whose, question.topic) if one in keys), "")


class Draft:
    """A draft for one question, and the keys it uses up."""

    def __init__(
        self,
        value: Any,
        uses: Sequence[str],
        written: Sequence[str] = (),
        missing: Sequence[str] = (),
        rest: Data | None = None,
    ) -> None:
        self.value = value
        self.uses = uses
        self.rest = rest  # what its last key says beyond this question
        self.written = written  # the parts of a plan that the case writes out as actions
        self.missing = missing  # the keys of parts that a plan needs and the case does not say


class Drafter:
    """Makes drafts from keys, in the words of one ruleset."""

    def __init__(self, words: CaseWords, battle: Battle, known: KnownWords) -> None:
        self.words = words
        self.battle = battle
        self.known_words = known
        self.known = known.listed.get("answers", {})
        self.refusing = False  # whether what is drafted is to be refused

    def names(self, keys: dict[str, Data], question: AnyQuestion) -> bool:
        """Whether some key names a question."""
        if isinstance(question, Plan):
            return any(self._acts(key, question) for key in keys) or bool(self._parts_named(keys, question))
        key = key_of(keys, question)
        return (
            (bool(key) and not self._of_others(question, keys[key]))
            or bool(self._actor(keys, question))
            or self._chosen_actor(keys, question) is not None
        )

    def draft(self, keys: dict[str, Data], question: AnyQuestion) -> Draft | None:
        """The draft that keys make for a question, or none where no key names it."""
        if isinstance(question, Plan):
            return self._plan(keys, question)
        doing = self._actor(keys, question)
        if doing:
            value = keys[doing]
            if isinstance(value.node.value, list):
                raise value.fail(f"{doing} does several things at once", f"write [{{{doing}: …}}, {{{doing}: …}}]")
            return Draft(self._action(self._read(question, question.topic, value)), (doing,))
        key = key_of(keys, question)
        if key and not self._of_others(question, keys[key]):
            value = keys[key]
            if _for_another_stretch(question, value):
                return Draft(None, ())
            said, rest = _one_of_many(question, value)
            read = self._read(question, question.topic, said)
            read = self._somewhere(question, read)
            if not self.refusing and _for_another_moment(question, read):
                return Draft(None, ())
            return Draft(read, (key,), rest=rest)
        actor = self._chosen_actor(keys, question)
        return Draft(actor, ()) if actor is not None else None

    def _actor(self, keys: dict[str, Data], question: AnyQuestion) -> str:
        """The key that names the only one a choice of an action is about: `{A: fire}` is `{action: fire}` of A."""
        actions = self.known_words.listed.get("actions", {})
        if not isinstance(question, ChooseOne) or len(question.about) != 1 or question.about[0] in self.known:
            return ""
        if not any(option.id in actions for option in question.options):
            return ""
        return next((key for key, said in keys.items() if self._is(key, question.about[0], said)), "")

    def _is(self, key: str, name: str, said: Data) -> bool:
        """Whether a key names something: itself, or by one of its models where it says in a word what that does."""
        return key == name or (name in self._above(key)[:1] and isinstance(said.node.value, str))

    def _above(self, name: str) -> Sequence[str]:
        """The unit that a model belongs to, and what its unit belongs to."""
        things = self.battle.table.things
        unit = things.get(things[name].unit) if name in things else None
        return () if unit is None else (unit.id, *self.words.groups(self.battle.table, unit))

    def _read(self, question: AnyQuestion, key: str, value: Data) -> Any:
        reader = self.words.answers.get(key, plain_answer)
        if declines(value):
            return None
        if self.refusing and isinstance(question, ChooseOne) and isinstance(value.node.value, list):
            return list(value.texts())  # one may be chosen: several are refused
        turned = self._turned(question, value)
        said = reader(question, self._by_id(question, value)) if turned is None else turned
        read = self._marked(question, self._called_alike(question, as_offered(question, said, self._units)))
        self._see_words(question, read, value)
        return read

    def _somewhere(self, question: AnyQuestion, read: Any) -> Any:
        """A reaction of which nobody says where it breaks in: at the first tenth of an inch at which it may."""
        if not isinstance(question, React) or not isinstance(read, Reaction) or question.stretch is None:
            return read
        if read.along is not None:
            return read
        start, end = question.stretch
        points = (msgspec.structs.replace(read, along=along) for along in (*range(start, end, TENTH), end))
        lawful = (one for one in points if not isinstance(self.battle.check(one, question.side), Refusal))
        return next(lawful, msgspec.structs.replace(read, along=start))

    def _called_alike(self, question: AnyQuestion, read: Any) -> Any:
        """An action that is not on offer, as the one that players call the same: a vehicle's combat move."""
        actions = self.known_words.listed.get("actions", {})
        options = question.options if isinstance(question, ChooseOne) and isinstance(read, str) else ()
        if read in [option.id for option in options] or not options:
            return read
        called = {loose(label) for action, label in actions.items() if loose(action) == loose(read)}
        alike = [option.id for option in options if option.id in actions and loose(option.label) in called]
        return alike[0] if len(alike) == 1 else read

    def _turned(self, question: AnyQuestion, value: Data) -> dict[str, Walk] | None:
        """The turn of one that only turns, where a case says which way it faces then: `270` or `{facing: 270}`."""
        if not isinstance(question, MoveModels) or question.topic not in self.words.facings:
            return None
        named = isinstance(value.node.value, dict) and value.names() == ("facing",)
        if not named and not isinstance(value.node.value, int):
            return None
        facing = value.number("facing") if named else value.number()
        model = question.models[0]
        return {model: Walk((Leg((facing - self.battle.table[model].facing + 180) % 360 - 180),))}

    def _of_others(self, question: AnyQuestion, value: Data) -> bool:
        """Whether a key says the ways of others than the one that is asked, each by name."""
        said = self._by_id(question, value).node.value
        if not isinstance(question, MoveModels) or len(question.models) != 1 or not isinstance(said, dict):
            return False
        return question.models[0] not in said and any(key in self.battle.table.things for key in said)

    def _by_id(self, question: AnyQuestion, value: Data) -> Data:
        """What is said of things that are put or moved, each by its id: `V` is the hull of the vehicle V, if that is
        all of it that is asked for."""
        said = value.node.value
        if not isinstance(said, dict) or not isinstance(question, PlaceThings | MoveModels):
            return value
        asked = question.things if isinstance(question, PlaceThings) else question.models
        things = self.battle.table.things
        called = [loose(things[one].label) if one in things else "" for one in asked]
        ids = {name: one for name, one in zip(called, asked, strict=True) if called.count(name) == 1}
        named = {key if key in asked else ids.get(loose(key), key): node for key, node in said.items()}
        return value if tuple(named) == tuple(said) else value.renamed(named)

    def settle(self, keys: Keys, topic: str, answer: Any) -> None:
        """Use a key up that says the one answer a question has, of which nobody was asked; or what it says of one."""
        said = keys.now.get(topic)
        if said is None:
            return
        if isinstance(said.node.value, dict) and not isinstance(answer, dict):
            found = next((name for name, one in said.table().items() if self.settled_so(one, answer)), None)
            if found is not None:
                keys.use((topic,), _without(said, found))
        elif self.settled_so(said, answer):
            keys.use((topic,))

    def settled_so(self, said: Data, answer: Any) -> bool:
        """Whether a case says the one answer that a question has, of which nobody was asked."""
        if isinstance(answer, dict):
            said_of = said.table().items() if isinstance(said.node.value, dict) else ()
            return {loose(one): value.text_at() for one, value in said_of} == {loose(k): v for k, v in answer.items()}
        said_all = said.items() if isinstance(said.node.value, list) else (said,)
        answers = (answer,) if isinstance(answer, str) else tuple(answer)
        names = [(str(one.node.value), right) for one, right in zip(said_all, answers, strict=False)]
        return len(said_all) == len(answers) and all(
            loose(one) == loose(right) or right in self._units(one) for one, right in names
        )

    def _units(self, word: str) -> Sequence[str]:
        """What a model may stand for where units are chosen: its unit, and what its unit belongs to; a unit, for the
        models of it, if one of them alone may be chosen.

        Of a word that ends with a model, as `steady-aim on A`, that model; of one that ends with a card of the hand, as
        `counter-order on steady-aim`, whatever is that card."""
        table = self.battle.table
        head, space, last = word.rpartition(" ")
        if head and last not in table.things:
            return tuple(head + space + one.id for one in table.things.values() if one.card == last)
        return tuple(head + space + one for one in (*self._above(last), *(each.id for each in table.members(last))))

    def spellings(self, word: str) -> Sequence[str]:
        """A word, and what it may stand for."""
        return (word, *self._units(word))

    def _marked(self, question: AnyQuestion, read: Any) -> Any:
        """Ways with the marks they need: one that is not said lies at the end, or where it was declared first, at the
        start."""
        if not isinstance(question, MoveModels) or self.refusing:  # what a case wants refused is left as it is
            return read
        needed = [mark for mark in question.marks if mark.required]
        for name, way in read.items() if needed and isinstance(read, dict) else ():
            here = self.battle.table[name]
            if isinstance(way, Walk) and isinstance(here.place, At):
                length = resolve(Pose(here.place.point, here.facing, here.place.level), way).length
                usual = {mark.id: 0 if mark.first else length for mark in needed}
                read[name] = Walk(way.legs, {**usual, **way.marks})
        return read

    def _see_words(self, question: AnyQuestion, read: Any, value: Data) -> None:
        """Fail where a word is chosen that is not on offer and that nothing is called: it is misspelt.

        A right word that is not on offer here is for the battle to refuse."""
        if not isinstance(question, ChooseOne | ChooseSeveral | React | Allocate):
            return
        options = [*getattr(question, "options", ()), *getattr(question, "items", ()), *getattr(question, "bins", ())]
        offered = [option.id for option in options]
        for word in _chosen(read):
            if word not in offered and not self.known_words.is_name(word, self.battle.table):
                things = [thing.id for thing in self.battle.table.things.values()]
                known = (*offered, *self.known_words.listed.get("actions", ()), *things)
                raise value.fail(f"`{word}` is nothing that `{question.topic}` can be", nearest(word, known))

    def _chosen_actor(self, keys: dict[str, Data], question: AnyQuestion) -> str | None:
        """The model that a key names, where the question is which one acts: its plan comes next and uses the key up.

        So it is where the question is which one is placed, and `deploy: {A: [24, 3]}` says so."""
        if not isinstance(question, ChooseOne):
            return None
        offered = [option.id for option in question.options]
        placed = keys.get(question.topic.removesuffix("-which"))
        if placed is not None and isinstance(placed.node.value, dict):
            return next(
                (one for name in placed.node.value for one in (name, *self._above(name)) if one in offered), None
            )
        said = {key: value for key, value in keys.items() if key not in self.known}
        words = [key for key, value in said.items() if isinstance(value.node.value, str)]
        names = ((key, *(self._above(key) if key in words else ())) for key in said)
        return next((one for called in names for one in offered if one in called), None)

    def _acts(self, key: str, plan: Plan) -> bool:
        """Whether a key names somebody of whom a plan may speak: one that cannot act is for the battle to refuse."""
        thing = self.battle.table.things.get(key)
        unit = "" if thing is None else thing.unit
        return key in plan.actors or (bool(unit) and unit in (*plan.actors, *plan.about))

    def _plan(self, keys: dict[str, Data], plan: Plan) -> Draft | None:
        actors = [key for key in keys if self._acts(key, plan)]
        named = actors or self._parts_named(keys, plan)
        if not named:
            return None
        if self.refusing and IDLE[0] in self.known_words.listed.get("actions", ()):  # who passes is to be refused that
            passing = {
                one: Data(Node(IDLE[0], keys[one].line), keys[one].file) for one in actors if declines(keys[one])
            }
            keys = {**keys, **passing}
        if named[0] in (*actors, plan.topic) and all(declines(keys[one]) for one in actors or named[:1]):
            return Draft(None, actors or named[:1])
        draft: dict[str, Any] = {}
        for actor in (one for one in actors if not declines(keys[one])):
            said = self.words.actions(self.battle.table, actor, keys[actor])
            draft.update({part: self._action(value) for part, value in said.items()})
        if named[0] == plan.topic:
            known = {loose(part.id): part.id for part in self._parts(plan)}
            said = self._read(plan, plan.topic, keys[plan.topic])
            draft.update({known.get(loose(part), part): value for part, value in said.items()})
        written, used = tuple(draft), dict.fromkeys(one for one in named if one in (*actors, plan.topic))
        others = {one for one in plan.actors if actors and one not in actors}
        missing = self._fill(plan, draft, keys, used, others)
        meant = self.words.meant(self.battle.table, plan, keys)
        if meant is not None and meant.topic not in used and meant.parts:
            for part, one in list(_of_parts(keys[meant.topic], meant.parts))[:1]:
                draft[part] = one.text_at()  # nothing asks for it: the battle says by which rule
            used[meant.topic] = None
        used.update(dict.fromkeys(meant.uses if meant is not None else ()))
        return Draft(draft, tuple(used), written, missing)

    def one_by_one(self, keys: dict[str, Data], plan: Plan) -> Iterator[dict[str, Any]]:
        """What a key that speaks of many parts at once would say of each of them alone."""
        meant = self.words.meant(self.battle.table, plan, keys)
        if meant is not None:
            yield from ({part: one.text_at()} for part, one in _of_parts(keys[meant.topic], meant.parts))

    def _parts_named(self, keys: dict[str, Data], plan: Plan) -> list[str]:
        """The keys that answer a plan without naming who acts: its topic with its parts, or what all parts share."""
        if any(key in self.battle.table.things for key in keys):
            return []
        if plan.topic in keys:
            return [plan.topic]
        topics = {part.question.topic for part in self._parts(plan)}
        meant = self.words.meant(self.battle.table, plan, keys)
        return [key for key in keys if key in topics or (meant is not None and key == meant.topic)]

    def _parts(self, plan: Plan) -> Sequence[PlanPart]:
        """The parts of a plan of which nothing is answered yet."""
        return self.battle.ruleset.parts(self.battle.view(plan.side), plan, {})

    def _action(self, value: Any) -> Any:
        """An action, or several, as the vocabulary spells them; who does `nothing` is `done`, and so the other way."""
        if isinstance(value, list | tuple):
            return [self._action(one) for one in value]
        known = {loose(one): one for one in self.known_words.listed.get("actions", ())}
        known.update({word: one for one in IDLE if one in known for word in IDLE if word not in known})
        return known.get(loose(value), value) if isinstance(value, str) else value

    def _fill(
        self, plan: Plan, draft: dict[str, Any], keys: dict[str, Data], used: dict[str, None], others: Collection[str]
    ) -> list[str]:
        """Fill the parts of a plan as they open, each from the key with its id or its topic, else with its default.

        A topic alone says nothing of others than those who are named. Gives the keys that are missing."""
        ruleset, view = self.battle.ruleset, self.battle.view(plan.side)
        meant = self.words.meant(self.battle.table, plan, keys)
        answered: dict[str, Any] = {}
        while True:
            open_parts = [
                part
                for part in ruleset.parts(view, plan, answered)
                if part.id not in answered
                and (meant is None or part.question.topic != meant.topic or part.id in (*meant.parts, *draft))
            ]
            listed = self.refusing or (meant is not None and bool(meant.uses))
            alone = plan.actors[0] if len(plan.actors) == 1 else ""
            part = self._next_part(open_parts, draft, keys, used, others, alone, listed)
            if part is None:
                needed = [one for one in open_parts if not one.optional]
                return [one.question.topic or one.id for one in needed]
            value = proper_answer(ruleset, view, part.question, draft[part.id])
            if isinstance(value, Refusal):
                return []  # the battle will refuse the plan for the same reason
            answered[part.id] = value

    def _next_part(
        self,
        parts: Sequence[PlanPart],
        draft: dict[str, Any],
        keys: dict[str, Data],
        used: dict[str, None],
        others: Collection[str],
        alone: str,
        listed: bool,
    ) -> PlanPart | None:
        """The next part that is answered; of a plan of one actor `A target` is its `target`.

        A topic passes over a part that refuses what it says where another takes it, or has taken it already; not the
        latter where a case lists the parts it means, or wants them refused."""
        for part in parts:
            if part.id in draft:
                draft[part.id] = as_offered(part.question, draft[part.id], self._units)
            else:
                whose = part.id.removesuffix(part.question.topic)
                own = [f"{alone} {part.id}"] if alone and not whose else []
                said = [part.id] if whose.strip() in others else [part.id, part.question.topic, *own]
                key = next((key for key in said if key in keys), None)
                told_by, answer = self.words.implied.get(part.question.topic, ("", None))
                if key is None and (told_by in keys or whose + told_by in keys):
                    draft[part.id] = answer
                    return part
                if key is None:
                    continue
                spoken = keys[key]
                if isinstance(part.question, ChooseOne) and key == part.question.topic:
                    of_it = next(_of_parts(spoken, [part.id]), None)
                    if of_it is None:  # it names others
                        continue
                    spoken = of_it[1]
                value = self._read(part.question, part.question.topic, spoken)
                taken = not listed and key in used and key == part.question.topic
                worded = (value if listed else as_offered(one.question, value, self._units) for one in parts)
                taken = taken or any(map(_open_to, parts, worded))
                if part.optional and taken and not _open_to(part, value):
                    continue
                draft[part.id] = value
                used[key] = None
            return part
        for part in parts:
            if not part.optional and may_decline(part.question):
                draft[part.id] = None
                return part
        return None


def _of_parts(value: Data, parts: Sequence[str]) -> Iterator[tuple[str, Data]]:
    """What a key says of each part: one word of all, or by the name of whom the part is about; others are left out."""
    said = value.node.value
    for part in parts:
        if not isinstance(said, dict):
            yield part, value
            continue
        name = next((one for one in part.split(" ") if one in said), None)
        if name is not None:
            yield part, value.at(name)


def _open_to(part: PlanPart, value: Any) -> bool:
    """Whether a part of a plan offers a choice, and nothing refuses it."""
    options = part.question.options if isinstance(part.question, ChooseOne) else ()
    return any(one.id == value and not one.refused for one in options)


def as_offered(question: AnyQuestion, read: Any, units: Callable[[str], Sequence[str]]) -> Any:
    """An answer with its words as the question offers them: `medium mac` is `medium-mac`, a model its unit.

    What is called so by one option alone may stand for its id, or how it begins: `W` for the hull of the carrier W."""
    if isinstance(question, ChooseOne | ChooseSeveral | React):
        offered = _called(question.options)
        known = [option.id for option in question.options]

        def right(word: Any) -> Any:
            if not isinstance(word, str) or word in known:
                return word
            meant = [offered[loose(one)] for one in units(word) if loose(one) in offered]
            meant = meant or [one for one in known if one.startswith(f"{word} ")]
            meant = meant or list({one for label, one in offered.items() if label.startswith(f"{loose(word)} ")})
            return offered.get(loose(word)) or (meant[0] if len(meant) == 1 else word)

        if isinstance(read, Reaction):
            return msgspec.structs.replace(read, option=right(read.option))
        return [right(one) for one in read] if isinstance(read, list) else right(read)
    if isinstance(question, Allocate) and isinstance(read, dict):
        items, bins = _called(question.items), _called(question.bins)
        return {items.get(loose(item), item): bins.get(loose(str(into)), into) for item, into in read.items()}
    if isinstance(question, MoveModels) and isinstance(read, dict):
        marks = {loose(mark.id): mark.id for mark in question.marks}
        for name, way in read.items():
            if isinstance(way, Walk) and way.marks:
                read[name] = Walk(way.legs, {marks.get(loose(one), one): along for one, along in way.marks.items()})
    return read


def _owned(option: Option | ReactOption) -> str:
    """What of somebody an option is: of `A8's plasma gun`, the plasma gun."""
    return option.label.rpartition("'s ")[2]


def _called(options: Sequence[Option | ReactOption]) -> dict[str, str]:
    """Options by what they may be called: their id, a label that one alone has, or what is somebody's in it."""
    called = [(loose(said), one.id) for one in options for said in dict.fromkeys((one.label, _owned(one)))]
    said = [word for word, _ in called]
    once = {word: option for word, option in called if said.count(word) == 1}
    return once | {loose(option.id): option.id for option in options}


def _chosen(read: Any) -> Iterator[str]:
    """The words that an answer chooses."""
    if isinstance(read, Reaction):
        yield read.option
    elif isinstance(read, dict):
        yield from (one for pair in read.items() for one in pair if isinstance(one, str))
    else:
        yield from (one for one in (read if isinstance(read, list | tuple) else [read]) if isinstance(one, str))


def may_decline(question: AnyQuestion) -> bool:
    """Whether a question can do without an answer."""
    return question.default is not None or bool(question.decline)


def _one_of_many(question: AnyQuestion, value: Data) -> tuple[Data, Data | None]:
    """What a key says to one question, and what is left for those that follow.

    Choices of one may be listed, `[B at A, C at A]`; any choice may be said by whom it is about, `{B: [gun]}`.
    """
    said = value.node.value
    if isinstance(question, ChooseOne | React) and isinstance(said, list) and said:
        more = value.items()[1:]
        return value.items()[0], value.listed([one.node for one in more]) if more else None
    if isinstance(question, ChooseOne | ChooseSeveral | Confirm) and isinstance(said, dict):
        name = next((one for one in question.about if one in said), None)
    elif isinstance(question, MoveModels) and len(question.models) == 1 and isinstance(said, dict):
        name = question.models[0] if question.models[0] in said and len(said) > 1 else None
    else:
        name = None
    return (value, None) if name is None else (value.at(name), _without(value, name))


def _for_another_moment(question: AnyQuestion, read: Any) -> bool:
    """Whether a reaction is meant for a later window of the same topic, another moment: this one does not offer it."""
    if not isinstance(question, React) or not isinstance(read, Reaction) or question.moment == question.topic:
        return False
    return all(option.id != read.option for option in question.options)


def _without(value: Data, name: str) -> Data | None:
    """A mapping without one of its names; none where nothing is left."""
    assert isinstance(value.node.value, dict)
    left = {key: node for key, node in value.node.value.items() if key != name}
    return value.renamed(left) if left else None


def _for_another_stretch(question: AnyQuestion, value: Data) -> bool:
    """Whether a reaction is meant for a later stretch or point of a path than the one that is asked about."""
    if not isinstance(question, React) or not isinstance(value.node.value, dict) or not value.has("along"):
        return False
    here = question.facts.get(ALONG)
    if question.stretch is None:
        return here is not None and value.length("along") != here
    start, end = question.stretch
    return not start <= value.length("along") <= end
