"""What the page says: what has just happened, whose turn it is, what can be done."""

from __future__ import annotations

from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import SceneRequest
from tianxia.games.suntzu.face.facts import PACKAGE, Facts, last_turned
from tianxia.games.suntzu.face.words import IN_SENTENCES, outcome, strategy_name
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.components import BLUE, K3, K4, K5, LAY, REINFORCE, S2, S4, kind_of

END_TEXTS = {
    because.PAWN_AT_ITS_GOAL: N_("The silver pawn has reached the last space of the track."),
    because.AHEAD_AFTER_NINE_ROUNDS: N_("The silver pawn ended up on the winner’s side."),
    because.MOST_IN_RESERVE: N_("The track is level: the larger reserve wins."),
    because.LAST_EVENT: N_("The last event is done with: the pawn decides, then the reserves."),
}


def status(request: SceneRequest, facts: Facts) -> str:
    view, language = request.view, request.language
    _ = translator(language, PACKAGE).gettext
    if view.over:
        if facts.phase != s.END:
            return ""
        won = int(facts.fields["winner"])
        reason = "" if won == s.DRAWN_GAME else _(END_TEXTS[int(facts.fields["reason"])])
        return f"{outcome(view, language)} {reason}".strip()
    said = told(request, facts)
    if facts.may_act:
        return f"{said} {_asked(request, facts)}".strip()
    return f"{said} {_awaited(request, facts)}".strip()


def told(request: SceneRequest, facts: Facts) -> str:
    """Return what has happened last; in a fight, the fight."""
    if (
        request.view.over
        or not request.last
        or (facts.phase in (s.LAYING, s.CHOICE, s.KEEPING) and facts.may_act)
    ):
        return ""
    newest = request.last[-1]
    own = newest.seat == facts.viewer and newest.action is not None
    if own and kind_of(newest.action) in (LAY, REINFORCE):
        return ""  # one's own orders
    turned = last_turned(request)
    if facts.phase == s.FIGHT and turned and turned is not newest:
        return f"{turned.sentence} {newest.sentence}"
    return newest.sentence


def _asked(request: SceneRequest, facts: Facts) -> str:
    """Return what the viewer is asked to do."""
    _ = translator(request.language, PACKAGE).gettext
    if facts.owed:
        return _owed(request, facts)
    if facts.phase == s.FIGHT:
        if facts.step == s.SECOND_CARD:
            return _("Choose a second strategy card; nobody sees which.")
        name = strategy_name(facts.viewer, _asked_card(facts), request.language)
        return _("You are asked for {name}: play it if you hold it, or decline.").format(name=name)
    return _(ASKED[facts.phase])


ASKED = {
    s.CHOICE: N_("Choose the strategy card that you keep; the other four leave the game."),
    s.LAYING: N_("Lay a card in each province: choose a card, then a province, or drag it there."),
    s.BEFORE: N_("Before the fights: play a strategy card, or decline."),
    s.AFTER: N_("After the fights: play a strategy card, or decline."),
    s.ORDER: N_("You decide the order: choose the province that is turned up next."),
    s.KEEPING: N_("Of the cards just drawn, choose the one that goes under your deck."),
    s.FINAL: N_("The track is level: give cards for armies, or go without."),
}
AWAITED = {
    s.CHOICE: N_("{side} chooses a strategy card."),
    s.LAYING: N_("{side} lays five cards in secret."),
    s.BEFORE: N_("{side} may play a strategy card."),
    s.AFTER: N_("{side} may play a strategy card."),
    s.ORDER: N_("{side} decides which province is turned up next."),
    s.FIGHT: N_("{side} may play a strategy card."),
    s.KEEPING: N_("{side} chooses among the cards drawn."),
    s.FINAL: N_("{side} may give cards for armies."),
}


def _asked_card(facts: Facts) -> int:
    """Return the strategy card that this step of a fight is about."""
    if facts.step in (s.RECYCLE_FIRST, s.RECYCLE_SECOND):
        return S4 if facts.viewer == BLUE else K5
    return {s.ASK_S2: S2, s.ASK_K4: K4, s.ASK_K3: K3}[facts.step]


def _owed(request: SceneRequest, facts: Facts) -> str:
    """Return for what the viewer has to find armies, and where he may."""
    _ = translator(request.language, PACKAGE).gettext
    if facts.phase != s.FIGHT:
        text = _("Your reserve is empty: give a card for an army, or go without.")
    elif facts.step == s.PLACE:
        text = _("Your reserve is too small: where does the next army come from? ({n} to go)")
    elif facts.step in (s.MARK_FIRST, s.MARK_SECOND):
        text = _("Your reserve is empty: from where does the army for the mark come?")
    elif facts.step in (s.COST_FIRST, s.COST_SECOND):
        text = _("Your card costs armies: choose your reserve or a province ({n} to go).")
    else:
        text = _("The event takes armies: choose your reserve or a province ({n} to go).")
    legal = request.view.legal_actions(facts.viewer)
    if any(kind_of(action) == REINFORCE for action in legal):
        text += " " + _("Or give a card for your armies aside.")
    return text.format(n=facts.owed)


def _awaited(request: SceneRequest, facts: Facts) -> str:
    """Return for whom all wait, and for what."""
    _ = translator(request.language, PACKAGE).gettext
    acting = request.view.acting
    if not acting:
        return ""
    if len(acting) > 1:
        return _("Both choose in secret.")
    side = _(IN_SENTENCES[acting[0]])
    if facts.owed:
        return _("{side} chooses where armies come from.").format(side=side)
    if facts.phase == s.LAYING and facts.viewer >= 0:
        return _("Your five cards lie. {side} is still laying.").format(side=side)
    return _(AWAITED[facts.phase]).format(side=side)
