"""From an enrolment to what is on the screen: which card is to be laid, what was said last, what is missing.

Pure; nothing is drawn, decided or remembered here.
"""

from __future__ import annotations

from table_app.rules.messages import Translate, _, untranslated
from table_app.tags.buttons import CommandEnrolment, command_words, is_needed
from table_app.tags.enrolling import Enrolled, Enrolment, Outcome, card_words, missing_words
from table_app.view.cards import face_view
from table_app.view.table_view import Banner, Control, EnrolScreen, Headline, Kind, Question, TableView

KINDS = {
    Outcome.ENROLLED: Kind.ACCEPTED,
    Outcome.ASKED: Kind.NOTICE,
    Outcome.REFUSED: Kind.REFUSED,
    Outcome.TOLD: Kind.NOTICE,
}

MISSING_SHOWN = 8
"""Faces named on the screen; the rest is a number."""


def present_enrolment(
    enrolment: Enrolment, said: Enrolled | None, trouble: str = "", translate: Translate = untranslated
) -> TableView:
    """The screen for *enrolment*; *said* is the last answer, *trouble* what is wrong with the reader."""
    deck, asked = enrolment.deck, enrolment.asked
    if asked is not None:
        title = translate(_("Lay the {card} on the pad")).format(card=card_words(deck, asked))
    elif enrolment.missing():
        title = translate(_("Some cards have no tag yet"))
    else:
        title = translate(_("Every card has its tag"))
    headline = None if said is None else Headline(said.text, KINDS[said.outcome])
    question = None
    if enrolment.offer is not None and said is not None:
        yes = Control("yes", translate(_("Move it")), "yes", emphasis=True, key="y")
        question = Question(said.text, (yes, Control("no", translate(_("Leave it")), "no", key="n")))
    return TableView(
        banners=(Banner(trouble),) if trouble else (),
        question=question,
        controls=_buttons(asked is None, enrolment.can_go_back, translate),
        screen=EnrolScreen(
            title=title,
            count=translate(_("{done} of {total}")).format(done=enrolment.tags, total=deck.size),
            done=enrolment.tags,
            total=deck.size,
            card=None if asked is None else face_view(deck, asked.face, translate),
            headline=headline,
            missing=_missing(enrolment, translate),
        ),
    )


def _buttons(is_done: bool, can_go_back: bool, translate: Translate) -> tuple[Control, ...]:
    if is_done:
        found = [Control("quit", translate(_("Done")), "yes", emphasis=True, key="return")]
    else:
        found = [
            Control("skip", translate(_("Leave out")), "forward", key="return"),
            Control("quit", translate(_("Stop")), "power", key="q"),
        ]
    return (Control("back", translate(_("Back")), "back", enabled=can_go_back, key="b"), *found)


def present_commands(
    enrolment: CommandEnrolment, said: Enrolled | None, trouble: str = "", translate: Translate = untranslated
) -> TableView:
    """The screen for stickers that become buttons."""
    asked, missing = enrolment.asked, enrolment.missing
    done, total = enrolment.total - len(missing), enrolment.total
    if asked is not None:
        message = _("Lay the sticker for {button} on the pad")
        message = (
            message if is_needed(asked) else _("Lay the sticker for {button} on the pad, or stop: it can be left out")
        )
        title = translate(message).format(button=command_words(asked))
    else:
        title = translate(_("Some buttons have no tag yet") if missing else _("Every button has its tag"))
    named = ", ".join(command_words(button) for button in missing[:MISSING_SHOWN])
    more = translate(_("Without a tag: {cards} and {count} others")) if len(missing) > MISSING_SHOWN else ""
    without = more or translate(_("Without a tag: {cards}"))
    return TableView(
        banners=(Banner(trouble),) if trouble else (),
        controls=_buttons(asked is None, enrolment.can_go_back, translate),
        screen=EnrolScreen(
            title=title,
            count=translate(_("{done} of {total}")).format(done=done, total=total),
            done=done,
            total=total,
            headline=None if said is None else Headline(said.text, KINDS[said.outcome]),
            missing=without.format(cards=named, count=len(missing) - MISSING_SHOWN) if missing else "",
        ),
    )


def _missing(enrolment: Enrolment, translate: Translate) -> str:
    words = missing_words(enrolment.deck, enrolment.missing())
    if not words:
        return ""
    shown = ", ".join(words[:MISSING_SHOWN])
    if len(words) > MISSING_SHOWN:
        return translate(_("Without a tag: {cards} and {count} other faces")).format(
            cards=shown, count=len(words) - MISSING_SHOWN
        )
    return translate(_("Without a tag: {cards}")).format(cards=shown)
