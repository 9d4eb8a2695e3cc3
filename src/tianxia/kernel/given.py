"""Numbers as callers give them: whole ones, or a sentence that says what they should be."""

from __future__ import annotations

from operator import index
from typing import Any

from tianxia.kernel.errors import N_, OptionError


def whole(name: str, value: Any, least: int) -> int:
    """Return a whole number that is `least` or more.

    Raises
    ------
    OptionError
        Naming the argument, for anything else.
    """
    found = _index(value)
    if found is None or found < least:
        text = N_("{name} should be a whole number, {least} or more, not {value}")
        raise OptionError(text, name=name, value=f"{value!r}", least=least)
    return found


def number(name: str, value: Any) -> int:
    """Return any whole number, also a negative one; raise OptionError for anything else."""
    found = _index(value)
    if found is None:
        text = N_("{name} should be a whole number, not {value}")
        raise OptionError(text, name=name, value=f"{value!r}")
    return found


def _index(value: Any) -> int | None:
    try:
        return index(value)
    except TypeError:
        return None
