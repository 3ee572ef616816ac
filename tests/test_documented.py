"""Every promise of the pages about hosting and the journal, and of the messages, names the test that holds it.

Whoever rewords a promise looks here; a sentence that stands in no page, a test that is not there, and a new sentence
that names no test, fail.
"""

import ast
import re
from pathlib import Path

import pytest

from sandtable.engine.records.journal import (
    Answered,
    Conceded,
    Digested,
    DrawOffered,
    Happened,
    Header,
    Ordered,
    Snapshot,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from sandtable.server.api.guard import FILE
from sandtable.server.settings import Limits

ROOT = Path(__file__).resolve().parent.parent
HOSTING, JOURNAL, MESSAGES = "docs/host-a-table.md", "docs/the-journal.md", "src/sandtable/server/seats/messages.py"

#: Where it is promised, in which words → the tests that hold it, as `file::name` under `tests/`.
PROMISES: dict[tuple[str, str], tuple[str, ...]] = {
    (HOSTING, "keeps battles in a SQLite file under your data folder"): (
        "server/test_serving.py::test_serve_says_where_it_is_and_keeps_battles_in_the_data_folder",
        "server/test_serving.py::test_the_data_folder_follows_the_custom_of_the_system",
    ),
    (HOSTING, "The server starts with the C library's allocator, which gives back what is free"): (
        "server/test_serving.py::test_a_server_starts_once_more_with_the_allocator_that_gives_memory_back",
        "server/test_costs.py::test_what_battles_worked_out_is_forgotten_when_all_have_left",
    ),
    (HOSTING, "is therefore set apart and looked through every ten minutes only"): (
        "server/test_costs.py::test_sockets_that_are_over_are_freed_at_once",
        "server/test_costs.py::test_what_stays_is_looked_through_seldom",
        "server/test_costs.py::test_a_battle_that_everybody_has_left_is_held_by_nothing",
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
    (HOSTING, "`SANDTABLE_DATA` names another"): (
        "server/test_serving.py::test_the_data_folder_follows_the_custom_of_the_system",
    ),
    (HOSTING, "it listens on loopback only"): (
        "server/test_serving.py::test_serve_says_where_it_is_and_keeps_battles_in_the_data_folder",
    ),
    (HOSTING, "Nothing else is needed to play against a bot"): (
        "server/test_playing.py::test_a_whole_battle_against_the_bot",
        "server/test_playing.py::test_a_hot_seat_shows_one_side_at_a_time",
    ),
    (HOSTING, "`/schema` is a page of the HTTP API"): (
        "server/test_description.py::test_the_description_is_a_page_too_and_needs_nothing_from_elsewhere",
    ),
    (HOSTING, "`POST /api/battles` begins a battle and tells its links"): (
        "server/test_playing.py::test_a_seat_is_welcomed_and_told_how_things_stand",
    ),
    (HOSTING, "a link's token is sent as `Authorization: Bearer …`"): (
        "server/test_past.py::test_a_token_opens_its_own_battle_only",
    ),
    (HOSTING, "The socket then tells `welcome` and a `situation` whenever something has changed"): (
        "server/test_playing.py::test_a_seat_is_welcomed_and_told_how_things_stand",
        "server/test_playing.py::test_an_answer_is_kept_and_everybody_hears_what_comes_of_it",
    ),
    (HOSTING, "Say `draft` to have an answer judged and previewed, `answer` to give it"): (
        "server/test_playing.py::test_a_draft_is_judged_and_changes_nothing",
    ),
    (HOSTING, "Too much of anything is answered with 429 and `Retry-After`, on the socket with `wrong` and `limit`"): (
        "server/test_guard.py::test_too_many_requests_are_refused",
        "server/test_costs.py::test_an_answer_to_too_many_messages_carries_their_id",
    ),
    (HOSTING, "a table that is called by its address in the house has that as a name"): (
        "server/test_hosting.py::test_a_name_that_was_not_given_is_refused_on_every_address",
    ),
    (HOSTING, "Whoever holds the link of a seat has the seat"): (
        "server/test_playing.py::test_an_unknown_link_opens_nothing",
        "server/test_playing.py::test_one_seat_cannot_answer_for_another",
    ),
    (HOSTING, "it is sent in no request line and stands in no log"): (
        "server/test_guard.py::test_tokens_are_stored_hashed_and_stand_in_no_log",
    ),
    (HOSTING, "One setting moves all battles to PostgreSQL"): ("server/test_storage.py::test_what_is_kept_comes_back",),
    (
        HOSTING,
        "PostgreSQL must have `fsync`, `full_page_writes` and `synchronous_commit` on",
    ): (
        "server/test_storage.py::test_a_database_that_may_forget_is_refused",
        "server/test_storage.py::test_a_postgresql_that_may_forget_is_refused",
    ),
    (HOSTING, "`make killing` kills a server a thousand times"): (
        "server/test_killing.py::test_nothing_acknowledged_is_lost_however_often_the_server_is_killed",
    ),
    (HOSTING, "`make attack` does that and more, on loopback only"): (
        "attack/test_attack.py::test_a_run_of_every_part_is_counted_and_gone_on_with",
    ),
    (HOSTING, "it can be stopped, goes on where it was, and keeps its totals"): (
        "attack/test_attack.py::test_a_run_of_every_part_is_counted_and_gone_on_with",
    ),
    (HOSTING, "from its last snapshot and the lines since"): (
        "server/test_storage.py::test_a_battle_is_picked_up_by_any_worker_as_it_stood",
    ),
    (HOSTING, "We chose it over Redis because the notice is part of the transaction that writes the entry"): (
        "server/test_interleaved.py::test_two_workers_in_every_order_show_one_battle",
    ),
    (HOSTING, "A notice holds a battle's id and a number, nothing that anybody said"): (
        "server/test_storage.py::test_a_notice_holds_an_id_and_a_number_and_nothing_that_was_said",
    ),
    (HOSTING, "Bots think in processes of their own, one a worker"): (
        "server/test_serving.py::test_how_many_processes_there_are_is_as_the_host_says",
    ),
    (HOSTING, "`--thinkers 2` gives a worker two"): (
        "server/test_serving.py::test_how_many_processes_there_are_is_as_the_host_says",
    ),
    (HOSTING, "two a worker unless `--judges` says otherwise"): (
        "server/test_serving.py::test_how_many_processes_there_are_is_as_the_host_says",
        "server/test_workers.py::test_a_worker_that_nobody_waits_for_is_interrupted_and_stays",
    ),
    (HOSTING, "A bot that fails three times over one question"): (
        "server/test_stress.py::test_every_battle_ends_whatever_the_weather",
    ),
    (HOSTING, "a battle that storage does not give back is read again in the same way"): (
        "server/test_stress.py::test_every_battle_ends_whatever_the_weather",
        "server/test_told.py::test_addresses_of_the_database_reach_no_player",
    ),
    (HOSTING, "which have 20 seconds to ask for something"): (
        "server/test_guard.py::test_a_thousand_connections_from_one_place_are_dropped_and_play_goes_on",
    ),
    (HOSTING, "a page says at most 30 things a second and tries at most 15 drafts"): (
        "server/test_guard.py::test_too_many_messages_are_refused_and_then_end_the_line",
        "server/test_workers.py::test_the_limit_on_drafts_is_one_that_is_kept",
    ),
    (HOSTING, "which has at most 20,000 entries"): (
        "server/test_costs.py::test_a_battle_has_so_many_entries_and_then_only_an_end",
    ),
    (HOSTING, "What goes beyond is told so, and whoever goes on is hung up on"): (
        "server/test_guard.py::test_too_many_messages_are_refused_and_then_end_the_line",
    ),
    (HOSTING, "Behind a proxy, which everybody comes through, other connections are the proxy's to count"): (
        "server/test_hosting.py::test_only_the_proxy_s_own_connections_are_not_counted",
    ),
    (HOSTING, "journals and forks, which are whole battles played again, have a minute"): (
        "test_documented.py::test_the_limits_that_are_told_are_those_of_the_code",
    ),
    (HOSTING, "The numbers stand in `sandtable.server.settings.Limits`"): (
        "test_documented.py::test_the_limits_that_are_told_are_those_of_the_code",
    ),
    (HOSTING, "may be claimed once he has been away that long"): (
        "server/test_playing.py::test_an_absent_player_s_battle_is_claimed_after_the_agreed_time",
        "server/test_playing.py::test_without_an_agreed_time_nothing_is_claimed",
    ),
    (HOSTING, "A seat gets its view, its own log, its own question and who is asked"): (
        "server/test_wire.py::test_a_side_s_secret_stands_in_no_message_to_another",
    ),
    (
        HOSTING,
        "its journal holds the state there as a snapshot, so it can be gone on with but not verified from the start",
    ): ("server/test_past.py::test_the_journal_of_a_fork_is_gone_on_with_and_not_verified_from_the_start",),
    (HOSTING, "The page's files are sent from memory, and a browser that has one is told so"): (
        "server/test_page_files.py::test_what_a_browser_has_is_not_sent_again",
    ),
    (HOSTING, '`sqlite3 battles.sqlite ".backup copy.sqlite"` while the server runs'): (
        "server/test_storage.py::test_a_copy_that_was_made_while_the_server_runs_is_whole",
    ),
    (HOSTING, "A battle is its header and its entries"): ("server/test_storage.py::test_what_is_kept_comes_back",),
    (HOSTING, "storage has it"): (
        "server/test_costs.py::test_battles_that_nobody_looks_at_leave_memory_and_come_back",
        "server/test_costs.py::test_a_battle_that_everybody_has_left_is_held_by_nothing",
    ),
    (HOSTING, "Let a proxy speak TLS, hand sockets through, and say who calls"): (
        "server/test_hosting.py::test_a_proxy_is_believed_at_its_own_address_only",
    ),
    (JOURNAL, "Ruleset and version, set-up, seed and what was said make the same battle anywhere, bit for bit"): (
        "test_golden.py::test_every_line_comes_out_the_same_in_a_fresh_process",
    ),
    (JOURNAL, "saving, resuming, replaying and verifying are one mechanism"): (
        "engine/test_replay.py::test_saved_at_any_moment_a_battle_resumes_as_it_stood_and_has_the_same_future",
    ),
    (JOURNAL, "A journal is a text file, one JSON object a line"): (
        "engine/test_journal.py::test_a_journal_comes_back_from_its_file_as_it_was",
    ),
    (JOURNAL, "The first line is the header"): (
        "engine/test_journal.py::test_json_that_does_not_begin_with_a_header_is_no_journal",
    ),
    (JOURNAL, "each other line says what it is in `line`"): (
        "test_documented.py::test_the_table_of_lines_names_every_line_and_field_there_is",
    ),
    (JOURNAL, "What sides *said* and the header are the battle"): (
        "engine/test_journal.py::test_what_was_said_and_the_header_are_the_battle",
    ),
    (JOURNAL, "events and digests follow from them"): (
        "engine/test_journal.py::test_what_was_said_and_the_header_are_the_battle",
    ),
    (JOURNAL, "a difference is found at the line where it begins"): (
        "engine/test_replay.py::test_an_edited_event_is_the_line_that_diverges",
    ),
    (JOURNAL, "**Fingerprints** name what was asked"): (
        "engine/test_questions.py::test_fingerprints_tell_questions_apart_by_all_but_their_words",
    ),
    (JOURNAL, "nor is which options are closed"): (
        "engine/test_questions.py::test_fingerprints_tell_questions_apart_by_all_but_their_words",
    ),
    (JOURNAL, "**Digests** are taken at every `digest_every`th boundary and at the end"): (
        "engine/test_journal.py::test_digests_are_taken_as_often_as_the_header_says",
    ),
    (JOURNAL, "0 means only at the end"): (
        "engine/test_journal.py::test_digests_are_taken_as_often_as_the_header_says",
    ),
    (JOURNAL, "A digest covers the whole state but what sides know"): (
        "engine/test_journal.py::test_a_digest_covers_every_field_of_the_state",
        "engine/test_journal.py::test_a_digest_tells_states_apart_and_leaves_views_out",
    ),
    (JOURNAL, "`battle.saved()` is the journal with one snapshot in it"): (
        "engine/test_journal.py::test_a_snapshot_gives_its_state_back",
        "engine/test_verified.py::test_what_is_saved_is_verified_with_its_snapshot_and_without",
    ),
    (JOURNAL, "it stands as it stood, with the same questions, logs and right to undo, also right after an undo"): (
        "engine/test_replay.py::test_saved_at_any_moment_a_battle_resumes_as_it_stood_and_has_the_same_future",
    ),
    (JOURNAL, "A journal without a snapshot is played from its header"): (
        "engine/test_replay.py::test_a_journal_played_again_from_its_header_is_the_same_battle",
    ),
    (JOURNAL, "`replayed` plays a journal from its header and compares every line"): (
        "engine/test_replay.py::test_a_journal_played_again_from_its_header_is_the_same_battle",
    ),
    (JOURNAL, "The first one that comes out otherwise is a `JournalDiverged`"): (
        "engine/test_replay.py::test_an_edited_event_is_the_line_that_diverges",
    ),
    (JOURNAL, "An edited answer, event, digest or seed is found that way"): (
        "engine/test_replay.py::test_an_edited_answer_diverges_at_the_line_where_it_matters",
        "engine/test_replay.py::test_an_edited_event_is_the_line_that_diverges",
        "engine/test_replay.py::test_an_edited_digest_is_the_line_that_diverges",
        "engine/test_replay.py::test_an_edited_seed_diverges_where_the_first_die_falls",
    ),
    (JOURNAL, "so is a rule that has changed without a new version"): (
        "test_golden.py::test_a_changed_line_is_noticed",
    ),
    (JOURNAL, "`sandtable replay FILE --verify` does that"): (
        "cli/test_replay.py::test_a_journal_as_it_was_played_is_the_same",
        "cli/test_replay.py::test_an_edited_journal_is_told_where_it_diverges",
    ),
    (
        JOURNAL,
        "of a journal of an older format or version that it is watched, not verified, and why",
    ): (
        "test_old_journals.py::test_one_of_another_format_is_not_gone_on_with_and_says_why",
        "cli/test_replay.py::test_an_unfinished_battle_says_how_it_goes_on",
    ),
    (JOURNAL, "it names file and line, says what was found and what to do"): (
        "engine/test_journal.py::test_a_line_that_was_edited_is_named",
        "engine/test_journal.py::test_a_journal_with_wrong_bytes_anywhere_never_fails_in_another_way",
    ),
    (JOURNAL, "the battle then goes on from the line before"): (
        "engine/test_journal.py::test_a_line_cut_off_in_the_middle_is_named_and_can_be_removed",
    ),
    (JOURNAL, "Files over 64 MiB and lines over 4 MiB are not read"): (
        "engine/test_journal.py::test_a_huge_file_and_a_huge_line_are_not_read",
    ),
    (JOURNAL, "**The format** (`format`) is the engine's"): (
        "engine/test_journal.py::test_another_format_asks_for_the_version_that_wrote_it",
    ),
    (JOURNAL, "**The ruleset's `version`** rises with whatever changes what is asked, rolled or done"): (
        "test_golden.py::test_every_line_comes_out_the_same_in_a_fresh_process",
    ),
    (JOURNAL, "A battle is played on by the version that began it"): (
        "engine/test_replay.py::test_another_version_or_ruleset_is_told_before_anything_is_played",
    ),
    (JOURNAL, "must be the data the battle was played with"): (
        "engine/test_replay.py::test_other_data_behind_the_rules_is_told_before_anything_is_played",
    ),
    (JOURNAL, "A journal of an older version can always be watched"): (
        "test_old_journals.py::test_an_old_journal_is_watched",
    ),
    (JOURNAL, "`tests/old_journals` keeps some of every version and format that ever was"): (
        "test_old_journals.py::test_every_version_is_there",
    ),
    (JOURNAL, "One of an older format cannot be verified or gone on with"): (
        "test_old_journals.py::test_one_of_another_format_is_not_gone_on_with_and_says_why",
    ),
    (JOURNAL, "`tests/old_journals/` keeps one of each ruleset and format for ever"): (
        "test_old_journals.py::test_every_version_is_there",
    ),
    (JOURNAL, "A seat gets its view, its own log (`battle.logs[side]`), its questions"): (
        "engine/test_logs.py::test_what_is_hidden_from_a_side_changes_no_byte_of_its_log",
    ),
    (JOURNAL, "When the battle is over, the journal may be shown to all"): (
        "server/test_past.py::test_the_journal_of_a_finished_battle_plays_again",
    ),
    (MESSAGES, "a page mirrors it and knows nothing else"): (
        "server/test_wire.py::test_every_message_of_a_battle_fits_the_published_schema",
    ),
    (MESSAGES, "Situations and chat come unasked"): (
        "server/test_playing.py::test_an_answer_is_kept_and_everybody_hears_what_comes_of_it",
    ),
    (MESSAGES, "so a new ruleset changes nothing here"): ("server/test_guard.py::test_the_server_knows_no_ruleset",),
    (MESSAGES, "Take a seat: always the first message, and again to change sides at a hot seat"): (
        "server/test_playing.py::test_a_hot_seat_shows_one_side_at_a_time",
        "server/test_guard.py::test_whoever_does_not_sit_down_is_sent_away",
    ),
    (MESSAGES, "it is told the rest"): (
        "server/test_playing.py::test_a_seat_closed_and_opened_again_goes_on_where_it_was",
    ),
    (MESSAGES, "Try an answer"): ("server/test_playing.py::test_a_draft_is_judged_and_changes_nothing",),
    (MESSAGES, "With `part`, `answer` is a plan as far as it is said and `value` is tried for that part of it"): (
        "server/test_workers.py::test_a_worker_is_told_a_question_once_and_judges_as_the_battle_does",
    ),
    (MESSAGES, "Give an answer; none declines"): ("server/test_playing.py::test_a_refused_answer_names_the_reason",),
    (MESSAGES, "Take the last answer back, up to the barrier"): (
        "server/test_playing.py::test_undo_goes_back_to_the_barrier_and_no_further",
    ),
    (MESSAGES, "how questions under a rule are answered while the conditions hold"): (
        "server/test_playing.py::test_standing_orders_answer_for_a_side_and_are_nobody_else_s_business",
    ),
    (MESSAGES, "Give the battle up"): ("server/test_playing.py::test_a_side_concedes",),
    (MESSAGES, "when all sides offer, the battle is drawn"): ("server/test_playing.py::test_a_draw_needs_everybody",),
    (MESSAGES, "Claim the battle of a side that has been absent for the agreed time"): (
        "server/test_playing.py::test_an_absent_player_s_battle_is_claimed_after_the_agreed_time",
    ),
    (
        MESSAGES,
        "Ask the others to let one take one's last answer back though a barrier has come since, or ask no more",
    ): (
        "server/test_clocks.py::test_who_asks_takes_back_what_the_other_agrees_to",
        "server/test_clocks.py::test_who_asked_may_ask_no_more",
    ),
    (MESSAGES, "Bots agree at once"): ("server/test_clocks.py::test_the_computer_agrees",),
    (MESSAGES, "Agree to what another side asks to take back, or refuse"): (
        "server/test_clocks.py::test_what_was_refused_is_not_asked_for_again_before_one_has_played_on",
    ),
    (MESSAGES, "in the seats, and in what one says"): ("server/test_clocks.py::test_guests_say_what_they_are_called",),
    (MESSAGES, "How much time a side has left, in milliseconds, and whether its clock runs"): (
        "server/test_clocks.py::test_clocks_run_once_everybody_has_sat_down_and_only_for_who_is_asked",
    ),
    (HOSTING, "runs once everybody has sat down"): (
        "server/test_clocks.py::test_clocks_run_once_everybody_has_sat_down_and_only_for_who_is_asked",
    ),
    (HOSTING, "There are none unless a battle is opened with them"): (
        "server/test_clocks.py::test_nobody_is_on_a_clock_that_was_not_agreed_on",
    ),
    (HOSTING, "when the move passes on, the increment is added"): (
        "server/test_clocks.py::test_clocks_run_once_everybody_has_sat_down_and_only_for_who_is_asked",
    ),
    (HOSTING, "Whoever runs out of time has lost"): (
        "server/test_clocks.py::test_who_runs_out_of_time_has_lost_and_everybody_is_told_so",
    ),
    (HOSTING, "Bots have none"): ("server/test_clocks.py::test_a_bot_has_no_clock",),
    (HOSTING, "What a server was down or stood still costs nobody time"): (
        "server/test_clocks.py::test_downtime_a_jumping_clock_and_a_server_that_stood_still_cost_nobody_time",
        "server/test_clocks.py::test_time_in_which_the_battle_could_not_go_on_is_given_back",
    ),
    (MESSAGES, "Say something to everybody at the table"): (
        "server/test_playing.py::test_markup_in_names_and_chat_is_data",
    ),
    (MESSAGES, "that is sent only when it has changed"): (
        "server/test_wire.py::test_every_message_of_a_battle_fits_the_published_schema",
    ),
    (MESSAGES, "Replaces all the page knew"): (
        "server/test_playing.py::test_a_seat_closed_and_opened_again_goes_on_where_it_was",
    ),
    (MESSAGES, "Whose absence may be claimed, and in how many seconds (0: now)"): (
        "server/test_playing.py::test_an_absent_player_s_battle_is_claimed_after_the_agreed_time",
    ),
    (MESSAGES, "What a draft comes to: a refusal, or a preview"): (
        "server/test_playing.py::test_a_draft_is_judged_and_changes_nothing",
    ),
    (MESSAGES, "For a plan its open parts too"): (
        "server/test_workers.py::test_a_worker_is_told_a_question_once_and_judges_as_the_battle_does",
    ),
    (MESSAGES, "Its situation comes by itself, before or after"): (
        "server/test_playing.py::test_an_answer_is_kept_and_everybody_hears_what_comes_of_it",
    ),
    (MESSAGES, "What was said is against the rules, and nothing has changed"): (
        "server/test_playing.py::test_a_refused_answer_names_the_reason",
    ),
    (MESSAGES, "stale: the question is not open any more"): (
        "server/test_playing.py::test_a_stale_or_repeated_answer_is_not_taken_twice",
    ),
    (MESSAGES, "`wants` asks for what takes longer to find out"): (
        "rulesets/test_around.py::test_only_what_is_wanted_is_found_out_and_only_where_it_may_be_shown",
    ),
    (MESSAGES, "storage: it could not be kept, nothing changed"): (
        "server/test_faults.py::test_a_fault_at_each_place_of_a_battle_tells_nobody_anything_untrue",
    ),
    (MESSAGES, "a situation follows when it is over"): (
        "server/test_faults.py::test_a_fault_at_each_place_of_a_battle_tells_nobody_anything_untrue",
    ),
    (MESSAGES, "A trouble that comes unasked is everybody's"): (
        "server/test_told.py::test_the_words_of_a_diverged_journal_reach_nobody",
    ),
    (MESSAGES, "Who sits at the table now"): ("server/test_playing.py::test_presence_tells_who_sits_there",),
}

#: Sentences that promise nothing a test could hold, by how they begin: advice, explanations, what was measured once.
NO_PROMISES: dict[str, tuple[str, ...]] = {
    HOSTING: (
        "Two things stand between a table and the network",
        "Give links to people the way you would give a key",
        "Start as many as you like with the same `--database`",
        "Two that answer the same question at the same moment both try",
        "Who is seen as sitting at the table is what one worker knows",
        "For nginx:",
        "`python benchmarks/server.py` plays recorded journals",
        "On a machine of two cores, 95 of 100 answers",
        "The benchmark tells with every result the load of the machine",
        "on a machine that is busy with other things",
        "a battle of 500 answers was picked up in",
        "`python benchmarks/page.py` opens a table",
        "`python -m tests.attack.soak` has 200 people play",
        "With the server and the people before everything else",
        "in two minutes in which packages were installed beside it",
        "In two minutes of 200 battles of a real ruleset",
        "That was a small game",
        "from the tenth minute on the server held",
        "A battle of a real ruleset holds about 25 kB an answer",
        "Python stops now and then to look through what it holds",
        "the other tables are seats, links, chat and shortcuts",
    ),
    JOURNAL: (
        "A battle is its journal.",
        "Another dice stream, other fingerprints or other lines need a new one",
        "Format 2 names every option on offer in its fingerprints",
        "The journal holds the truth",
        "So does the state, and so does its digest",
        "They belong to whoever keeps the battle",
    ),
    MESSAGES: (
        "What is said over the socket, both ways.",
        "A page says (`say` names the message)",
        "What every message of a page carries",
        "`since` is how many events of this side's log the page has",
        "Offer a draw, or take the offer back",
        "0: it comes unasked",
        "How things stand for one seat",
        "A table as one side knows it",
        "Ask whether the line is up",
        "What every message to a page carries",
        "One seat as everybody sees it",
        "Which battle this is and who one is in it",
        "One event of a side's log, in words too",
        "An open part of a plan",
        "`n` is that situation's",
        "What was said could not be taken",
        "`why` says which, for a program",
        "form: not a message",
        "newer: a newer draft",
        "taken: somebody else",
        "seat: this seat may not",
        "limit: too much of it",
        "claim: nobody",
        "trouble: the battle cannot go on",
        "gone: there is no",
        "One line of chat",
        "Somebody said something",
        "The line is up",
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


def sentences(where: str) -> list[str]:
    """The sentences of a page, or of the docstrings of a module, each part between semicolons by itself."""
    text = (ROOT / where).read_text(encoding="utf-8")
    if where.endswith(".py"):
        found = (
            ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Module | ast.ClassDef)
        )
        text = "\n\n".join(one for one in found if one)
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    blocks = (re.sub(r"^- ", "", block.strip()) for block in re.split(r"\n\s*\n|\n(?=- )", text))
    whole = [plain(block) for block in blocks if block and not block.startswith(("#", "|"))]
    return [part for block in whole for part in re.split(r"(?<=[.;])\s+", block)]


@pytest.mark.parametrize("where", NO_PROMISES)
def test_every_sentence_is_a_promise_that_is_held_or_is_none(where: str) -> None:
    """A new sentence fails here until it names its test above, or is put down as no promise."""
    held = [plain(words) for place, words in PROMISES if place == where]
    found = sentences(where)
    loose = [
        one
        for one in found
        if not one.startswith(NO_PROMISES[where])
        and not any(words in one or one.strip(".;") in words for words in held)
    ]
    assert not loose, loose
    gone = [words for words in NO_PROMISES[where] if not any(one.startswith(words) for one in found)]
    assert not gone, f"these stand there no more: {gone}"


def test_the_limits_that_are_told_are_those_of_the_code() -> None:
    page, limits = plain((ROOT / HOSTING).read_text(encoding="utf-8")), Limits()
    kilo, mega = 1024, 1024 * 1024
    for words in (
        f"may hold {limits.connections_per_address} sockets and {limits.lines_per_address} other connections",
        f"have {limits.seconds_to_ask:g} seconds to ask for something and {limits.body_seconds:g} to send it whole",
        f"send {limits.requests_at_once:g} requests at once and {limits.requests_per_second:g} a second after that",
        f"begin {limits.battles_at_once:g} battles at once, {limits.battles_per_hour:g} an hour after that",
        f"is sent {limits.bytes_at_once / mega:g} MB at once, {limits.bytes_per_second / mega:g} MB a second after",
        f"A message has at most {limits.message_bytes // kilo} kB, a journal {limits.journal_bytes // mega} MB",
        f"says at most {limits.messages_per_second:g} things a second",
        f"and tries at most {limits.drafts_per_second:g} drafts",
        f"A side has at most {limits.orders} standing orders of {limits.order_bytes // kilo} kB",
        f"which has at most {limits.entries:,} entries",
        f"with {limits.worker_bytes // mega // kilo} GB of memory and {limits.seconds_to_read:g} seconds from asking",
        f"is forgotten after {limits.days_unvisited} days of being served",
    ):
        assert words in page, words
    assert (limits.sits_per_second, limits.chats_per_second, limits.sits_at_once, limits.chats_at_once) == (
        1,
        1,
        20,
        20,
    )
    assert (limits.seconds_to_verify, limits.seconds_idle, limits.seconds_to_draft) == (60, 60, 5), (
        "a minute, five seconds"
    )
    assert (limits.aside, limits.readings_per_address, FILE) == (1000, 4, 1 / 20)


def test_the_table_of_lines_names_every_line_and_field_there_is() -> None:
    rows = re.findall(
        r"^\| `(?!line)(\w+)` \|[^|]*\| (.*) \|$", (ROOT / JOURNAL).read_text(encoding="utf-8"), re.MULTILINE
    )
    told = {name: set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)|: its kind.*", "", fields))) for name, fields in rows}
    kinds = (
        *(Header, Answered, Undone, UndoAsked, UndoAnswered, Ordered, Conceded, DrawOffered),
        *(Happened, Digested, Snapshot),
    )
    there = {kind.__struct_config__.tag: set(kind.__struct_encode_fields__) for kind in kinds}
    assert told == there
