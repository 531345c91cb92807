"""From where the table stands to what is on the screen: `present` makes a `TableView`, in words and nothing but.

Pure; nothing is drawn, decided or remembered here, and no face of a hand ever enters a view.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.calling import was_fined
from table_app.play.cards_read import dealt_count, dealt_to
from table_app.play.cues import awaited_seats, cues
from table_app.play.form_steps import Step, next_step
from table_app.play.hands_tapped import cards_to_show, shown_seat
from table_app.play.modes import JOIN_PREFIX, Mode, mode_of
from table_app.play.notices import Notice, NoticeKind
from table_app.play.state import CatcherQuestion, DrawnQuestion, MenuPage, TableState
from table_app.play.taking_back import assumed_text, taking_back_text
from table_app.rules import Effect, Face, Match, Phase, Scoring, Undo, public_waits
from table_app.rules.legality import stacked_on
from table_app.rules.messages import Translate, _, _n, in_number, untranslated, words_of
from table_app.rules.rulebook import rulebook
from table_app.rules.state import CLOCKWISE, CharadeQuestion, ShowQuestion, SwapQuestion
from table_app.rules.words import face_name, sought, sought_text, wait_text
from table_app.view.cards import card_view, colour_view
from table_app.view.controls import can_tap, controls, picker, question, shortcuts, types_points
from table_app.view.forms import name_typing, pause_screen
from table_app.view.older import older_screen
from table_app.view.table_view import (
    Alarm,
    Banner,
    ColourView,
    Direction,
    Headline,
    Kind,
    ScoresScreen,
    SeatView,
    Standing,
    StartScreen,
    TableView,
    TextScreen,
    Typing,
)


def present(state: TableState, now_ms: int, translate: Translate = untranslated) -> TableView:
    """The screen for *state* at *now_ms*."""
    match = state.match
    in_round = match.phase is not Phase.BETWEEN or match.round_number > 0
    return TableView(
        top_card=card_view(match.setup, match.top, translate) if match.top is not None else None,
        colour=colour_view(match.colour.value, translate) if match.colour is not None else None,
        direction=_direction(match) if in_round else None,
        direction_name=_direction_name(match, translate) if in_round else "",
        seats=tuple(_seat(state, seat, translate) for seat in range(len(match.names))),
        headline=_headline(state, translate),
        prompt=prompt(state, translate),
        sought=_sought(state, translate),
        banners=_banners(state, translate),
        alarm=_alarm(state, now_ms, translate),
        question=question(state, translate),
        controls=controls(state, translate),
        shortcuts=shortcuts(state),
        picker=picker(state, translate),
        typing=_typing(state, translate),
        draw_pile=_draw_pile(match, translate),
        target=_target(match, translate),
        screen=_screen(state, translate),
    )


def _sought(state: TableState, translate: Translate) -> ColourView | None:
    """The colour that decides an open challenge, where the prompt asks for it."""
    found = sought(state.match)
    if found is None or found.colour is None or mode_of(state) not in (Mode.CHALLENGE, Mode.SHOW):
        return None
    return colour_view(found.colour.value, translate)


def _typing(state: TableState, translate: Translate) -> Typing | None:
    """Keys for the name of somebody who joins."""
    if mode_of(state) is not Mode.CHOOSE_NAME:
        return None
    asked = question(state, translate)
    return name_typing(asked.text if asked is not None else "", JOIN_PREFIX, translate)


def _screen(state: TableState, translate: Translate) -> StartScreen | ScoresScreen | TextScreen | None:
    """What stands in the table's place: the rules, a pause, or the end of the match."""
    if state.menu is MenuPage.RULES:
        return _rules(state.match, translate)
    if state.menu is MenuPage.OLDER:
        return older_screen(state, translate)
    if state.pause is not None:
        return _paused(state, translate)
    return _scores(state, translate) if state.match.phase is Phase.OVER else None


def _paused(state: TableState, translate: Translate) -> StartScreen:
    """A table that stands still says what it will be waiting for: a debt goes before the turn."""
    going = replace(state, pause=None, menu=MenuPage.CLOSED)
    is_plain = mode_of(going) in (Mode.TURN, Mode.DRAWN)
    return pause_screen(state, "" if is_plain else prompt(going, translate), translate)


def _rules(match: Match, translate: Translate) -> TextScreen:
    """The rulebook in force, each rule under the name that rulings cite."""
    paragraphs = tuple(line for name, text in rulebook(match.setup, translate) for line in (f"# {name}", text))
    return TextScreen(
        title=translate(_("The rules at this table")),
        paragraphs=paragraphs,
        page=translate(_("page")),
        previous=translate(_("Back a page")),
        next=translate(_("Next page")),
    )


