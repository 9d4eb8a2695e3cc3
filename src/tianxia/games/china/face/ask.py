"""What places and cards of China say when they are asked.

Provinces tell who has the majority, what it pays and which alliances wait; spaces besides
show the road on which they lie; cards tell where their colour is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tianxia.draw.asking import Answer, Fact, Question, compared
from tianxia.draw.languages import labelled, translator
from tianxia.games.china.face.gestures import COLOUR_IDS, LONE_BUTTONS
from tianxia.games.china.face.preview import projection
from tianxia.games.china.face.tally import chains
from tianxia.games.china.face.words import card_name, owner_name, province_name
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import Board
from tianxia.games.china.rules.pieces import emissaries_in, has_room, majority, owners
from tianxia.games.china.rules.scoring import alliance_value, is_scored, place_value

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
STACKS = {
    "card": ("CHI-12", "CHI-18"),
    "imperial": ("CHI-72",),
    "keep": ("CHI-69",),
    "show": ("CHI-41", "CHI-42"),
}
"""Where cards lie, and the rules for them."""
BUTTON_RULES = {
    "stop": ("CHI-12",),
    "pass": ("CHI-48",),
    "decline": ("CHI-72",),
    "emperor": ("CHI-77",),
    "fort": ("CHI-61", "CHI-62"),
}


def answer(question: Question) -> Answer | None:
    """Return what an element is; None where it is none of this game."""
    now = _Teller(question.view, question).told()
    if now is None or question.action is None or not _is_certain(question.action):
        return now
    later = question.later()
    return now if later is None else compared(now, _Teller(later, question).told())


def _is_certain(action: int) -> bool:
    """Say whether an action shows nothing new: pieces, and open cards that change hands."""
    return action < c.STOP or c.kind_of(action) in (c.TAKE, c.SWAP)


@dataclass(frozen=True)
class _Teller:
    """Tells of the elements in one position."""

    view: State
    question: Question

    @property
    def language(self) -> str:
        return self.question.language

    @cached_property
    def board(self) -> Board:
        return c.board(int(self.view.fields["land"]))

    def told(self) -> Answer | None:
        """Return what the element that was asked is."""
        element = self.question.element
        kind, _, name = element.partition("-")
        if kind == "dragon" and name in self.board.keys:
            return self._province(self.board.keys.index(name))
        for number, space in enumerate(self.board.spaces):
            if space.name == element:
                return self._space(number)
        if kind in STACKS and name in COLOUR_IDS:
            return self._cards(COLOUR_IDS.index(name), STACKS[kind])
        return self._pile(element)

    # --- The map ---

    def _province(self, province: int) -> Answer:
        _ = translator(self.language, PACKAGE).gettext
        named = province_name(self.board, province, self.language)
        colour = card_name(self.board.colours[province], self.language)
        return Answer(
            f"{named} ({colour})",
            (
                *self._majority(province),
                *self._envoys(province),
                *self._alliances(province),
                self._total(),
            ),
            ("CHI-35", "CHI-36", "CHI-28", "CHI-52", "CHI-53"),
            tuple(self.board.spaces[space].name for space in self.board.spaces_of(province)),
        )

    def _space(self, number: int) -> Answer:
        _ = translator(self.language, PACKAGE).gettext
        space = self.board.spaces[number]
        facts = [Fact(_("Here stands"), self._stands(number)), *self._road(number)]
        for province in space.provinces:
            facts += self._majority(province)
        facts.append(self._total())
        statements = ["CHI-25", "CHI-35", "CHI-56", "CHI-57"]
        if space.is_post:
            statements[:1] = ["CHI-85", "CHI-87"]
        if int(self.view.fields["forts"]) >> number & 1:
            statements.append("CHI-64")
        names = [province_name(self.board, p, self.language) for p in space.provinces]
        return Answer(
            f"{space.name}, {' / '.join(names)}", tuple(facts), tuple(statements), self._way(number)
        )

    def _stands(self, number: int) -> str:
        _ = translator(self.language, PACKAGE).gettext
        owner = self._owner(number)
        if owner is None:
            return _("nothing yet")
        name = owner_name(self.view, owner, self.language)
        return _("palace of {owner}").format(owner=name)

    def _owner(self, number: int) -> int | None:
        palaces = self.view.fields["palaces"].tolist()
        return next((owner for owner, bits in enumerate(palaces) if bits >> number & 1), None)

    def _majority(self, province: int) -> Iterator[Fact]:
        """Yield for each owner the palaces in a province, and what they pay now."""
        words = translator(self.language, PACKAGE)
        _ = words.gettext
        fields = self.view.fields
        within = int(c.WITHIN[c.row(int(fields["land"])), province])
        named = province_name(self.board, province, self.language)
        built = sum((int(bits) & within).bit_count() for bits in fields["palaces"].tolist())
        state = _("scored already") if is_scored(fields, province) else _("not scored yet")
        text = _("{built} of {all} spaces built; {state}")
        yield Fact(named, text.format(built=built, all=within.bit_count(), state=state))
        for owner in range(int(owners(fields))):
            count = (int(fields["palaces"][owner]) & within).bit_count()
            if count:
                points = int(place_value(fields, within, owner))
                text = words.ngettext(
                    "{palaces}, worth {n} point", "{palaces}, worth {n} points", points
                )
                palaces = words.ngettext("{n} palace", "{n} palaces", count).format(n=count)
                name = labelled(named, owner_name(self.view, owner, self.language), self.language)
                yield Fact(name, text.format(palaces=palaces, n=points))

    def _envoys(self, province: int) -> Iterator[Fact]:
        _ = translator(self.language, PACKAGE).gettext
        fields = self.view.fields
        counts = [int(sent[province]) for sent in fields["emissaries"]]
        there = [
            f"{owner_name(self.view, owner, self.language)} {count}"
            for owner, count in enumerate(counts)
            if count
        ]
        yield Fact(_("Emissaries"), ", ".join(there) or _("none"))
        room = int(majority(fields, province)) - int(emissaries_in(fields, province))
        text = _("for {n} more") if has_room(fields, province) else _("none")
        yield Fact(_("Room for emissaries"), text.format(n=max(room, 0)))

    def _alliances(self, province: int) -> Iterator[Fact]:
        """Yield what each alliance of a province would pay if the game ended now."""
        _ = translator(self.language, PACKAGE).gettext
        fields = self.view.fields
        for number, pair in enumerate(self.board.alliances):
            if province not in pair:
                continue
            other = pair[0] if pair[1] == province else pair[1]
            paid = [
                f"{owner_name(self.view, owner, self.language)} {value}"
                for owner in range(int(owners(fields)))
                if (value := int(alliance_value(fields, number, owner)))
                and not (self.view.seats == 2 and owner == c.EMPEROR)
            ]
            worth = int(emissaries_in(fields, province)) + int(emissaries_in(fields, other))
            if not worth:
                continue
            nobody = _("nobody (worth {n})").format(n=worth)
            name = _("Alliance with {province}").format(
                province=province_name(self.board, other, self.language)
            )
            yield Fact(name, ", ".join(paid) or nobody)

    def _total(self) -> Fact:
        _ = translator(self.language, PACKAGE).gettext
        totals = [sum(points.values()) for points in projection(self.view)]
        told = ", ".join(
            f"{owner_name(self.view, seat, self.language)} {points}"
            for seat, points in enumerate(totals)
        )
        return Fact(_("Points if it ended now"), told)

    # --- Roads ---

    def _road(self, number: int) -> Iterator[Fact]:
        words = translator(self.language, PACKAGE)
        owner = self._owner(number)
        if owner is None:
            return
        name = words.gettext("Road of {owner}").format(
            owner=owner_name(self.view, owner, self.language)
        )
        length = len(self._way(number))
        if length:
            text = words.ngettext("{n} palace in a row", "{n} palaces in a row", length)
            yield Fact(name, text.format(n=length))
        else:
            text = words.gettext("in no row of {least} or more")
            yield Fact(name, text.format(least=c.LEAST_CHAIN))

    def _way(self, number: int) -> tuple[str, ...]:
        """Return the chain in which the palace on a space counts."""
        owner = self._owner(number)
        if owner is None:
            return ()
        name = self.board.spaces[number].name
        found = (chain for chain in chains(self.view, owner) if name in chain)
        return tuple(next(found, ()))

    # --- Cards ---

    def _cards(self, colour: int, statements: tuple[str, ...]) -> Answer:
        _ = translator(self.language, PACKAGE).gettext
        provinces = [p for p, other in enumerate(self.board.colours) if other == colour]
        names = ", ".join(province_name(self.board, p, self.language) for p in provinces)
        facts = [Fact(_("Pays in"), names), *self._whereabouts(colour)]
        title = _("Card: {colour}").format(colour=card_name(colour, self.language))
        lights = tuple(f"dragon-{self.board.keys[province]}" for province in provinces)
        return Answer(title, tuple(facts), statements, lights)

    def _whereabouts(self, colour: int) -> Iterator[Fact]:
        """Yield how many cards of a colour lie where, as far as the viewer sees it."""
        _ = translator(self.language, PACKAGE).gettext
        fields, viewer = self.view.fields, self.question.viewer
        seen = {
            _("In your hand"): int(fields["hands"][viewer][colour]) if viewer >= 0 else 0,
            _("In the display"): int(fields["display"][colour]),
            _("Discarded"): int(fields["discard"][colour]),
        }
        if self.view.seats == 2:
            open_cards = fields["imperial"][colour] + fields["played"][colour]
            kept = fields["kept"][0][colour] + fields["kept"][1][colour]
            seen[_("Open elsewhere")] = int(open_cards) + int(kept)
        total = int(c.CARDS[max(self.view.seats, 3)][colour])
        for name, count in seen.items():
            yield Fact(name, str(count))
        yield Fact(_("Out of sight"), str(total - sum(seen.values())))

    def _pile(self, element: str) -> Answer | None:
        """Return what is to be said of the deck, the discard, and the buttons."""
        _ = translator(self.language, PACKAGE).gettext
        fields = self.view.fields
        if element == "deck":
            times = _("{n} of 2 times").format(n=int(fields["exhausted"]))
            size = Fact(_("Cards"), str(int(fields["deck_size"])))
            facts = size, Fact(_("Has run out"), times)
            return Answer(_("The deck"), facts, ("CHI-43", "CHI-45", "CHI-48"))
        if element == "discard":
            size = Fact(_("Cards"), str(int(fields["discard"].sum())))
            return Answer(_("The discard"), (size,), ("CHI-43", "CHI-46"))
        if element in BUTTON_RULES and (element in LONE_BUTTONS or element == "fort"):
            return Answer(_("What this does"), (), BUTTON_RULES[element])
        return None
