"""Reading what was sent: JSON from programs and our module, forms from pages without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request

from tianxia.draw.languages import N_
from tianxia.web.errors import Refusal
from tianxia.web.malformed import NO_OBJECT, broken
from tianxia.web.request_context import current
from tianxia.web.security import People

MOST_FIELDS = 60
LARGEST_NUMBER = 2**31 - 1
FORM = "application/x-www-form-urlencoded"
Found = TypeVar("Found")


async def read_body(request: Request, people: People) -> dict[str, Any]:
    """Return what was sent, a form's fields or the members of a JSON object.

    Raises
    ------
    Refusal
        For anything else, and for a form without the token of our own forms.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if kind == "application/json" or (not kind and not body):
        return _members(body)
    if kind == FORM:
        return _fields(body, request, people)
    raise Refusal(415)


def _members(body: bytes) -> dict[str, Any]:
    if not body:
        return {}
    try:
        value = json.loads(body)
    except ValueError as error:
        text, values = broken(error)
        raise Refusal(400, "", text, **values) from error
    except RecursionError as error:
        raise Refusal(400) from error
    if not isinstance(value, dict):
        raise Refusal(400, "", NO_OBJECT)
    return value


def _fields(body: bytes, request: Request, people: People) -> dict[str, Any]:
    try:
        pairs = parse_qsl(
            body.decode("utf-8"),
            keep_blank_values=True,
            max_num_fields=MOST_FIELDS,
            encoding="utf-8",
            errors="strict",
        )
    except ValueError as error:
        raise Refusal(400) from error
    fields: dict[str, Any] = dict(pairs)
    person = current(request).person
    if person is None or not people.is_form_token(person, fields.pop("token", "")):
        raise Refusal(403, "form-token", STALE_FORM)
    return fields


STALE_FORM = N_("This form is too old, or comes from elsewhere. Reload its page, then try again.")


def _bad_field(name: str) -> Refusal:
    text = N_("“{name}” is missing, or is not what it should be.")
    return Refusal(400, "malformed", text, name=name)


def number(body: dict[str, Any], name: str) -> int:
    """Return a member that is a number, from a form too."""
    value = body.get(name)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 11:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_NUMBER:
        raise _bad_field(name)
    return value


def flag(body: dict[str, Any], name: str, usual: bool | None = None) -> bool:
    """Return a member that is true or false; without it `usual`."""
    value = body.get(name, usual)
    if isinstance(value, str):
        value = {"true": True, "false": False, "yes": True, "no": False}.get(value)
    if not isinstance(value, bool):
        raise _bad_field(name)
    return value


def text(body: dict[str, Any], name: str, longest: int, usual: str | None = None) -> str:
    """Return a member that is a text, as databases hold it; cut after `longest` characters."""
    value = body.get(name, usual)
    if not isinstance(value, str) or "\0" in value:
        raise _bad_field(name)
    return value.encode("utf-8", "replace").decode()[:longest]


def listed(body: dict[str, Any], name: str, most: int, check: Callable[[Any], bool]) -> list[Any]:
    """Return a member that is a list."""
    value = body.get(name)
    if not isinstance(value, list) or len(value) > most or not all(map(check, value)):
        raise _bad_field(name)
    return value


def is_action(value: object) -> bool:
    """Say whether something can be the number of an action."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER


def is_element(value: object) -> bool:
    """Say whether something can be the id of an element."""
    return isinstance(value, str) and 0 < len(value) <= 40
