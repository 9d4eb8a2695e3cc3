"""Telling who watches: newest versions, from any thread, across workers."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tests.tables.conftest import Opener
from tests.tables.helpers import do, ready, wait_for
from tianxia.tables import Hub, NotNow, Tables


def test_a_subscription_yields_the_newest_version() -> None:
    async def watch() -> None:
        hub = Hub()
        async with hub.subscribe("a") as mine, hub.subscribe("b") as other:
            for version in (1, 2, 5, 4):
                hub.publish("a", version)
            assert await anext(mine) == 5
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(mine), 0.05)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(other), 0.05)
            threading.Thread(target=hub.publish, args=("a", 6)).start()
            assert await asyncio.wait_for(anext(mine), 5) == 6
        assert hub.watched() == []
        hub.publish("a", 9)  # nobody is there

    asyncio.run(watch())


def test_closing_ends_the_iteration() -> None:
    async def watch() -> list[int]:
        hub = Hub()
        seen = []
        subscription = hub.subscribe("a")
        asyncio.get_running_loop().call_later(0.05, subscription.close)
        hub.publish("a", 3)
        async for version in subscription:
            seen.append(version)  # noqa: PERF401
        return seen

    assert asyncio.run(watch()) == [3]


def test_a_closed_loop_is_no_trouble() -> None:
    hub = Hub()

    async def leave() -> object:
        return hub.subscribe("a")

    kept = asyncio.run(leave())
    hub.publish("a", 1)
    assert hub.watched() == ["a"]
    del kept


def test_listeners_hear_everything(tables: Tables) -> None:
    heard: list[tuple[str, int]] = []
    stop = tables.hub.listen(lambda table_id, version: heard.append((table_id, version)))
    table_id = ready(tables)
    version = tables.snapshot(table_id).version
    assert heard == [(table_id, number) for number in range(1, version + 1)]
    with pytest.raises(NotNow):
        tables.answer_draw(table_id, "ann", True)
    stop()
    do(tables, table_id, 0, "e4-e5")
    assert heard[-1] == (table_id, version)


@pytest.mark.postgres
def test_other_workers_are_told(opened: Opener, postgres: object) -> None:
    url = postgres()  # type: ignore[operator]
    one, two = opened(url), opened(url)
    assert two._relay is not None
    assert two._relay.ready.wait(10)
    heard: list[tuple[str, int]] = []
    two.hub.listen(lambda table_id, version: heard.append((table_id, version)))
    table_id = ready(one)
    version = one.snapshot(table_id).version
    wait_for(lambda: (table_id, version) in heard)

    async def watch() -> int:
        async with two.hub.subscribe(table_id) as news:
            await asyncio.to_thread(do, one, table_id, 0, "e4-e5")
            return await asyncio.wait_for(anext(news), 10)

    assert asyncio.run(watch()) == version + 1


@pytest.mark.postgres
def test_news_come_again_after_the_connection_broke(opened: Opener, postgres: object) -> None:
    import sqlalchemy as sa

    url = postgres()  # type: ignore[operator]
    one, two = opened(url), opened(url)
    table_id = ready(one)
    assert two._relay is not None
    assert two._relay.ready.wait(10)

    async def watch() -> int:
        async with two.hub.subscribe(table_id) as news:
            with one.store.writing() as connection:
                connection.execute(
                    sa.text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                    )
                )
            new = (await asyncio.to_thread(do, one, table_id, 0, "e4-e5")).version
            while (version := await asyncio.wait_for(anext(news), 20)) < new:
                pass  # what was missed before comes first
            return version

    assert asyncio.run(watch()) == one.snapshot(table_id).version
