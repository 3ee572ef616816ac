"""`sandtable replay --html`: one file that shows a battle with its rolls and rules, and trusts no word of a journal."""

import html
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.bots import make_bot
from sandtable.cli import main
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Harm,
    HarmApplied,
    ModelLost,
    Moved,
    Placed,
    Revealed,
    Rolled,
    StateChanged,
    TerrainChanged,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import BLUE, RED, PieceId, RuleId, ThingId
from sandtable.engine.records.journal import FORMAT, Happened, Header, Journal, JournalError
from sandtable.engine.records.replay import folded
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Base, Disc, In, Off, Point, rectangle
from sandtable.engine.table import Piece, Thing
from sandtable.field.drawing.ink import safe
from sandtable.forces.ledger import ledger
from sandtable.lab.battles import play_battle
from sandtable.lab.replay_page import replay_page
from sandtable.lab.replay_page.story import story
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.telling.scenes import is_bookkeeping
from tests.conftest import needs
from tests.engine.duel import Duel
from tests.miniatures import ALL

_COMMAND = "import sys; from sandtable.cli import main; sys.exit(main())"
NASTY = ThingId('</script><img src=x onerror="alert(1)">&<b>@@DATA@@')


@pytest.fixture(scope="module")
def played() -> Journal:
    """A whole battle of one a side."""
    package = rulebook("quickstart").ruleset()
    ruleset, setup = package, package.setup("duel")
    players = {side: make_bot("random", ruleset, 7, side) for side in setup.sides}
    return play_battle(ruleset, setup, players, seed=7).saved()


@pytest.fixture
def file(tmp_path: Path, played: Journal) -> Path:
    path = tmp_path / "duel.journal"
    played.save(path)
    return path


def made(events: list[Any], ruleset: str = "made-up") -> Journal:
    """A journal of nothing but events."""
    numbered = [type(e)(**{**{f: getattr(e, f) for f in e.__struct_fields__}, "n": n}) for n, e in enumerate(events, 1)]
    return Journal(Header(FORMAT, ruleset, "1", Setup()), [Happened(event) for event in numbered])


def board() -> Placed:
    return Placed("board", Off(), piece=Piece(PieceId("board"), "board", rectangle(0, 0, 24000, 24000)))


def model(name: ThingId, label: str = "", **fields: Any) -> Placed:
    thing = Thing(name, side=RED, label=label, base=Base("hexagon", 1500), glyph="walker", track=5, **fields)
    return Placed(name, At(Point(6000, 6000)), 0, made=thing)


