"""What a mind does next: fair between people."""

from __future__ import annotations

from itertools import count

from tianxia.tables.agenda import BOTS_ONLY, Agenda, Job


def order(agenda: Agenda, seconds: float, most: int) -> list[str]:
    """Do what is due, each job for so long; return the groups in order."""
    found = []
    for _ in range(most):
        job = agenda.take(0)
        assert job is not None
        agenda.spent(job, seconds)
        found.append(job.group)
        agenda.put(Job(job.key, job.due, job.group, job.weight, job.urgent))
    return found


def test_what_is_due_first_is_done_first_within_a_group() -> None:
    agenda = Agenda(clock=lambda: 10.0)
    for number, key in enumerate("cab"):
        agenda.put(Job(key, float(number), "ann"))
    taken = [agenda.take(0) for _ in range(3)]
    assert [job and job.key for job in taken] == ["c", "a", "b"]
    assert agenda.take(0) is None


def test_nothing_is_begun_before_its_time() -> None:
    ticks = count()
    agenda = Agenda(clock=lambda: float(next(ticks)))
    agenda.put(Job("later", 5.0, "ann"))
    assert agenda.take(0) is None
    agenda.wake()
    assert agenda.take(60) is None  # woken: there may be something new
    assert (agenda.take(60) or Job("", 0, "")).key == "later"


def test_many_tables_of_one_do_not_delay_anothers() -> None:
    agenda = Agenda(clock=lambda: 10.0)
    for number in range(28):
        agenda.put(Job(f"many{number}", 0.0, "ann"))
    order(agenda, 1.0, 20)
    agenda.put(Job("single", 10.0, "bob"))
    assert "bob" in order(agenda, 1.0, 2)
    assert order(agenda, 1.0, 10).count("bob") == 5


def test_games_that_nobody_plays_get_less() -> None:
    agenda = Agenda(clock=lambda: 10.0)
    agenda.put(Job("played", 0.0, "ann"))
    agenda.put(Job("watched", 0.0, "bob", BOTS_ONLY))
    assert order(agenda, 1.0, 20).count("bob") == 20 / (1 + BOTS_ONLY)


def test_who_waits_for_an_answer_comes_first() -> None:
    agenda = Agenda(clock=lambda: 10.0)
    agenda.put(Job("move", 0.0, "ann"))
    agenda.put(Job("hint", 5.0, "ann", urgent=True))
    first = agenda.take(0)
    assert first is not None
    assert first.key == "hint"


def test_who_comes_back_has_saved_nothing_up() -> None:
    agenda = Agenda(clock=lambda: 10.0)
    agenda.put(Job("a", 0.0, "ann"))
    order(agenda, 1.0, 50)
    agenda.put(Job("b", 0.0, "bob"))
    assert order(agenda, 1.0, 8).count("bob") <= 5
