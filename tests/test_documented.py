"""Every promise of the pages about hosting and the journal, and of the messages, names the test that holds it.

Whoever rewords a promise looks here; a sentence that stands in no page, and a test that is not there, fail.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HOSTING, JOURNAL, MESSAGES = "docs/host-a-table.md", "docs/the-journal.md", "src/sandtable/server/seats/messages.py"

#: Where it is promised, in which words → the tests that hold it, as `file::name` under `tests/`.
PROMISES: dict[tuple[str, str], tuple[str, ...]] = {
    (HOSTING, "keeps battles in a SQLite file under your data folder"): (
        "server/test_serving.py::test_serve_says_where_it_is_and_keeps_battles_in_the_data_folder",
        "server/test_serving.py::test_the_data_folder_follows_the_custom_of_the_system",
    ),
    (HOSTING, "`GET /health` says whether storage answers (200, or 503)"): (
        "server/test_told.py::test_health_is_bad_where_nothing_can_be_written",
    ),
    (HOSTING, "`/schema/openapi.json` the same for programs"): (
        "server/test_description.py::test_every_schema_is_valid_and_so_are_its_defaults",
        "server/test_description.py::test_every_error_is_described_in_its_true_form",
    ),
    (HOSTING, "A name that is not given is refused, on every address"): (
        "server/test_hosting.py::test_a_name_that_was_not_given_is_refused_on_every_address",
        "server/test_guard.py::test_a_name_that_is_not_its_own_is_refused",
    ),
    (HOSTING, "the server stores its hash"): (
        "server/test_guard.py::test_tokens_are_stored_hashed_and_stand_in_no_log",
    ),
    (HOSTING, "-r requirements/postgresql.txt"): ("test_project.py::test_hosted_tables_have_a_list_of_their_own",),
    (HOSTING, "The tables are made, and brought up to date, at every start"): (
        "server/test_storage.py::test_migrations_make_the_tables_that_the_code_means",
        "server/test_interleaved.py::test_of_a_torn_file_a_whole_beginning_is_left",
    ),
    (HOSTING, "A server refuses to start where the database may forget what it acknowledged"): (
        "server/test_storage.py::test_a_database_that_may_forget_is_refused",
        "server/test_storage.py::test_a_postgresql_that_may_forget_is_refused",
    ),
    (HOSTING, "An answer is acknowledged once its lines are on the disk, and nobody hears of it before"): (
        "server/test_killing.py::test_nothing_acknowledged_is_lost_however_often_the_server_is_killed",
        "server/test_faults.py::test_a_fault_at_each_place_of_a_battle_tells_nobody_anything_untrue",
        "server/test_told.py::test_addresses_of_the_database_reach_no_player",
    ),
    (HOSTING, "what it holds decides, and while it does not answer nothing is shown that it may not hold"): (
        "server/test_faults.py::test_a_fault_at_each_place_of_a_battle_tells_nobody_anything_untrue",
        "server/test_told.py::test_addresses_of_the_database_reach_no_player",
    ),
    (HOSTING, "What waits for SQLite's disk is written together"): (
        "server/test_storage.py::test_what_is_written_together_fails_one_by_one",
    ),
    (HOSTING, "Any of them picks up any battle"): (
        "server/test_storage.py::test_a_battle_is_picked_up_by_any_worker_as_it_stood",
    ),
    (HOSTING, "the database lets one of them, and the other tells its page how things stand now"): (
        "server/test_storage.py::test_two_workers_answer_one_question_and_exactly_one_succeeds",
        "server/test_interleaved.py::test_two_workers_in_every_order_show_one_battle",
    ),
    (HOSTING, "Workers hear of each other through PostgreSQL's `LISTEN` and `NOTIFY`"): (
        "server/test_storage.py::test_what_one_worker_keeps_the_others_tell",
    ),
    (HOSTING, "a second server on its file is refused"): (
        "server/test_hosting.py::test_a_second_server_on_one_sqlite_file_is_refused",
    ),
    (HOSTING, "a slow preview holds up neither answers nor anybody else's battle"): (
        "server/test_workers.py::test_a_slow_preview_holds_nobody_up",
        "server/test_workers.py::test_a_preview_that_takes_too_long_is_left_out",
    ),
    (HOSTING, "What a bot has in mind is stored with its answer"): (
        "server/test_workers.py::test_a_battle_of_bots_goes_on_alike_wherever_it_is_picked_up",
    ),
    (HOSTING, "Nothing has to be started anew once the machine is well"): (
        "server/test_stress.py::test_every_battle_ends_whatever_the_weather",
    ),
    (HOSTING, "believes the `X-Forwarded-For` of the proxy at that address, and of nobody else"): (
        "server/test_hosting.py::test_a_proxy_is_believed_at_its_own_address_only",
    ),
    (HOSTING, "sockets and changes are taken only from the page's own origin"): (
        "server/test_guard.py::test_another_site_may_not_speak_for_a_browser",
    ),
    (HOSTING, "of IPv6 a whole /64"): ("server/test_hosting.py::test_an_ipv6_network_counts_as_one",),
    (HOSTING, "may hold 40 sockets and 100 other connections"): (
        "server/test_guard.py::test_too_many_connections_from_one_place_are_dropped",
        "server/test_guard.py::test_a_thousand_connections_from_one_place_are_dropped_and_play_goes_on",
    ),
    (HOSTING, "30 to send it whole"): ("server/test_costs.py::test_a_body_that_does_not_come_is_not_waited_for",),
    (HOSTING, "send 120 requests at once and 20 a second after that"): (
        "server/test_guard.py::test_too_many_requests_are_refused",
    ),
    (HOSTING, "a file of the page counts as a twentieth"): (
        "server/test_page_files.py::test_a_page_that_is_opened_again_and_again_stays_whole",
    ),
    (HOSTING, "begin 60 battles at once, 120 an hour after that"): (
        "server/test_guard.py::test_too_many_battles_from_one_place_are_refused",
    ),
    (HOSTING, "is sent 64 MB at once, 2 MB a second after that"): (
        "server/test_costs.py::test_an_address_is_sent_so_much_and_then_less",
    ),
    (HOSTING, "A message has at most 64 kB, a journal 8 MB"): (
        "server/test_guard.py::test_a_message_that_is_too_long_ends_the_line",
        "server/test_guard.py::test_a_body_that_is_too_long_is_not_read",
    ),
    (HOSTING, "it sits down and chats once a second, after twenty at once"): (
        "server/test_costs.py::test_sitting_down_and_talking_again_and_again_has_an_end",
    ),
    (HOSTING, "A side has at most 40 standing orders of 1 kB"): (
        "server/test_costs.py::test_standing_orders_are_few_short_and_sent_when_they_change",
    ),
    (HOSTING, "each with 1 GB of memory and 4.5 seconds from asking to answering"): (
        "server/test_costs.py::test_what_takes_too_much_time_or_memory_is_ended_and_the_next_is_read",
    ),
    (HOSTING, "One address never has all of these processes"): (
        "server/test_costs.py::test_one_caller_never_holds_every_place_and_never_fills_the_queue",
        "server/test_costs.py::test_many_requests_from_one_address_hold_nobody_else_up",
    ),
    (HOSTING, "A battle that nobody looks at leaves memory after a minute"): (
        "server/test_costs.py::test_battles_that_nobody_looks_at_leave_memory_and_come_back",
    ),
    (HOSTING, "is forgotten after 90 days of being served"): (
        "server/test_costs.py::test_unfinished_battles_that_nobody_visits_expire_by_the_time_served",
    ),
    (HOSTING, "neither a server that was down nor a clock that was set counts"): (
        "server/test_playing.py::test_downtime_and_a_jumping_clock_forfeit_nobody",
    ),
    (HOSTING, "offers of a draw change nothing"): (
        "server/test_playing.py::test_toggling_draw_offers_does_not_hold_a_claim_off",
    ),
    (HOSTING, "whoever sits at the table thinks as long as he likes"): (
        "server/test_playing.py::test_who_sits_at_the_table_is_on_no_clock_that_nobody_agreed_on",
    ),
    (HOSTING, "it does not learn that another has given a standing order"): (
        "server/test_wire.py::test_a_standing_order_is_no_byte_of_anybody_else_s",
        "server/test_told.py::test_how_many_standing_orders_there_are_is_no_number_that_others_see",
    ),
    (HOSTING, "answers to blind reactions leave on a tick of a quarter of a second"): (
        "server/test_wire.py::test_blind_reacts_leave_on_the_tick",
    ),
    (HOSTING, "It is never sent the seed (unless somebody chose it, then all seats see it)"): (
        "server/test_wire.py::test_no_message_holds_the_seed_the_journal_or_another_s_orders",
        "server/test_playing.py::test_a_chosen_seed_is_shown_to_all_seats_and_a_drawn_one_to_nobody",
    ),
    (HOSTING, "Every line of a log says how much had been said when it was written"): (
        "server/test_past.py::test_every_line_says_how_much_had_been_said_whatever_its_log_hides",
    ),
    (HOSTING, "Journals, forks and bots' reasons are had once the battle is over"): (
        "server/test_past.py::test_while_people_play_nobody_gets_the_journal_or_another_s_log",
        "server/test_past.py::test_bots_reasons_are_read_after_the_battle",
    ),
    (HOSTING, "A fork goes on from the last boundary before its moment with fresh dice"): (
        "server/test_past.py::test_a_fork_goes_on_from_its_moment_with_fresh_dice",
    ),
    (JOURNAL, "an old battle can be watched without old code"): (
        "test_old_journals.py::test_an_old_journal_is_watched",
    ),
    (JOURNAL, "Words are no part of them"): (
        "engine/test_questions.py::test_fingerprints_tell_questions_apart_by_all_but_their_words",
    ),
    (JOURNAL, "A file is written whole or not at all"): (
        "engine/test_whole_files.py::test_a_full_disk_a_device_and_a_pipe_are_one_sentence",
        "engine/test_whole_files.py::test_it_is_on_the_disk_before_it_has_its_name",
    ),
    (JOURNAL, "they must be what this program would have written"): (
        "engine/test_verified.py::test_every_forgery_is_found_and_named",
        "engine/test_verified.py::test_what_is_saved_is_verified_with_its_snapshot_and_without",
    ),
    (JOURNAL, "A last line that was cut off can be removed"): (
        "engine/test_journal.py::test_a_line_cut_off_in_the_middle_is_named_and_can_be_removed",
    ),
    (JOURNAL, "each mismatch is told before anything is played"): (
        "test_old_journals.py::test_one_of_another_format_is_not_gone_on_with_and_says_why",
        "engine/test_verified.py::test_a_journal_of_other_rules_is_not_verified",
    ),
    (MESSAGES, "whatever comes back because of it carries the same one"): (
        "server/test_costs.py::test_an_answer_to_too_many_messages_carries_their_id",
    ),
    (MESSAGES, "Published as JSON Schema"): (
        "server/test_wire.py::test_every_message_of_a_battle_fits_the_published_schema",
    ),
    (MESSAGES, "it is in storage and will not be lost"): (
        "server/test_killing.py::test_nothing_acknowledged_is_lost_however_often_the_server_is_killed",
    ),
    (MESSAGES, "It is data: nobody renders markup in it"): (
        "server/test_playing.py::test_markup_in_names_and_chat_is_data",
    ),
    (MESSAGES, "storage does not answer, so it may have been kept or not"): (
        "server/test_told.py::test_addresses_of_the_database_reach_no_player",
    ),
}


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(("where", "words"), PROMISES, ids=lambda value: str(value)[:60])
def test_a_promise_stands_there_and_a_test_holds_it(where: str, words: str) -> None:
    assert plain(words) in plain((ROOT / where).read_text(encoding="utf-8")), "the promise has been reworded"
    for test in PROMISES[where, words]:
        file, _, name = test.partition("::")
        tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in there, f"{test} is not there"