def notice_text(match: Match, notice: Notice, translate: Translate = untranslated) -> str:
    """A notice in words, with the deck's own names of cards."""

    def face_text(face: Face) -> str:
        kind = match.setup.deck.kinds.get(face)
        return face_name(face, translate, kind.title if kind is not None else "")

    return notice.words(translate, face_text)


# -- words -----------------------------------------------------------------------------------------------------

NOTICE_KINDS = {
    NoticeKind.SAID: Kind.NOTICE,
    NoticeKind.LAPSED: Kind.NOTICE,
    NoticeKind.REFUSED: Kind.REFUSED,
    NoticeKind.SEVERAL: Kind.REFUSED,
    NoticeKind.TROUBLE: Kind.ALARM,
}


def _headline(state: TableState, translate: Translate) -> Headline | None:
    """What was said last: an answer that changed nothing, else the last ruling."""
    if state.notice is not None:
        return Headline(notice_text(state.match, state.notice, translate), NOTICE_KINDS[state.notice.kind])
    ruling = state.ruling
    if ruling is None:
        return None
    taken = state.history.taken_back
    if taken and not isinstance(ruling.action, Undo):
        text = taking_back_text(taken, state.match, translate, restored=state.history.laid)
        return Headline(text, Kind.ACCEPTED if ruling.is_ok else Kind.REFUSED, "undo")
    seen = cues(state.match, ruling, taken, translate)
    kind = Kind.ALARM if seen.alarm is not None else Kind.ACCEPTED if ruling.is_ok else Kind.REFUSED
    said = " ".join(filter(None, (seen.headline, assumed_text(state.match, state.history.assumed, translate))))
    return Headline(said, kind, ruling.rule)


def _alarm(state: TableState, now_ms: int, translate: Translate) -> Alarm | None:
    if state.alarm is None or state.alarm.until_ms < now_ms:
        return None
    seen = cues(state.match, state.alarm.ruling, (), translate).alarm
    return Alarm(seen.title, seen.detail) if seen is not None else None


def _banners(state: TableState, translate: Translate) -> tuple[Banner, ...]:
    banners = [Banner(words_of(state.trouble, translate))] if state.trouble else []
    banners += [Banner(reason) for reason in dict.fromkeys(reason for _device, reason in state.lost)]
    banners += [Banner(words_of(message, translate), Kind.NOTICE) for message in state.messages]
    return tuple(banners)


def prompt(state: TableState, translate: Translate = untranslated) -> str:
    """What is awaited, in words."""
    match = state.match
    found = mode_of(state)
    if state.menu is MenuPage.OLDER:
        screen = older_screen(state, translate)
        return " ".join((screen.title, *screen.paragraphs))
    if found is Mode.PAUSED:
        screen = _paused(state, translate)
        title = screen.title if screen.title.endswith(("?", ".")) else f"{screen.title}."
        return " ".join((title, screen.lead, *screen.paragraphs))
    if found is Mode.DEAL_SEEN:
        if not can_tap(state) and not _has_pile_reader(state):
            return translate(_("The reader is gone: deal the rest unseen, then press Dealt."))
        message = translate(_("Deal card by card, each over the reader: the next one is for {player}."))
        return _fewer_each(state, translate) + message.format(player=match.names[dealt_to(state)])
    if found in (Mode.SHOW, Mode.COUNT):
        return _showing_prompt(state, translate)
    if found is Mode.DEAL and match.high is None:
        deals = _n(
            "{player} deals {count} card each, then turns the first card.",
            "{player} deals {count} cards each, then turns the first card.",
        )
        message = in_number(deals, state.cards_each, translate)
        return _fewer_each(state, translate) + message.format(player=match.names[match.dealer], count=state.cards_each)
    if found is Mode.FIRST_CARD and can_tap(state):
        return translate(_("Turn the first card and tap it on the pad."))
    if found is Mode.FIRST_CARD:
        return translate(_("Turn the first card and pick it on the screen."))
    if found is Mode.CHALLENGE and match.wild_four is not None:
        victim = match.wild_four.victim
        message = _("{player}: challenge the Wild Draw Four, or draw {count}.")
        if stacked_on(match):
            message = _("{player}: challenge the Wild Draw Four, lay another one on it, or draw {count}.")
        asked = translate(message).format(player=match.names[victim], count=match.owes[victim])
        return " ".join(filter(None, (sought_text(match, translate), asked)))
    if found is Mode.TURN and match.turn is not None and ("play" in {word for _name, word in public_waits(match)}):
        may_draw = _("{player}: lay a card or draw.")
        message = _("{player}: lay a card or pass.") if match.nothing_to_draw else may_draw
        if not match.draw_pile and not match.nothing_to_draw:
            message = _("{player}: lay a card, or shuffle the discard pile and draw.")
        return translate(message).format(player=match.names[match.turn])
    if found is Mode.DRAWN and match.turn is not None:
        return translate(_("{player}: lay the drawn card or keep it.")).format(player=match.names[match.turn])
    if found in (Mode.OWES, Mode.LAST_DEBTS) and match.draw_pile:
        return _debts_prompt(match, translate)
    if found is Mode.SCORE_ALONE:
        return translate(_("Who is out? Touch or press the seat."))
    unsaid = {"find"} if match.draw_pile == 0 else {"find", "reshuffle"}  # early, people shuffle unasked
    return " ".join(wait_text(player, word, translate) for player, word in public_waits(match) if word not in unsaid)