def data_of(page: str) -> Any:
    """What the script reads, as a browser would find it."""
    found = re.search(r'<script type="application/json" class="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


class _Elements(HTMLParser):
    """Every element a browser would make, with its attributes; and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._hidden = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._hidden = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text += data


# What is on it -----------------------------------------------------------------------------------------------------


def test_the_command_writes_one_page(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "duel.html"
    assert main(("replay", str(file), "--html", str(out))) == 0
    assert str(out) in capsys.readouterr().out
    page = out.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>CAV: Strike Operations Quick-Start: red against blue" in page, "the game by its name, not its id"
    assert len(page.encode()) < 1_500_000
    assert sorted(one.name for one in tmp_path.iterdir()) == ["duel.html", "duel.journal"]


def test_nothing_is_fetched(played: Journal) -> None:
    page = replay_page(played)
    fetching = {"src", "srcset", "data", "poster", "action"}
    for tag, attributes in _Elements(page).found:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base"), tag
        assert not fetching & {name for name in attributes if name != "data"}, (tag, attributes)
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#"), attributes
    assert "url(http" not in page
    assert "@import" not in page
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}


def test_every_roll_is_there_with_faces_parts_need_and_verdict(played: Journal) -> None:
    page = replay_page(played, rules=ledger("quickstart").rules)
    rolls = [event for event in played.events() if isinstance(event, Rolled)]
    blocks = re.findall(r'<div class="roll">.*?</div></div>', page)
    assert len(blocks) == len(rolls) > 50
    for roll, block in zip(rolls, blocks, strict=True):
        faces = re.findall(r'<b class="die">(\d+)</b>', block)
        assert faces == [str(face) for face in roll.faces]
        for part in (*roll.parts, *roll.needs_parts):
            assert f">{safe(part.label)}</a>" in block
        if roll.needs is not None:
            assert f"<i>needs</i><b>{roll.needs}</b>" in block
        if roll.margin is not None:
            assert ('class="verdict not"' in block) == (roll.margin < 0)


def test_every_rule_named_is_one_click_away_with_its_words(played: Journal) -> None:
    rules = ledger("quickstart").rules
    page = replay_page(played, rules=rules)
    elements = _Elements(page)
    targets = {attributes["id"] for tag, attributes in elements.found if tag == "article"}
    links = {attributes["href"] for tag, attributes in elements.found if tag == "a"} - {"#log"}
    assert links == {f"#{target}" for target in targets}
    used = {event.rule for event in played.events() if event.rule and not is_bookkeeping(event)}
    for name in used:
        assert f"<code>{name}</code>" in page
        assert safe(rules[name].text) in page


def test_the_data_is_the_table_after_every_event(played: Journal) -> None:
    """The script finds each model exactly where folding the events puts it."""
    page = replay_page(played, everything=True)
    data = data_of(page)
    events = played.events()
    tables = list(folded(events, played.header.setup.sides))
    names = {look["name"] for look in data["looks"]}
    assert names == {"R1", "B1"}
    for n, table in enumerate(tables):
        for history in data["things"]:
            at = max((k for k, moment in enumerate(history["at"]) if moment <= n), default=None)
            record = None if at is None else history["was"][at]
            if record is None:
                continue
            name = data["looks"][record[0]]["name"]
            thing = next(one for one in table.things.values() if one.label == name)
            place = thing.place
            assert (record[1] is None) == (not thing.on_table), (n, name)
            if isinstance(place, At) and thing.on_table:
                assert (record[1], record[2], record[3]) == (*place.point, thing.facing), (n, name)
            assert record[4] == thing.harm
    assert len(re.findall(r"data-at=", page)) == len(events)


@pytest.mark.parametrize("name", ALL)
def test_any_ruleset_can_be_watched(name: str) -> None:
    """Counters, buildings, holders, levels, secrets: every miniature is a page, its models where events put them."""
    mini = ALL[name]
    bots = {side: make_bot("random", mini.ruleset, 3, side) for side in mini.setups[0].sides}
    journal = play_battle(mini.ruleset, mini.setups[0], bots, seed=3).journal
    data = data_of(replay_page(journal))
    *_, table = folded(journal.events(), journal.header.setup.sides)
    standing = sorted((*thing.place.point, thing.facing) for thing in table.models() if isinstance(thing.place, At))
    last = [history["was"][-1] for history in data["things"]]
    drawn = [r for r in last if r and r[1] is not None and not r[7] & 4 and data["looks"][r[0]]["model"]]
    assert sorted((r[1], r[2], r[3]) for r in drawn) == standing


def test_terrain_comes_changes_and_goes() -> None:
    wood = Piece(PieceId("w"), "light-woods", Disc(Point(9000, 9000), 2000), label="Wood")
    page = replay_page(
        made([
            board(),
            Placed("w", Off(), piece=wood),
            TerrainChanged(PieceId("w"), before="light-woods", after="rough"),
            TerrainChanged(PieceId("w"), before="rough", after="light-woods"),
            TerrainChanged(PieceId("w"), before="light-woods"),
        ])
    )  # fmt: skip
    assert data_of(page)["pieces"] == [[1, 2, 3, 4], [2, 3]]
    assert page.count('data-piece="0"') == page.count('data-piece="1"') == 1


def test_lost_held_and_revealed_models() -> None:
    house = Piece(PieceId("h"), "building", rectangle(12000, 12000, 3000, 3000), height=2)
    page = replay_page(
        made([
            board(),
            Placed("h", Off(), piece=house),
            model(ThingId("a"), "A1"),
            Moved(ThingId("a"), At(Point(6000, 6000)), In("h", "attic")),
            Revealed("who", made=Thing(ThingId("a"), side=BLUE, label="B7", place=At(Point(8000, 8000)))),
            HarmApplied("a", Harm("damage", 1), 0, 1),
            ModelLost(ThingId("a"), "destroyed"),
        ])
    )  # fmt: skip
    data = data_of(page)
    (history,) = data["things"]
    looks = [data["looks"][record[0]]["name"] for record in history["was"]]
    assert looks == ["A1", "A1", "B7", "B7", "B7"]
    assert history["was"][1][7] & 4, "who is inside flies a flag and has no figure"
    assert history["was"][-1][1] is None
    assert data["words"][history["was"][-1][8]] == "lost: destroyed"


def test_answers_taken_back_put_the_table_back() -> None:
    rules = Duel()
    battle = Battle(rules, Setup(), seed=3)
    before = len(battle.journal.events())
    question = battle.questions[0]
    bot = make_bot("random", rules, 1, question.side)
    for _ in range(400):
        question = battle.questions[0]
        battle.answer(bot.answer(battle.view(question.side), question), question.side)
        if battle.ended or battle.undo(question.side) is None:
            break
    assert len(battle.journal.events()) > before
    page = replay_page(battle.journal)
    assert len(re.findall(r"data-at=", page)) > 0
    told = any(type(event).__name__ == "TakenBack" for event in battle.journal.events())
    assert ("takes its last answer back" in page) == told


# Whom it trusts ----------------------------------------------------------------------------------------------------


def test_markup_in_the_journal_stays_words() -> None:
    nasty = made(
        [
            board(),
            Placed(NASTY, Off(), piece=Piece(PieceId(NASTY), NASTY, Disc(Point(9000, 9000), 2000), label=NASTY)),
            model(NASTY, NASTY),
            StateChanged(NASTY, NASTY, None, NASTY, NASTY, rule=RuleId(NASTY)),
            Rolled(
                NASTY, NASTY, NASTY, (3,), 3, (ExplainedPart(NASTY, 1, RuleId(NASTY)),), 4, 5,
                (ExplainedPart(NASTY, 5, RuleId("")),), -1, NASTY, rule=RuleId("r.x"),
            ),
            ModelLost(NASTY, NASTY),
        ],
        ruleset=NASTY,
    )  # fmt: skip
    page = replay_page(nasty, title=NASTY)
    plain = replay_page(made([board()]))
    elements = _Elements(page)
    assert not [tag for tag, _ in elements.found if tag == "img"]
    assert sum(tag == "script" for tag, _ in elements.found) == sum(t == "script" for t, _ in _Elements(plain).found)
    for _, attributes in elements.found:
        assert not [name for name in attributes if name.startswith("on")]
    assert NASTY in elements.text
    assert any(look["name"] == NASTY for look in data_of(page)["looks"])
    assert "Content-Security-Policy" in page


def test_the_same_journal_gives_the_same_bytes_in_another_process(file: Path, tmp_path: Path) -> None:
    pages = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.html"
        subprocess.run(
            [sys.executable, "-c", _COMMAND, "replay", str(file), "--html", str(out)],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            check=True,
            capture_output=True,
        )
        pages.append(out.read_bytes())
    assert pages[0] == pages[1]


def test_a_journal_of_a_ruleset_that_is_gone_is_shown_without_rule_texts(file: Path, tmp_path: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"ruleset":"quickstart"', b'"ruleset":"long-gone"'))
    out = tmp_path / "gone.html"
    assert main(("replay", str(file), "--html", str(out))) == 0
    page = out.read_text("utf-8")
    assert "<code>quickstart.dice" in page or "<code>quickstart." in page
    assert "its ruleset was not there" in page


def test_states_get_the_shapes_that_are_given_for_them() -> None:
    events = [
        board(),
        model(ThingId("a"), "A1"),
        StateChanged("a", "flat", None, 1),
        StateChanged("a", "spent", None, 1),
    ]
    plain, shaped = (data_of(replay_page(made(events), states=s)) for s in ({}, {"flat": "down", "spent": "acted"}))
    assert ["badge-word" in badge for badge in plain["badges"]] == [True, True]
    assert ["badge-icon" in badge for badge in shaped["badges"]] == [True], "who has acted lowers the flag instead"
    assert [record[7] for record in shaped["things"][0]["was"]] == [0, 8, 10]


def test_an_empty_journal_is_a_page_too() -> None:
    assert "Nothing on the table yet" in replay_page(made([]))


@pytest.mark.parametrize("name", ["", "folder", "nowhere/out.html", "notes.txt"])
def test_nothing_else_is_overwritten(file: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    assert main(("replay", str(file), "--html", str(tmp_path / name))) == 2
    assert "name" in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_page_is_written_over_a_page(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    out.write_text("<!doctype html><p>old")
    assert main(("replay", str(file), "--html", str(out))) == 0
    assert "old" not in out.read_text("utf-8")[:40]


def test_an_edited_journal_is_told(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal.load(file)
    at = next(n for n, line in enumerate(journal.lines) if isinstance(line, Happened) and isinstance(line.event, Moved))
    journal.lines[at] = Happened(replace(journal.lines[at].event, model="nobody"))  # type: ignore[union-attr]
    journal.save(file)
    assert main(("replay", str(file), "--html", str(tmp_path / "x.html"))) == 2
    assert "cannot happen here" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


def test_a_base_that_is_none_is_told() -> None:
    thing = Thing(ThingId("a"), side=RED, base=Base("rectangle", 1500))
    with pytest.raises(JournalError, match="cannot be drawn"):
        replay_page(made([board(), Placed("a", At(Point(6000, 6000)), 0, made=thing)]))


# In a browser ------------------------------------------------------------------------------------------------------

#: Scrubs both ways, plays, opens a rule, and says in the title what it found.
_DRIVE = """
<script>
addEventListener("load", () => {
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const line = () => document.querySelector("#log > .now .at").textContent;
  const drawn = () => [...document.querySelectorAll(".models > g, .flags > g, .pencil, .rows, [data-piece]")]
    .filter((g) => g.style.display !== "none").map((g) => g.style.transform + g.innerHTML).join("");
  const to = (moment) => {
    slider.value = moment;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const slider = document.querySelector("input[type=range]");
  const said = [line()];
  to(200); const then = drawn();
  key("End"); said.push(line());
  to(200); said.push(drawn() === then && then.includes("base"));
  key("Home"); said.push(line());
  key("."); key("ArrowRight"); said.push(line());
  key(","); said.push(line());
  key("]"); const step = line(); key("]"); key("["); said.push(line() === step);
  to(40); said.push(line());
  said.push(document.querySelector("#log > .now").dataset.at);
  document.querySelector("#log a.rule").click();
  said.push(document.querySelector(".rule-card").open, document.querySelector(".rule-card h3").textContent.length > 0);
  document.querySelector(".rule-card").close();
  key(" "); said.push(document.body.classList.contains("playing"));
  key(" "); said.push(document.body.classList.contains("playing"));
  document.documentElement.dataset.said = JSON.stringify(said);
});
</script>
"""


def chromium_page(chromium: str, path: Path, *options: str, at: str = "") -> str:
    found = subprocess.run(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--user-data-dir={path.parent / 'profile'}", *options, path.as_uri() + at],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return found.stdout


def test_it_works_by_keyboard_in_a_browser(played: Journal, tmp_path: Path) -> None:
    chromium = needs("chromium")
    page = replay_page(played, rules=ledger("quickstart").rules)
    # The page lets no script in but its own, so the one that drives it has to be let in first.
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page, count=1)
    path = tmp_path / "driven.html"
    path.write_text(page.replace("</body>", _DRIVE + "</body>"), "utf-8")
    dom = chromium_page(chromium, path, "--dump-dom", "--virtual-time-budget=3000")
    found = re.search(r'data-said="([^"]*)"', dom)
    assert found is not None, "the script of the page failed"
    said = json.loads(html.unescape(found[1]))
    numbers = [int(n) for n in re.findall(r'class="at"[^>]*>(\d+)<', page)]
    assert said[:2] == [str(numbers[0]), str(numbers[-1])]
    assert said[2] is True, "going to the end and back draws the same table"
    assert said[3] == str(numbers[0])
    assert said[4:6] == [str(numbers[2]), str(numbers[1])]
    assert said[6] is True
    assert said[7:9] == [str(numbers[40]), "40"]
    assert said[9:] == [True, True, True, False]


@pytest.mark.parametrize(("size", "scheme"), [("1440,900", "light"), ("500,900", "dark")])
def test_it_is_seen_in_a_browser(played: Journal, tmp_path: Path, scheme: str, size: str) -> None:
    """It is no blank sheet, in either theme and at either size, and the page's own script may run."""
    chromium = needs("chromium")
    path, shot = tmp_path / "page.html", tmp_path / "shot.png"
    path.write_text(replay_page(played, rules=ledger("quickstart").rules), "utf-8")
    options = [f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}", f"--window-size={size}"]
    chromium_page(chromium, path, "--virtual-time-budget=3000", f"--screenshot={shot}", *options, at="#event-300")
    assert shot.stat().st_size > 60_000
    dom = chromium_page(chromium, path, "--virtual-time-budget=3000", "--dump-dom", *options, at="#event-300")
    assert 'class="live-page"' in dom
    assert re.search(r'<g class="model red"', dom)


def test_what_several_do_alike_is_one_moment() -> None:
    """Every event that is told stands in one moment, and each moment ends with the table after its last event."""
    path = Path(__file__).parent.parent / "golden" / "stargrunt" / "squads-meet.jsonl"
    journal = Journal.decode(path.read_bytes())
    notes = vocabulary_of("stargrunt").notes
    moments = story(journal, notes=notes)
    told = [event for event in journal.events() if not is_bookkeeping(event, notes)]
    stands = [event.n for moment in moments for event in (moment.event, *moment.others)]
    assert sorted(stands) == [event.n for event in told]
    assert len(moments) < len(told) * 3 // 4
    *_, last = folded(journal.events(), journal.header.setup.sides, journal.header.setup.options)
    assert moments[-1].table.things == last.things
    assert len(story(journal, everything=True)) == len(journal.events())
