"""What a server keeps is not looked at again and again for garbage."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest

from tianxia.web.heap import Heap


class Kept:
    """Something that may refer to itself."""

    itself: Kept


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_what_lives_on_is_put_aside_and_freed_all_the_same() -> None:
    heap, kept = Heap(), Kept()
    gone = weakref.ref(kept)
    heap.tidy()
    assert gc.get_freeze_count() > 1000
    assert all(one is not kept for one in gc.get_objects())
    del kept
    assert gone() is None


def test_cycles_among_it_are_freed_when_it_has_doubled() -> None:
    in_use = 1000
    heap, kept = Heap(lambda: in_use), Kept()
    kept.itself = kept
    gone = weakref.ref(kept)
    heap.tidy()
    del kept
    in_use = 2000
    heap.tidy()
    assert gone() is not None
    in_use = 2001
    heap.tidy()
    assert gone() is None


def test_who_makes_tuples_meanwhile_is_not_disturbed() -> None:
    """A tuple that others hold cannot grow, and `gc.get_objects` holds those that are half made."""
    heap, errors, stop = Heap(), [], threading.Event()

    def make() -> None:
        try:
            while not stop.is_set():
                tuple(one for one in range(3000))
        except SystemError as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    makers = [threading.Thread(target=make) for _ in range(3)]
    try:
        for maker in makers:
            maker.start()
        for _ in range(60):
            heap.tidy()
    finally:
        stop.set()
        for maker in makers:
            maker.join()
        sys.setswitchinterval(before)
    assert errors == []
