"""The page in a browser, against a real server: every question, whole battles, two players, every page by axe."""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread

import pytest

from sandtable.forces.ledger import systems
from tests.page.in_browser import play_in_browser
from tests.page.shelf import WHERE
from tests.server.tables import Server, serving
from tests.server.test_playing import seats, serves

Play = Callable[..., None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every ruleset and the gallery."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('page') / 'battles.sqlite'}", library=WHERE) as it:
        yield it


@pytest.fixture
def play(server: Server) -> Play:
    """Plays a scenario of `tests/page/browser` in the browser; what went wrong there fails the test."""
    return partial(play_in_browser, server.base)


@pytest.mark.parametrize("how", ["mouse", "keyboard", "words"])
def test_every_question_is_answered(play: Play, how: str) -> None:
    play("gallery", how)


def test_a_whole_battle_against_the_bot_by_clicking(play: Play) -> None:
    play("battle")


#: What is worth doing where it is offered, so that a few answers show much of a ruleset.
WISHES = "enter,shoot,fire,move,fire-support,combat-move,go-in-position,observe,assault,snipe,detach"
#: Scenarios in which there is more to see than in a ruleset's first one; whatever other rulesets come are played too.
WORTH_SEEING = {
    "quickstart": [f"duel {WISHES}"],
    "stargrunt": [f"close-quarters {WISHES}", f"night-patrol {WISHES} hidden"],
}


@pytest.mark.parametrize("how", [f"{name} {how}" for name in systems() for how in WORTH_SEEING.get(name, [""])])
def test_every_ruleset_is_played_by_clicking(play: Play, how: str) -> None:
    play("rulesets", how.strip())


@pytest.mark.parametrize("how", ["dropzone attrition", "dropzone attrition phone"])
def test_cards_in_hand_are_read_by_their_side_and_counted_by_the_other(play: Play, how: str) -> None:
    play("cards", how)


def test_two_browsers_play_each_other_and_one_watches(play: Play) -> None:
    play("two")


def test_the_past_is_seen_again_and_forked(play: Play) -> None:
    play("past")


@pytest.mark.parametrize("how", ["desk", "tablet", "phone"])
def test_every_page(play: Play, how: str) -> None:
    play("pages", how)


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_the_terrain_editor_there_and_back(play: Play, how: str) -> None:
    play("editor", how)


def test_a_roster_is_built_judged_saved_printed_and_played(play: Play) -> None:
    play("roster")


@pytest.mark.parametrize("how", ["desk", "phone"])
def test_an_army_is_built_squad_by_squad(play: Play, how: str) -> None:
    play("army", how)


def test_a_force_group_is_built_and_what_is_to_come_says_so(play: Play) -> None:
    play("force")


@pytest.mark.parametrize(
    "how",
    [
        "quickstart desk light",
        "quickstart phone dark",
        "stargrunt desk dark",
        "stargrunt phone light",
        "dropzone desk light",
        "dropzone phone dark",
        "strikeops desk dark",
        "strikeops phone light",
    ],
)
def test_what_happens_is_seen_moment_by_moment(play: Play, how: str) -> None:
    play("playing", how)


@pytest.mark.parametrize("how", ["desk dark", "phone light"])
def test_the_log_is_a_story_and_follows(play: Play, how: str) -> None:
    play("story", how)


@pytest.mark.parametrize(
    "how",
    [
        "quickstart desk light",
        "quickstart phone dark",
        "stargrunt desk dark",
        "stargrunt phone light",
        "dropzone desk light",
        "dropzone phone dark",
        "strikeops desk dark",
        "strikeops phone light",
    ],
)
def test_no_trap_doors_true_odds_and_a_layout_that_holds(play: Play, how: str) -> None:
    play("choices", how)


@pytest.mark.parametrize("how", ["desk dark", "phone light"])
def test_squads_see_what_they_declare_and_read_what_came_of_it(play: Play, how: str) -> None:
    play("squads", how)


@pytest.mark.parametrize(
    "how",
    [
        "quickstart desk dark",
        "quickstart phone light",
        "stargrunt desk light",
        "stargrunt phone dark",
        "dropzone desk dark",
        "dropzone phone light",
        "strikeops desk light",
        "strikeops phone dark",
    ],
)
def test_moves_are_drawn_with_pleasure(play: Play, how: str) -> None:
    play("drawing", how)


@pytest.mark.parametrize("how", ["desk light", "phone dark"])
def test_at_the_table_and_on_the_way_to_it(play: Play, how: str) -> None:
    play("table-side", how)


@pytest.mark.parametrize("how", ["desk light", "phone dark"])
def test_taking_back_clocks_names_and_a_chat_beside_the_board(play: Play, how: str) -> None:
    play("asides", how)


@pytest.mark.parametrize("how", ["desk light", "phone dark"])
def test_a_flag_falls_and_both_see_it(play: Play, server: Server, how: str) -> None:
    red, blue, watching = seats(server.begin("quickstart", scenario="duel", clock={"minutes": 1}))

    def let_time_go_by() -> None:
        with server.page(watching) as watcher:
            watcher.until(lambda: bool(watcher.chat))
            serves(server, 61)

    time = Thread(target=let_time_go_by)
    time.start()
    play("flag", f"{how} {red} {blue}")
    time.join()


@pytest.mark.parametrize("how", ["desk dark", "phone light"])
def test_called_guided_and_told_at_the_end(play: Play, how: str) -> None:
    play("called", how)


@pytest.mark.parametrize(
    "how",
    [
        "quickstart desk light",
        "quickstart phone dark",
        "stargrunt desk dark",
        "stargrunt phone light",
        "dropzone desk light",
        "dropzone phone dark",
        "strikeops desk dark",
        "strikeops phone light",
    ],
)
def test_ten_questions_are_answered_on_the_screen(play: Play, how: str) -> None:
    play("ten", how)


@pytest.mark.parametrize(
    "how",
    [
        "keys desk light quickstart battered",
        "keys desk dark stargrunt duel",
        "keys desk light dropzone checkpoint",
        "keys desk dark strikeops meeting",
        "touch phone dark quickstart battered",
        "touch phone light stargrunt duel",
        "touch phone light dropzone checkpoint",
        "touch phone dark strikeops meeting",
    ],
)
def test_a_whole_battle_by_keys_alone_and_by_touch_alone(play: Play, how: str) -> None:
    play("hands", how)


@pytest.mark.parametrize(
    "how",
    [
        "quickstart phone light",
        "stargrunt desk dark",
        "stargrunt phone dark",
        "dropzone phone light",
        "strikeops desk light",
        "strikeops phone dark",
    ],
)
def test_what_a_question_is_about_is_in_sight(play: Play, how: str) -> None:
    play("sight", how)


def test_a_phone(play: Play) -> None:
    play("phone")