def _debts_prompt(match: Match, translate: Translate) -> str:
    """Who draws how many; and that a card may be laid on it instead, where it may."""
    faces = stacked_on(match)
    said = []
    for seat, cards in enumerate(match.owes):
        message = _("{player} draws {count}.")
        if cards and faces and match.penalty is not None and match.penalty.seat == seat:
            effects = {match.kind(face).effect for face in faces}
            message = _("{player} draws {count}, or lays a card that makes others draw.")
            if effects == {Effect.DRAW_TWO}:
                message = _("{player} draws {count}, or lays another Draw Two on it.")
            elif effects == {Effect.WILD_DRAW_FOUR}:
                message = _("{player} draws {count}, or lays another Wild Draw Four on it.")
        if cards:
            said.append(translate(message).format(player=match.names[seat], count=cards))
    return " ".join(said)


def _fewer_each(state: TableState, translate: Translate) -> str:
    """Why fewer cards are dealt than the table is set up for; nothing where they are not."""
    wanted = state.options.cards_each
    if state.cards_each == wanted:
        return ""
    message = translate(_("The deck has too few cards for {wanted} each, so everybody gets {count}."))
    return message.format(wanted=wanted, count=state.cards_each) + " "


def _has_pile_reader(state: TableState) -> bool:
    pile = state.options.pile_reader
    return pile != "" and all(device != pile for device, _reason in state.lost)


def _showing_prompt(state: TableState, translate: Translate) -> str:
    seat = shown_seat(state)
    if seat is None:
        return ""
    needed = cards_to_show(state.match, seat)
    shown = len(state.showing.cards)
    name, taps = state.match.names[seat], can_tap(state)
    if isinstance(state.match.question, ShowQuestion):
        return _challenge_prompt(state, name, shown, needed, translate)
    if types_points(state):
        message = _("{player}: type the points left in the hand, or tap the cards; {shown} so far.")
        message = (
            message if taps else _("{player}: type the points left in the hand, or pick the cards; {shown} so far.")
        )
        return translate(message).format(player=name, shown=shown)
    if needed is None:
        message = _("{player}: tap the cards of the hand; {shown} so far.")
        message = message if taps else _("{player}: pick the cards of the hand; {shown} so far.")
        return translate(message).format(player=name, shown=shown)
    message = _("{player}: tap the cards of the hand, only the referee sees them: {shown} of {needed}.")
    message = message if taps else _("{player}: pick the cards of the hand, nobody else looks: {shown} of {needed}.")
    asked = translate(message).format(player=name, shown=shown, needed=needed)
    return " ".join(filter(None, (sought_text(state.match, translate), asked)))


def _challenge_prompt(state: TableState, name: str, shown: int, needed: int | None, translate: Translate) -> str:
    """A hand is shown to the referee alone, or to who challenged, who says what was found."""
    asked = _how_to_show(state, name, shown, needed, translate)
    return " ".join(filter(None, (sought_text(state.match, translate), asked)))


def _how_to_show(state: TableState, name: str, shown: int, needed: int | None, translate: Translate) -> str:
    question = state.match.question
    assert isinstance(question, ShowQuestion)
    other = state.match.names[question.challenger]
    if not can_tap(state):
        message = translate(_("{other} looks at the hand of {player} and presses Guilty or Innocent."))
        return message.format(other=other, player=name)
    if needed is None:
        message = translate(_("{player}: tap the cards of the hand; {shown} so far."))
        return message.format(player=name, shown=shown)
    message = translate(
        _(
            "{player}: tap the hand, for the referee alone: {shown} of {needed}. "
            "Or {other} looks at it and presses Guilty or Innocent."
        )
    )
    return message.format(player=name, shown=shown, needed=needed, other=other)


