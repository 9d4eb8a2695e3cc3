"""What is wrong with a request that is not in the form of its address, in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from tianxia.draw.languages import N_, translator

PACKAGE = "tianxia.web"
MOST = 3
"""Faults that are named."""
LONGEST_FIELD = 60
BROKEN = N_("The body is not valid JSON: line {line}, column {column}.")
NO_OBJECT = N_("The body must be a JSON object.")
NO_BODY = N_("The body is missing: send a JSON object.")
NO_SEAT = N_("“{field}” must be me, open or bot:NAME, such as bot:random.")
KINDS = {
    "int": N_("a whole number"),
    "float": N_("a number"),
    "string": N_("a text"),
    "bool": N_("true or false"),
    "list": N_("a list"),
    "dict": N_("an object"),
    "model": N_("an object"),
}
"""What a value must be, by how the names of errors begin that say so."""
TYPE = re.compile(rf"({'|'.join(KINDS)})_(attributes_type|type|parsing|parsing_size|from_float)")
FAULTS: Mapping[str, tuple[str, str]] = {
    "missing": (N_("“{field}” is missing."), ""),
    "extra_forbidden": (N_("“{field}” is not a field of this request."), ""),
    "greater_than_equal": (N_("“{field}” must not be less than {limit}."), "ge"),
    "greater_than": (N_("“{field}” must be more than {limit}."), "gt"),
    "less_than_equal": (N_("“{field}” must not be more than {limit}."), "le"),
    "less_than": (N_("“{field}” must be less than {limit}."), "lt"),
    "string_too_long": (
        N_("“{field}” is too long: the limit is {limit} characters."),
        "max_length",
    ),
    "too_long": (N_("“{field}” is too long: the limit is {limit} entries."), "max_length"),
    "string_too_short": (N_("“{field}” must not be empty."), ""),
    "too_short": (N_("“{field}” must not be empty."), ""),
    "nul": (N_("“{field}” must not hold the character U+0000."), ""),
    "literal_error": (N_("“{field}” must be one of these: {limit}."), "expected"),
}
"""A sentence for each kind of fault, and which of its facts is the limit."""
UNKNOWN = N_("“{field}” is not what it should be.")

Fault = Mapping[str, Any]


def in_words(faults: Sequence[Fault], body: Any, language: str) -> str:
    """Return what is wrong with a request, a sentence for each field; "" where nothing is known.

    Parameters
    ----------
    faults
        As pydantic lists them.
    body
        What was sent, so that a field can be told from the names of types among which a value
        might have been of any; of broken JSON its text.
    """
    by_field: dict[str, list[Fault]] = {}
    for fault in faults:
        by_field.setdefault(_field(fault, body), []).append(fault)
    told = [_sentence(field, one, body, language) for field, one in by_field.items()]
    return " ".join(told[:MOST])


def broken(error: ValueError) -> tuple[str, dict[str, object]]:
    """Return the sentence about a text that is not JSON, and what its names stand for."""
    if isinstance(error, json.JSONDecodeError):
        return BROKEN, {"line": error.lineno, "column": error.colno}
    return NO_OBJECT, {}


def _field(fault: Fault, body: Any) -> str:
    """Return the field that a fault is about, such as ``actions[0]``; "" for the whole body."""
    place, *parts = fault["loc"]
    if place != "body":
        return _clipped(str(parts[0])) if parts else ""
    if fault["type"] == "json_invalid":
        return ""
    written, value = "", body
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if isinstance(value, list) and isinstance(part, int) and part < len(value):
            written += f"[{part}]"
        elif isinstance(value, dict) and (part in value or (last and fault["type"] == "missing")):
            written += f".{_clipped(str(part))}" if written else _clipped(str(part))
        else:
            break
        value = value[part] if not isinstance(value, dict) or part in value else None
    return written


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_FIELD else f"{text[:LONGEST_FIELD]}…"


def _sentence(field: str, faults: Sequence[Fault], body: Any, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    kinds = [TYPE.fullmatch(fault["type"]) for fault in faults]
    if not field:
        return _whole(faults[0], body, _)
    if all(kinds):
        names = dict.fromkeys(_(KINDS[kind[1]]) for kind in kinds if kind)
        both = _("{one} or {other}")
        wanted = reduce(lambda one, other: both.format(one=one, other=other), names)
        return _("“{field}” must be {wanted}.").format(field=field, wanted=wanted)
    # A value that might be of several types is of the one that something else is wrong with.
    fault = next(one for one, kind in zip(faults, kinds, strict=True) if not kind)
    text, name = FAULTS.get(fault["type"], (UNKNOWN, ""))
    limit = fault.get("ctx", {}).get(name, "")
    return _(text).format(field=field, limit=_limit(limit))


def _limit(limit: object) -> str:
    if isinstance(limit, str):  # 'a', 'b' or 'c'
        return ", ".join(re.findall(r"'([^']*)'", limit)) or limit
    return f"{limit:.15g}" if isinstance(limit, float) else str(limit)


def _whole(fault: Fault, body: Any, _: Callable[[str], str]) -> str:
    """Return what is wrong with the whole body."""
    if fault["type"] == "missing":
        return _(NO_BODY)
    if fault["type"] != "json_invalid":
        return _(NO_OBJECT)
    before = str(body)[: fault["loc"][1]] if len(fault["loc"]) > 1 else ""
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return _(BROKEN).format(line=line, column=column)


__all__ = ["NO_OBJECT", "NO_SEAT", "broken", "in_words"]
