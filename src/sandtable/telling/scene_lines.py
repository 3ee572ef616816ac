"""The line of a scene: what somebody did, and what came of it, in as few words as will do."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from sandtable.engine import events as e
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.table import Table
from sandtable.telling.together import Shared, alike, together
from sandtable.telling.vocabulary import Vocabulary, listed, listed_alike
from sandtable.telling.words import Teller, came_of, outcome_words, rolled_for, sentence

_TIMES = {2: "twice"}

#: How many things that came of a deed are told in its line; the others are seen in the lines below it.
MOST_TOLD = 6


class Aim(msgspec.Struct, frozen=True):
    """A line of the log in which one thing does something to another."""

    line: int  # the first line of a log is 1
    by: str
    at: str


class Scene(msgspec.Struct, frozen=True):
    """A deed and what came of it. Without a lead nothing in it needs to be told."""

    first: int  # its first line; the first line of a log is 1
    upto: int  # its last line
    side: Side = NO_SIDE
    who: str = ""  # who acts: a thing
    lead: str = ""
    came: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()

    def words(self) -> str:
        """The scene in one line.

        >>> Scene(1, 3, lead="R1 fires at B1", came=("hit", "B1 takes 2 damage")).words()
        'R1 fires at B1: hit, B1 takes 2 damage.'
        """
        return self.lead + (f": {', '.join(self.came)}" if self.came else "") + ("." if self.lead else "")


class OpenScene:
    """A scene that may still grow."""

    def __init__(self, first: int) -> None:
        self.first = self.upto = first
        self.causes: dict[int, int] = {}  # the number of an event → of the one that caused it
        self.named: set[str] = set()  # whom its events are about
        self.told: list[e.AnyEvent] = []
        self.aside: list[e.AnyEvent] = []  # told only where nothing else is
        self.lines: list[int] = []  # those of all that is told, the first line of the log is 1
        self.deed: e.Declared | None = None
        self.aims: list[Aim] = []
        self.shown = Scene(first, first)


class SceneLine(Teller):
    """The line of one scene."""

    def __init__(self, table: Table, vocabulary: Vocabulary, scene: OpenScene) -> None:
        super().__init__(table, vocabulary)
        self.scene_told, self.open = scene.told or scene.aside, scene

    def scene(self) -> Scene:
        """The scene as it stands."""
        told = self.scene_told
        if not told:
            acting = self.table.acting
            return Scene(self.open.first, self.open.upto, self.table.acting_side, "".join(acting[1:2]))
        lead, rest = self._lead(told)
        who = self._who(told[0])
        thing = self.table.things.get(who)
        side = thing.side if thing is not None else Side(who) if who in self.table.sides else NO_SIDE
        times = Counter(self._tidy(one) for one in self._came(rest, who) if one)
        came = [one if n == 1 else f"{one} {_TIMES.get(n, f'{n} times')}" for one, n in times.items()]
        if not lead and came:  # what came of it is what was done
            lead, *came = came
        came = self._shorter(came, _speaks_of(lead, self._labels()))
        extra = len(came) - MOST_TOLD
        came = came[:MOST_TOLD] + ([f"and {extra} more"] if extra > 0 else [])
        lead = self._tidy(lead)
        return Scene(
            self.open.first,
            self.open.upto,
            side,
            who if thing is not None else "",
            lead[:1].upper() + lead[1:],
            tuple(came),
            tuple(self.open.aims),
        )

    def _tidy(self, words: str) -> str:
        """Without its full stop, and names that begin with an article as they stand within a sentence: at the Inn."""
        return re.sub(r"(^|(?<![.:?!]) )The (?=[A-Z])", r"\1the ", words.strip().removesuffix("."))

    def _shorter(self, came: list[str], lead: str) -> list[str]:
        """Of several things that came to one, the name is said once: `R1 takes 2 damage, now suppressed`.

        So it is where the deed (`lead` names who did it) was theirs.
        """
        subjects = [self._subject(words) for words in came]
        before = [lead, *subjects]
        return [
            words.removeprefix(f"{name} ") if name and name == last else words
            for words, name, last in zip(came, subjects, before, strict=False)
        ]

    def _subject(self, words: str) -> str:
        """Whom some words speak of first: the longest name that they begin with."""
        return _begins_with(words, self._labels())

    def _labels(self) -> list[str]:
        return [thing.label for thing in self.table.things.values() if thing.label]

    def _who(self, event: e.AnyEvent) -> str:
        """Whose scene it is."""
        for field in ("actor", "by", "model", "side", "who", "target", "thing"):
            name = str(getattr(event, field, ""))
            thing = self.table.things.get(name)
            if thing is not None:
                return thing.unit if thing.kind == "model" and thing.unit in self.table.things else name
            if name in self.table.sides:
                return name
        return ""

    # What was begun ----------------------------------------------------------------------------------------------

    def _lead(self, told: Sequence[e.AnyEvent]) -> tuple[str, Sequence[e.AnyEvent]]:
        """What somebody did, and the events that came of it."""
        first = told[0]
        if isinstance(first, e.Declared):
            declared = [one for one in told if isinstance(one, e.Declared) and not one.because]
            for one in told:  # one weapon after another, of one volley
                if isinstance(one, e.Declared) and any(_joins(other, one) for other in declared):
                    declared.append(one)
            rest = [one for one in told if one not in declared]
            return self._declares(declared), rest
        if isinstance(first, e.Rolled):
            lead = self._rolls(first)
            return lead, told[1:] if lead == came_of(first, self.table, self.vocabulary) else told
        if isinstance(first, e.PhaseBegan):
            phases = [one for one in told if isinstance(one, e.PhaseBegan)]
            return self.phase(phases[-1]), told[len(phases) :]
        if is_scenery(first):
            pieces = [one for one in told if is_scenery(one)]
            return "the table is laid", told[len(pieces) :]
        if isinstance(first, e.HarmApplied):
            harm = list(self._harm(told))
            return ", ".join(harm), [one for one in told if not isinstance(one, e.HarmApplied)]
        if isinstance(first, e.Forfeited) and self.open.deed is not None and self.open.deed.actor == first.actor:
            return self._does(self.open.deed, "does "), told
        if isinstance(first, e.Forfeited):
            lost = [one for one in told if isinstance(one, e.Forfeited) and one.actor == first.actor]
            return self.gives_up(lost), [one for one in told if one not in lost]
        if isinstance(first, Shared):
            run = [one for one in told if isinstance(one, type(first)) and _runs(first, one, self.table)]
            if isinstance(first, e.StateChanged) and first.who in self.table.sides:
                run = [one for one in told if isinstance(one, e.StateChanged) and one.state == first.state]
            rest = [one for one in told if one not in run]
            if isinstance(first, e.StateChanged):
                return self._brief(run), rest
            return together(run, self.table, self.vocabulary), rest
        return sentence(first, self.table, self.vocabulary), told[1:]

    def _declares(self, declared: Sequence[e.Declared]) -> str:
        """One declaration as it is told; of several, one after another."""
        first = declared[0]
        if len(declared) > 1 and all(any(_joins(other, one) for other in declared) for one in declared[1:]):
            return self._volley(declared)
        own = {f"declares {first.action}", f"declares {first.action} at"}
        if len(declared) == 1 and own.isdisjoint(self.vocabulary.phrases):
            return self._does(first, "")
        deeds = Counter(self._deed(one) for one in declared)  # in the order in which they were declared
        said = [deed if n == 1 else f"{deed} {_TIMES.get(n, f'{n} times')}" for deed, n in deeds.items()]
        return f"{self.name(first.actor)} declares {', then '.join(said)}"

    def _deed(self, event: e.Declared) -> str:
        """What is declared: a ruleset may have its own phrase for it, behind ` at` where it is aimed at somebody."""
        at, tools = self.names([one for one in event.targets if one != event.actor]), self.arms(event.tools)
        aimed = self.phrase(f"declares {event.action} at", "", at=at) if at else None
        said = aimed or self.phrase(f"declares {event.action}", "") or self.word(event.action)
        return said + (f" at {at}" if at and not aimed else "") + (f" with {tools}" if tools else "")

    def _volley(self, declared: Sequence[e.Declared]) -> str:
        """What several weapons are fired at, of one model or of several of a unit."""
        first, actors = declared[0], list(dict.fromkeys(one.actor for one in declared))
        units = list(dict.fromkeys(unit_of(one, self.table) for one in actors))
        who = self.name(actors[0] if len(actors) == 1 else units[0]) if len(units) == 1 else self.names(actors)
        aimed: dict[str, dict[str, None]] = {}
        for one in declared:
            tools = aimed.setdefault(self.names(self._aimed(one)[1]), {})
            tools |= dict.fromkeys(self.name(_kind_of(tool, self.vocabulary)) for tool in one.tools)
        each = [(listed(list(tools)), at) for at, tools in aimed.items()]
        if len({tools for tools, _ in each}) == 1:
            each = [(each[0][0], listed(list(aimed)))]
        many = len(units) > 1 or (len(actors) > 1 and self.is_plural(units[0]))
        phrase = self.phrase(first.action, who, many=many, at=each[0][1], tools=each[0][0])
        lead = phrase or f"{who}: {self.word(first.action)} with {each[0][0]} at {each[0][1]}"
        return listed([lead, *(f"{tools} at {at}" if tools else at for tools, at in each[1:])])

    def _rolls(self, roll: e.Rolled) -> str:
        if self.open.deed is not None and self.open.deed.actor in (roll.by, self._who(roll)):
            return self._does(self.open.deed, "does ")
        said = came_of(roll, self.table, self.vocabulary)
        if said is None:
            throws = dict.fromkeys(one.by for one in self.scene_told if isinstance(one, e.Rolled))
            sides = [one for one in throws if one in self.table.sides] or [roll.by]
            said = self.phrase(f"throws {roll.what}", self.names(sides), many=len(sides) > 1)
        if said is not None:
            return said
        name = f"{self.name(roll.by)}, " if roll.by else ""
        return f"{name}{rolled_for(roll, self.vocabulary)}"

    def _does(self, deed: e.Declared, lead: str) -> str:
        """That somebody carries out what was declared; behind `does ` a ruleset may have its own phrase for it."""
        action, targets = self._aimed(deed)
        who, at, tools = self.name(deed.actor), self.names(targets), self.arms(deed.tools)
        key = lead + action if lead + action in self.vocabulary.phrases else action
        nobody = "a point" if tools else "somebody"
        said = self.phrase(key, who, at=at or nobody, tools=tools or "something")
        if said is not None:
            named = "{tools}" in self.vocabulary.phrases[key]
            return said + (f" with {tools}" if tools and not named else "")
        does = (f"{self.word(action)}" if lead else f"declares {self.word(action)}") if action else "breaks in"
        return f"{who}{':' if lead else ''} {does}" + (f" at {at}" if at else "") + (f" with {tools}" if tools else "")

    def arms(self, tools: Sequence[str]) -> str:
        """What is used, alike ones together: `both medium MACs and light GM`."""
        return listed_alike([self.name(_kind_of(tool, self.vocabulary)) for tool in tools])

    # What came of it ---------------------------------------------------------------------------------------------

    def _came(self, told: Sequence[e.AnyEvent], doer: str) -> Iterator[str]:
        """What came of a deed: what dice decided, then who is harmed, lost or otherwise than before."""
        caused = self._led_to(one for one in told if isinstance(one, e.HarmApplied | e.ModelLost | e.StateChanged))
        fell = list(self._fell(told))
        rolls = [one for one in told if isinstance(one, e.Rolled | e.Declared)]
        yield from self._outcomes(rolls, caused, doer, " ".join(fell))
        yield from fell

    def _fell(self, told: Sequence[e.AnyEvent]) -> Iterator[str]:
        """Who is harmed, lost or otherwise than before."""
        yield from self._harm(told)
        others = [one for one in told if not isinstance(one, e.Rolled | e.Declared | e.HarmApplied | e.PhaseBegan)]
        failed = {one.n for one in self.scene_told if isinstance(one, e.Rolled) and self._said(one)}
        others = [one for one in others if not (isinstance(one, e.Forfeited) and one.because in failed)]
        gone = {str(one.model) for one in told if isinstance(one, e.ModelLost)}
        others = [one for one in others if not (isinstance(one, e.TerrainChanged) and one.piece in gone)]
        while others:
            first = others.pop(0)
            if isinstance(first, Shared):
                run = [first, *(one for one in others if isinstance(one, Shared) and _runs(first, one, self.table))]
                others = [one for one in others if one not in run]
                yield self._brief(run)
            elif isinstance(first, e.Forfeited):
                lost = [first, *(one for one in others if isinstance(one, e.Forfeited) and one.actor == first.actor)]
                others = [one for one in others if one not in lost]
                yield self.gives_up(lost)
            else:
                words = sentence(first, self.table, self.vocabulary)
                yield words[:1].lower() + words[1:] if words.split(" ")[0].lower() in self.table.sides else words

    def _said(self, roll: e.Rolled) -> bool:
        """Whether what came of a roll is told in a phrase, and so what was lost by it."""
        return came_of(roll, self.table, self.vocabulary) is not None

    def _led_to(self, events: Iterator[e.AnyEvent]) -> set[int]:
        """The numbers of all events that led to these."""
        found: set[int] = set()
        for event in events:
            cause = event.because
            while cause and cause not in found:
                found.add(cause)
                cause = self.open.causes.get(cause, 0)
        return found

    def gives_up(self, events: Sequence[e.Forfeited]) -> str:
        """What somebody cannot do any more, and why: of several reasons the first, for the others stand below."""
        who, said, rest = self.name(events[0].actor), list[str](), list[e.Forfeited]()
        for action, alike_ones in _by_action(events).items():
            phrase = self.phrase(f"forfeits {action}", who, many=len(alike_ones) > 1, value=str(len(alike_ones)))
            if phrase is None:
                rest += alike_ones
            else:
                said += [phrase] if phrase else []
        bare, aimed = self._lost(rest)
        for target, tools in aimed.items():
            phrase = self.phrase("forfeits tools", who, at=target, tools=tools)
            said += [phrase] if phrase else []
            bare += [] if phrase else [f"{tools} at {target}"]
        said += [f"{who} forfeits {listed(bare)}"] if bare else []
        if not said:  # all of it goes without saying, but that is all there is to say
            said = [f"{who} forfeits {listed(list(dict.fromkeys(self.lost_action(one) for one in events)))}"]
        why = dict.fromkeys(str(one.detail["why"]).removesuffix(".") for one in events if one.detail.get("why"))
        return ": ".join([listed([said[0], *(one.removeprefix(f"{who} ") for one in said[1:])]), *list(why)[:1]])

    def _lost(self, events: Sequence[e.Forfeited]) -> tuple[list[str], dict[str, str]]:
        """What is lost, said once; and of weapons, all that were aimed at one together."""
        bare: dict[str, None] = {}
        aimed: dict[str, list[str]] = {}
        for one in events:
            tools, _, target = one.action.partition(" at ")
            kinds = [_kind_of(tool, self.vocabulary) for tool in tools.split(" and ")]
            if target and all(kind in self.vocabulary.words for kind in kinds):
                aimed.setdefault(target, []).extend(tools.split(" and "))
            else:
                bare[self.lost_action(one)] = None
        return list(bare), {self.name(target): self.arms(tools) for target, tools in aimed.items()}

    def _outcomes(
        self, rolls: Sequence[e.Rolled | e.Declared], caused: set[int], doer: str, fell: str
    ) -> Iterator[str]:
        """What dice decided, but for what is told anyway by what it led to (`fell`)."""
        found: dict[str, Counter[str]] = {}
        untold: dict[str, None] = {}  # what came of dice that are told by what they lead to
        for event in rolls:
            if isinstance(event, e.Rolled) and f"roll {event.what}" in self.vocabulary.notes:
                untold[outcome_words(event, self.table, self.vocabulary)] = None
                continue
            if isinstance(event, e.Rolled):
                outcome = outcome_words(event, self.table, self.vocabulary)
                named = event.outcome in self.table.things
                if not outcome or named or outcome in fell or (event.n in caused and self._who(event) != doer):
                    continue
                phrase = came_of(event, self.table, self.vocabulary)
                if phrase is not None:
                    found.setdefault(phrase, Counter())[""] += bool(phrase)
                    continue
                own = (self.open.deed is not None and self._who(event) == doer) or (not found and len(rolls) == 1)
                label = "" if own else rolled_for(event, self.vocabulary)
                found.setdefault(label, Counter())[outcome] += 1
            elif event.because and event.n not in caused and self._who(event) == doer:
                found.setdefault("", Counter())[self.word(event.action)] += 1
        for label, outcomes in found.items():
            if label and "" in outcomes:  # a whole phrase
                yield label if outcomes[""] == 1 else f"{label} ×{outcomes['']}"
                continue
            said = ", ".join(_added(outcomes))
            if said:
                yield f"{label} {said}" if label else said
        yield from self._contest([one for one in rolls if isinstance(one, e.Rolled)])
        if not fell:
            yield from untold

    def _contest(self, rolls: Sequence[e.Rolled]) -> list[str]:
        """What sides came to that threw for the same and of which none had to reach a number: `red 5, blue 6`."""
        last = {one.by: one for one in rolls if one.by in self.table.sides and one.faces}
        open_ = all(one.needs is None and not one.outcome and one.what == rolls[0].what for one in rolls)
        return [", ".join(f"{side} {roll.total}" for side, roll in last.items())] if open_ and len(last) > 1 else []

    def _harm(self, told: Sequence[e.AnyEvent]) -> Iterator[str]:
        lost = {one.model for one in told if isinstance(one, e.ModelLost)}
        harm: dict[tuple[str, str], list[e.HarmApplied]] = {}
        for event in told:
            if isinstance(event, e.HarmApplied) and event.target not in lost:
                who = self._figure_of(event.target) if event.harm.what in self.vocabulary.phrases else ""
                harm.setdefault((who or event.target, event.harm.what), []).append(event)
        for (target, what), events in harm.items():
            hurt = {one.target for one in events}
            if target not in hurt:
                yield self._some(target, len(hurt), what)
                continue
            name, thing = self.name(target), self.table.things.get(target)
            points = events[-1].after - events[0].before
            said = self.phrase(what, name)
            track = f" ({events[-1].after} of {thing.track})" if thing is not None and thing.track > 2 else ""
            does = f"takes {points} {self.word(what)}" if points >= 0 else f"recovers {-points}"
            yield f"{said}{track}" if said else f"{name} {does}{track}"

    def _figure_of(self, model: str) -> str:
        """The unit of a model that has a number and no name of its own: nobody knows `First Squad 7` by that."""
        thing = self.table.things.get(model)
        unit = self.table.things.get(thing.unit) if thing is not None and thing.unit else None
        if thing is None or unit is None or not unit.label:
            return ""
        return unit.id if re.fullmatch(re.escape(unit.label) + r"[ .]?\d+", thing.label) else ""

    def _some(self, unit: str, count: int, what: str) -> str:
        """What has come to so many of a unit."""
        name = self.name(unit)
        return self.phrase(what, f"one of {name}" if count == 1 else f"{count} of {name}", many=count > 1) or ""

    def _brief(self, run: list[Shared]) -> str:
        """One thing that came, or the same for several, in as few words as will do."""
        first = run[0]
        if isinstance(first, e.StateChanged):
            return "" if self.goes_unsaid(first) else self._stand([one for one in run if isinstance(one, type(first))])
        if isinstance(first, e.ModelLost) and len(run) == 1:
            unit = self._figure_of(first.model)
            return self.goes(f"one of {self.name(unit)}" if unit else self.name(first.model), first)
        words = together(run, self.table, self.vocabulary)
        return words[:1].lower() + words[1:] if words.startswith(("Both of ", "All ", "On the table")) else words

    def _stand(self, run: Sequence[e.StateChanged]) -> str:
        """How one stands now, or several alike; until when is seen in the lines below."""
        brief = [msgspec.structs.replace(one, until="") for one in run]
        if run[0].who in self.table.sides:
            told = [one for one in brief if not self.goes_unsaid(one)]
            return ", ".join(_as_a_clause(self.stands(self.name(one.who), one)) for one in told)
        said = together(brief, self.table, self.vocabulary) if len(brief) > 1 else ""
        return _as_a_clause(said or self.stands(self.name(run[0].who), brief[0]))


def _as_a_clause(words: str) -> str:
    return words.replace(" now: ", " now ").replace(" no longer: ", " no longer ")


def _begins_with(words: str, labels: Sequence[str]) -> str:
    """The longest name that some words begin with, where they speak of nobody else besides."""
    begun = [label for label in labels if words.startswith(f"{label} ") and not words.startswith(f"{label} and ")]
    return max(begun, key=len, default="")


def _speaks_of(words: str, labels: Sequence[str]) -> str:
    """Whom some words speak of throughout; nobody where a later clause is about another.

    >>> _speaks_of("R2 moves 3″, now at D7", ["R2", "R3"])
    'R2'
    >>> _speaks_of("R2 takes 3 damage (3 of 5), R3 takes 1 damage (1 of 5)", ["R2", "R3"])
    ''
    """
    first, *later = (_begins_with(clause, labels) for clause in words.split(", "))
    return first if all(one in ("", first) for one in later) else ""


def _added(outcomes: Mapping[str, int]) -> list[str]:
    """What dice came to, the same told once: `hit ×2`; what is counted in itself is added up.

    >>> _added({"2 hits": 1, "1 hit · 1 critical": 2}), _added({"hit": 2, "miss": 1})
    (['4 hits · 2 criticals'], ['hit ×2', 'miss'])
    """
    sums: Counter[str] = Counter()
    for outcome, times in outcomes.items():
        for part in outcome.split(" · "):
            counted = re.fullmatch(r"(\d+|no) ([A-Za-z ]+)", part)
            if counted is None:
                return [one if n == 1 else f"{one} ×{n}" for one, n in outcomes.items() if one]
            count, word = counted.groups()
            sums[word.removesuffix("s")] += 0 if count == "no" else int(count) * times
    told = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in sums.items() if n]
    return [" · ".join(told) or f"no {next(iter(sums), 'effect')}"]


def _by_action(events: Sequence[e.Forfeited]) -> dict[str, list[e.Forfeited]]:
    """What is forfeited, the same together."""
    found: dict[str, list[e.Forfeited]] = {}
    for one in events:
        found.setdefault(one.action, []).append(one)
    return found


def _joins(one: e.AnyEvent, other: e.Declared) -> bool:
    """Whether a declaration goes on with another: the same by the next weapon, or by the next of a unit."""
    return isinstance(one, e.Declared) and other.because == one.n != 0 and other.action == one.action


def _runs(one: Shared, other: Shared, table: Table) -> bool:
    return one is other or alike(one, other, table)


def _kind_of(tool: str, vocabulary: Vocabulary) -> str:
    """The kind of a tool of which there are several: `gun-2` is another `gun`."""
    kind = re.sub(r"-\d+$", "", tool)
    return kind if kind in vocabulary.words else tool


def unit_of(name: str, table: Table) -> str:
    """The unit of a model; of anything else, itself."""
    return (table.things[name].unit if name in table.things else "") or name


def is_scenery(event: e.AnyEvent) -> bool:
    """Whether the table is laid with it: a piece of terrain, or what may be entered there."""
    return isinstance(event, e.Placed) and (event.piece is not None or _new_kind(event) == "holder")


def _new_kind(event: e.Placed) -> str:
    return event.made.kind if event.made is not None else ""