def _draw_pile(match: Match, translate: Translate) -> str:
    if not match.setup.refereed or match.phase is Phase.BETWEEN:
        return ""
    return translate(_("{count} left")).format(count=match.draw_pile)


def _target(match: Match, translate: Translate) -> str:
    target = match.setup.target
    if target is None:
        return translate(_("first out wins"))
    return translate(_("to {points}")).format(points=target)


def _direction(match: Match) -> Direction:
    return Direction.CLOCKWISE if match.direction == CLOCKWISE else Direction.ANTICLOCKWISE


def _direction_name(match: Match, translate: Translate) -> str:
    return translate(_("clockwise") if match.direction == CLOCKWISE else _("anticlockwise"))


# -- seats -----------------------------------------------------------------------------------------------------


def _seat(state: TableState, seat: int, translate: Translate) -> SeatView:
    match = state.match
    window = match.window
    choice = _choice(state, seat)
    is_deal_seen = mode_of(state) is Mode.DEAL_SEEN
    return SeatView(
        name=match.names[seat],
        cards=dealt_count(state, seat) if is_deal_seen else match.hands[seat].size,
        cards_word=translate(_("cards")),
        score="" if match.setup.target is None else str(match.scores[seat]),
        score_words="" if match.setup.target is None else _points(match.scores[seat], translate),
        colour_index=state.options.colour_of(seat),
        is_turn=seat in awaited_seats(state),
        owes=translate(_("owes {count}")).format(count=match.owes[seat]) if match.owes[seat] else "",
        call=translate(_("Uno?")) if window is not None and window.seat == seat else "",
        gone="" if match.playing[seat] else translate(_("out")),
        note=translate(_("dealer")) if match.dealer == seat else "",
        button=choice or _plain_button(state, seat),
        is_choice=bool(choice),
    )


def _points(points: int, translate: Translate) -> str:
    counted = _n("{count} point", "{count} points")
    return in_number(counted, points, translate).format(count=points)


def _choice(state: TableState, seat: int) -> str:
    """The button of a seat that is one of the answers to what is asked; empty where it is none."""
    match = state.match
    if not match.playing[seat] or state.pause is not None:
        return ""
    if state.form is not None:
        is_asked = next_step(state.form) is Step.SEAT or (state.form.kind == "resync" and state.form.card is None)
        return f"seat:{seat}" if is_asked else ""
    if isinstance(state.question, CatcherQuestion):
        return f"seat:{seat}" if seat != state.question.seat else ""
    if isinstance(match.question, SwapQuestion):
        return f"swap:{seat}" if seat != match.question.seat else ""
    if isinstance(match.question, CharadeQuestion):
        return f"seat:{seat}" if seat != match.question.seat else ""
    found = mode_of(state)
    if found is Mode.COUNT and (match.names[seat], "show") in public_waits(match):
        return f"seat:{seat}"
    return f"seat:{seat}" if found is Mode.SCORE_ALONE else ""


def _plain_button(state: TableState, seat: int) -> str:
    """On the screen a seat says whose card it was; calls and catches have controls of their own there."""
    match = state.match
    if not match.playing[seat] or state.form is not None:
        return ""
    if isinstance(state.question, DrawnQuestion) or was_fined(match, seat):
        return f"seat:{seat}"
    if state.held is not None:
        return f"give:{seat}"
    last = state.last_play
    if match.phase is Phase.PLAY and last is not None and last.seat != seat:
        return f"give:{seat}"
    return f"seat:{seat}"


# -- the end of the match --------------------------------------------------------------------------------------


def _scores(state: TableState, translate: Translate) -> ScoresScreen:
    """The final scores, best first; equal scores share a place."""
    match = state.match
    is_lowest_best = match.setup.scoring is not Scoring.WINNER
    order = sorted(
        range(len(match.names)),
        key=lambda seat: (seat not in match.winners, match.scores[seat] * (1 if is_lowest_best else -1)),
    )
    standings = []
    place = 0
    for number, seat in enumerate(order, 1):
        is_shared = number > 1 and match.scores[seat] == match.scores[order[number - 2]]
        place = place if is_shared and seat not in match.winners else number
        place = 1 if seat in match.winners else place
        standings.append(
            Standing(
                place=str(place),
                name=match.names[seat],
                score="" if match.setup.target is None else str(match.scores[seat]),
                colour_index=state.options.colour_of(seat),
                is_winner=seat in match.winners,
            )
        )
    winners = ", ".join(match.names[seat] for seat in match.winners)
    title = translate(_("{player} has won the match.")).format(player=winners)
    return ScoresScreen(title, tuple(standings))
