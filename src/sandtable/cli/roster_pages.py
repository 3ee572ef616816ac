"""Rosters at the command line: what one comes to, and battles that are played with some."""

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from sandtable.cli.problems import UsageError
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Setup
from sandtable.forces.files import RosterError, read_file
from sandtable.forces.reading import Loaded
from sandtable.forces.roster import Roster, load_roster
from sandtable.lab.rulebooks import rulebook
from sandtable.tabletop.rosters import judged


def setup_of(ruleset: str, scenario: str, size: int, rosters: Sequence[str]) -> Setup:
    """The set-up of a battle, with the rosters that sides bring."""
    book, given = rulebook(ruleset).ruleset(), rosters_given(ruleset, rosters)
    return book.opening.setup(scenario, size, given) if given else book.setup(scenario, size)


def rosters_given(ruleset: str, given: Sequence[str]) -> dict[Side, Loaded[Roster]]:
    """The rosters of `--roster SIDE=FILE`, by side."""
    found: dict[Side, Loaded[Roster]] = {}
    for one in given:
        name, _, file = one.partition("=")
        side = Side(name)
        if not side or not file:
            raise UsageError(f"--roster {one}: say SIDE=FILE, such as red=army.yaml")
        if side in found:
            raise UsageError(f"--roster {one}: {side} has a roster already")
        found[side] = _loaded(ruleset, Path(file))
    return found


def _loaded(ruleset: str, path: Path) -> Loaded[Roster]:
    book = rulebook(ruleset).ruleset()
    if book.cards is None or book.roster_offer() is None:
        raise RosterError(str(path), 0, f"nothing is bought in {ruleset}", "play one of its scenarios as it is")
    return load_roster(path, book.cards)


def judge(file: str, as_json: bool) -> int:
    """Show what a roster comes to; 0 where it may be played, 1 where not."""
    path = Path(file)
    named = read_file(path, RosterError).child("ruleset")
    if named is None or not isinstance(named.value, str):
        raise RosterError(file, 0, "the roster names no ruleset", "begin it with `ruleset: NAME`")
    book, loaded = rulebook(named.value).ruleset(), _loaded(named.value, path)
    roster = loaded.value
    report, bill, tallies = judged(book, loaded), book.roster_charges(roster), book.roster_tallies(roster)
    lawful = report.lawful and (roster.limit is None or bill.total <= roster.limit)
    if as_json:
        told = {
            "ruleset": roster.ruleset,
            "name": roster.name,
            "points": bill.total,
            "limit": roster.limit,
            "lawful": lawful,
            "charges": [{**msgspec.to_builtins(one), "total": one.total} for one in bill.charges],
            "tallies": [{**msgspec.to_builtins(one), "kept": one.finding is None} for one in tallies],
            "findings": msgspec.to_builtins(report.findings),
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(f"{roster.name} ({roster.ruleset})\n\n{bill}")
        if tallies:
            width = max(len(one.what) for one in tallies)
            print()
            for one in tallies:
                mark, how = " " if one.finding is None else "✗", f" = {one.sum}" if one.sum else ""
                print(f"{mark} {one.what:{width}}  {one.found} of {one.bounds}{how}  ({one.rule})")
        print(f"\n{report}" if report.findings else "", end="\n" if report.findings else "")
        print("\nIt may be played." if lawful else "\nIt may not be played.")
    return 0 if lawful else 1
