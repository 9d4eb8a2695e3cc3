"""Each promise of `docs/server.md` is kept by a test, and its figures are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tianxia.minds import processes
from tianxia.tables import quotas
from tianxia.web import app_state, connections, live, middleware, serve
from tianxia.web.security import Limits

ROOT = Path(__file__).resolve().parent.parent
PAGE = " ".join((ROOT / "docs" / "server.md").read_text(encoding="utf-8").split())

PROMISES = {
    "Ctrl-C or SIGTERM ends it and all its processes within five seconds": (
        "web/test_serve.py::test_it_serves_until_ctrl_c_though_pages_are_open",
        "minds/test_rolling.py::test_all_processes_end_while_people_click",
        "minds/test_crew.py::test_all_end_with_the_process_that_has_started_them",
    ),
    "every move that was acknowledged is on disk": (
        "tables/test_restart.py::test_nothing_that_was_acknowledged_is_lost_by_kill_9",
    ),
    "the next start resumes where this one stopped, bots included": (
        "tables/test_restart.py::test_everybody_is_back_at_the_same_position",
        "tables/test_restart.py::test_a_bot_decides_as_if_it_had_never_been_stopped",
    ),
    "the next free one is taken and printed": (
        "web/test_serve.py::test_a_port_that_nobody_chose_makes_way",
    ),
    "with `TIANXIA_URL` the server refuses to start instead": (
        "web/test_serve.py::test_where_a_proxy_looks_for_it_it_stays",
    ),
    "(`tianxia think` refuses it)": (
        "web/test_serve.py::test_thinking_with_nobody_who_thinks_is_refused",
    ),
    "without that the server refuses to start, since a link": (
        "web/test_accounts.py::test_no_letter_leads_where_whoever_asked_for_it_wants",
    ),
    "A copy that cannot be restored is deleted": (
        "cli/test_backing.py::test_what_fails_its_check_is_no_backup",
    ),
    "Where a new one cannot start, the log says why, and the old ones go on": (
        "web/test_serve.py::test_minds_are_replaced_only_where_all_workers_were",
    ),
    "a new one is made, and the log says so": ("web/test_serve.py::test_a_lost_secret_is_told_of",),
    "in `compose.yaml` the one of the backups": (
        "test_deploy.py::test_copies_made_before_migrations_lie_where_backups_are_restored",
    ),
    "tables that cannot be read are named, and the exit status is 1": (
        "cli/test_backing.py::test_damage_is_in_the_exit_status",
    ),
    "without TLS a password goes to this machine only": (
        "telling/test_telling.py::test_no_password_is_sent_in_the_clear",
    ),
    "all games can be played at once": (
        "minds/test_first_minute.py::test_a_fresh_machine_plays_at_once",
    ),
    "their tables say so and show how far it is": (
        "web/test_pages.py::test_a_table_says_that_its_bot_is_waking_up",
    ),
    "Containers write only to their volumes, `/tmp` and `/run/tianxia`, run without privileges": (
        "test_deploy.py::test_containers_are_watched_and_can_write_only_what_they_must",
        "test_deploy.py::test_the_image_is_slim_and_nobody_in_particular",
    ),
    "The server refuses to start with an invalid setting and names it": (
        "web/test_security.py::test_wrong_settings_are_named",
        "web/test_serve.py::test_what_it_cannot_start_without_is_one_line",
    ),
    "Its exit status is then 78 (2 where the database is away or the port": (
        "web/test_serve.py::test_what_it_cannot_start_without_is_one_line",
    ),
    "leaves it at that until somebody starts it": (
        "test_deploy.py::test_a_wrong_setting_is_not_tried_again_for_ever",
    ),
    "go to the push services of Google, Mozilla, Apple and Microsoft only": (
        "telling/test_telling.py::test_messages_go_to_push_services_only",
    ),
    "A message that cannot be sent is tried again for some hours and given up then": (
        "telling/test_telling.py::test_a_service_that_fails_is_asked_again",
        "telling/test_telling.py::test_it_is_given_up_after_a_while",
    ),
    "one that was on its way when the server ended is sent after the next start": (
        "telling/test_telling.py::test_a_process_that_dies_while_it_sends_leaves_it_to_others",
    ),
    "The schema is made and brought up to date at the start": (
        "tables/test_upgrade.py::test_an_old_database_gets_what_is_missing",
        "tables/test_upgrade.py::test_many_may_start_at_once",
    ),
    "after a database outage they catch up": (
        "tables/test_hub.py::test_news_come_again_after_the_connection_broke",
    ),
    "Any worker can answer any request": (
        "minds/test_crew.py::test_several_workers_answer_without_a_compiler",
        "tables/test_storage.py::test_two_processes_on_one_database",
    ),
    "With `TIANXIA_RULES=compiled` workers run compiled rules": (
        "minds/test_rules.py::test_rules_are_compiled_where_the_host_says_so",
        "minds/test_rules.py::test_compiled_rules_are_loaded_and_no_click_waits_for_a_compiler",
    ),
    "The first start compiles them, for some minutes, before anybody is answered": (
        "minds/test_rules.py::test_they_are_compiled_before_anybody_comes",
    ),
    "more machines can think for the same server": (
        "minds/test_crew.py::test_two_machines_think_for_one_database",
    ),
    "A mind can be killed at any time": (
        "minds/test_crew.py::test_bots_outlive_the_minds_that_think_for_them",
        "tables/test_thinker.py::test_the_claims_of_the_dead_are_void",
    ),
    "One that hangs for a minute ends itself": (
        "minds/test_crew.py::test_a_mind_that_hangs_ends_itself",
    ),
    "Where a bot's mind fails three times in a row at one decision, the simplest bot": (
        "tables/test_thinker.py::test_a_bot_is_tried_three_times_and_the_table_says_who_stands_in",
    ),
    "a person with thirty tables waits longer at each, and nobody else does": (
        "tables/test_agenda.py::test_many_tables_of_one_do_not_delay_anothers",
        "tables/test_agenda.py::test_games_that_nobody_plays_get_less",
    ),
    "One person may have 20 tables waiting for players": (
        "tables/test_quotas.py::test_of_each_kind",
        "tables/test_quotas.py::test_what_nobody_comes_back_to_does_not_count_for_ever",
    ),
    "Where no folder can be written, they are kept in memory": (
        "kernel/test_cache.py::test_rules_work_where_home_cannot_be_written",
    ),
    "copies all tables, of either kind of database, while the server runs": (
        "tables/test_copies.py::test_it_is_of_one_moment_while_people_play",
        "tables/test_copies.py::test_all_is_there_again",
        "tables/test_copies.py::test_damage_is_noticed",
    ),
    "the oldest beyond `--keep` are deleted": ("cli/test_backing.py::test_a_folder_keeps_so_many",),
    "and no click fails": ("minds/test_rolling.py::test_workers_are_replaced_and_no_click_fails",),
    "after a copy of it has been made": (
        "tables/test_copies.py::test_a_copy_is_made_before_a_migration",
        "tables/test_copies.py::test_beside_the_file_unless_somebody_says_where",
    ),
    "the server says so in a sentence, and nothing is changed": (
        "tables/test_copies.py::test_without_a_copy_nothing_is_migrated",
        "tables/test_copies.py::test_another_programs_database_is_left_alone",
        "tables/test_upgrade.py::test_a_newer_database_is_left_alone",
    ),
    "running games go on under the new ones where that changes nothing that has happened": (
        "tables/test_new_rules.py::test_a_game_that_is_the_same_under_the_new_rules_goes_on",
        "tables/test_new_rules.py::test_ended_without_a_result_when_all_want_that",
    ),
    "with the talk that the reporter could read": (
        "lobby/test_keeping.py::test_a_report_brings_what_its_reporter_could_read",
    ),
    "Who did what, and why, is listed on that page": (
        "lobby/test_keeping.py::test_deeds_are_done_and_noted",
    ),
    "200 when it answers and reaches its database, else 503": (
        "web/test_pages.py::test_one_is_told_whether_the_server_is_well_and_ready",
        "web/test_watch.py::test_health_says_why_too",
    ),
    "everything on its standard error is one JSON object per line": (
        "web/test_watch.py::test_everything_on_standard_error_is_json",
        "web/test_bad_input.py::test_the_log_tells_no_secrets",
        "web/test_watch.py::test_an_attack_leaves_a_short_log",
    ),
    "The id of a request is in its lines": (
        "web/test_watch.py::test_a_request_has_one_id_everywhere",
    ),
    "not at all behind a proxy, unless `TIANXIA_METRICS` names who may see it": (
        "web/test_watch.py::test_figures_are_for_whom_they_are_meant",
        "web/test_watch.py::test_figures_say_what_happens",
    ),
    "draws the last day without any other program": (
        "web/test_overview.py::test_the_last_day_is_for_who_looks_after_the_server",
    ),
    "moves are refused with status 503 and nothing is half-written": (
        "tables/test_storage.py::test_a_locked_database_refuses_and_changes_nothing",
        "tables/test_storage.py::test_a_full_disk_refuses_and_changes_nothing",
        "tables/test_storage.py::test_a_failing_commit_changes_nothing",
    ),
    "the log says so once a minute": (
        "web/test_connections.py::test_descriptors_that_run_out_are_told_once_a_minute",
    ),
    "loses one that it is not using": (
        "web/test_connections.py::test_where_all_is_full_the_crowd_makes_room",
    ),
    "A person is a random number in a signed cookie": (
        "web/test_security.py::test_the_cookie_of_a_person_is_signed_and_out_of_reach",
        "web/test_security.py::test_whoever_only_reads_gets_no_cookie",
    ),
    "Requests that change something have to come from our own pages": (
        "web/test_security.py::test_other_sites_change_nothing",
        "web/test_security.py::test_forms_need_their_token",
        "web/test_bad_input.py::test_sockets_of_other_sites_are_refused",
    ),
    "A strict content security policy without exceptions": (
        "web/test_security.py::test_the_policy_is_strict",
        "web/test_security.py::test_pages_need_no_exception",
    ),
    "is charged to it": ("web/test_costs.py::test_what_an_address_costs_is_charged_to_it",),
    "the next is answered 503 with `Retry-After` at once": (
        "web/test_costs.py::test_nobody_is_let_in_behind_a_long_queue",
    ),
    "a test plays the same game with hidden facts exchanged and compares every byte": (
        "web/test_hidden.py::test_swapping_hidden_facts_changes_no_byte_for_others",
    ),
}


@pytest.mark.parametrize("promise", PROMISES)
def test_each_promise_is_on_the_page_and_its_tests_are_there(promise: str) -> None:
    assert promise in PAGE
    for named in PROMISES[promise]:
        file, _, name = named.partition("::")
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), named


def quota(quota: quotas.Quota, of: str) -> int:
    return quota.limits[of][0]


def figures() -> list[str]:
    """Return what the page says of limits, with the figures of the code."""
    limits, seconds = Limits(1), connections.SECONDS
    words = {4: "four", 12: "twelve", 0.25: "a quarter"}
    kept = [quotas.WAITING, quotas.PLAYING, quotas.BOTS_ALONE]
    mine = [quota(one, "maker") for one in kept]
    address = [quota(one, "origin") for one in kept]
    return [
        f"{mine[0]} tables waiting for players, {mine[1]} running games that they began",
        f"and {words[mine[2]]} games between bots alone",
        f"one address {address[0]}, {address[1]} and {words[address[2]]}.",
        f"at most {connections.MOST:,} connections".replace(",", " "),
        f"it asks for {connections.WANTED_DESCRIPTORS:,} and".replace(",", " "),
        f"reserves {connections.KEPT_DESCRIPTORS} for everything else",
        f"at most {connections.EACH} of one address or IPv6 network",
        f"A request's head has to be there after {seconds[connections.HEAD]:.0f} s",
        f"its body after {seconds[connections.BODY]:.0f} s",
        f"may be silent for {seconds[connections.IDLE]:.0f} s",
        f"takes nothing of an answer for {connections.STUCK_SECONDS:.0f} s is closed",
        f"Bodies of at most {middleware.LARGEST_BODY // 1024} kB",
        f"frames of at most {live.LARGEST_FRAME // 1024} kB",
        f"({words[limits.work.rate]} of a core in the long run, {limits.work.burst:.0f} s at once)",
        f"may wait for at most {limits.calls.each} answers at the same time",
        f"have at most {limits.open_pages.each} pages open",
        f"where {app_state.MOST_WAITING} calls are waiting for one",
    ]


@pytest.mark.parametrize("told", figures())
def test_limits_are_told_as_they_are(told: str) -> None:
    assert told in PAGE


def test_times_are_told_as_they_are() -> None:
    """The end takes less than the five seconds that the page names, its parts together."""
    assert serve.GOODBYE_SECONDS == 2
    assert "requests in progress get two seconds to finish" in PAGE
    assert serve.GOODBYE_SECONDS + processes.GOODBYE_SECONDS <= 5
