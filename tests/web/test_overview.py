"""How the last day went: for who looks after the server, drawn and as figures."""

from __future__ import annotations

import re

from tests.web.test_accounts import registered
from tests.web.world import World
from tianxia.tables.samples import SLOT_SECONDS, SLOTS, Figures, Sampler, Samples, spread
from tianxia.web import metrics
from tianxia.web.api_keeping import keeping_of
from tianxia.web.overview import steps


def test_the_last_day_is_for_who_looks_after_the_server(here: World) -> None:
    ann, host = registered(here, "Nosy"), registered(here, "Dayhost")
    assert here.visitor().get("/admin/day").headers["location"] == "/sign-in?next=/admin/day"
    for path in ("/admin/day", "/api/v1/admin/day"):
        assert ann.get(path).status_code == 403
    keeping_of(here.app_state).promote("test", "Dayhost", admin=True)
    assert 'href="/admin/day"' in host.get("/admin").text
    answers = spread()
    answers[4], answers[6] = 90, 60  # within 20 ms, within 100 ms
    tables = here.app_state.tables
    then = int(tables.clock() // SLOT_SECONDS) - 30
    figures = Figures(answers=answers, refused=4, ended=2, oldest=12.5)
    Samples(tables.store).keep(then, "another process", figures)
    Samples(tables.store).keep(then - 1, "another process", Figures(ended=3, oldest=2.0))
    page = host.get("/admin/day").text
    assert len(re.findall('class="curve of-day"', page)) == 11
    requests = page[page.index("Requests a minute") :]
    assert "at most 30" in requests[: requests.index("</li>")]
    row = next(one for one in re.findall("<tr><th.*</tr>", page) if "12,500 ms" in one)
    assert re.findall("<td>(.*?)</td>", row)[:6] == ["150", "18 ms", "94 ms", "4", "0", "5"]
    french = host.get("/admin/day", headers={"accept-language": "fr"}).text
    assert "Requêtes par minute" in french
    assert "12\u202f500 ms" in french.replace("\xa0ms", " ms")
    day = host.get("/api/v1/admin/day").json()
    assert len(day) == SLOTS
    assert (day[-31]["refused"], day[-31]["answers"]) == (4, answers)
    assert day[0] is None


def test_this_process_counts_what_it_answers(here: World) -> None:
    before = metrics.counted()
    sampler = Sampler(here.app_state.tables, metrics.counted)
    table = here.seated("me", "open")
    with table.host.live(table.id) as socket:
        socket.receive()
        here.visitor().get("/nothing")
        table.guest(1)
        socket.receive()
        sampler.sweep()
    more = metrics.counted().since(before)
    assert more.refused == 1
    assert more.pushes >= 2
    assert sum(more.answers) == 3
    assert sum(more.database) >= 3
    day = Samples(here.app_state.tables.store).day(here.app_state.tables.clock())
    kept = [one for one in day if one is not None][-1]  # five minutes may have ended meanwhile
    assert kept.pages >= 1
    assert kept.refused >= 1


def test_prometheus_is_told_how_long_bots_have_thought_lately(here: World) -> None:
    thoughts = spread()
    thoughts[9] = 20  # between half a second and one
    tables = here.app_state.tables
    slot = int(tables.clock() // SLOT_SECONDS)
    Samples(tables.store).keep(slot, "a mind", Figures(thoughts=thoughts))
    told = here.visitor("127.0.0.1").get("/metrics").text
    assert 'tianxia_think_seconds{quantile="0.5"} 0.75' in told
    assert 'tianxia_think_seconds{quantile="0.95"} 0.975' in told


def test_a_curve_has_gaps_where_nobody_was_there() -> None:
    assert steps([None, 1.0, 3.0, None, 0.0], 3.0) == "M1,46.7H2V4.0H3M4,68.0H5"
