"""What the devices say of themselves: tags that can't be read, readers that come and go. The game stays as it is.

One function a meaning, as in `presses`.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.modes import Answer, Moment
from table_app.play.notices import Notice, NoticeKind, refused, said, trouble
from table_app.play.state import start_clock
from table_app.tags.registry import uid_text


def unknown_tag(moment: Moment) -> Answer:
    """Nothing: it names the tag, which is none of this deck's, or the deck that is written on it."""
    if moment.text:
        notice = refused(
            "This tag belongs to the deck {}, and is no card that is in play here. Nothing has changed.", moment.text
        )
        return Answer(moment.state, notice=notice)
    if not moment.is_sticker:
        notice = refused(
            "That is a bank card, a pass or a phone, not a playing card. Keep it away and lay the card alone."
        )
        return Answer(moment.state, notice=notice)
    notice = refused(
        "Unknown tag {}: it is no card of this deck. Nothing has changed; pick the card by hand, or enrol the tag.",
        uid_text(moment.tag),
    )
    return Answer(moment.state, notice=notice)


def unknown_card(moment: Moment) -> Answer:
    """Nothing: this deck has no such card."""
    return Answer(
        moment.state,
        notice=refused("{} is no card of this deck, and no other word that this table knows.", moment.text),
    )


def lying_tag(moment: Moment) -> Answer:
    """Nothing: nobody knows when it was laid; it counts once it is lifted and laid again."""
    notice = said(
        "Something lies on the {} since before the start: it counts once you lift it and lay it again.", moment.device
    )
    return Answer(moment.state, notice=notice)


def tag_removed(moment: Moment) -> Answer:
    """The pad is free again."""
    state = moment.state
    on_pad = tuple(lying for lying in state.on_pad if lying != (moment.device, moment.tag))
    # The grace time of a call begins when the pad is clear.
    return Answer(start_clock(replace(state, on_pad=on_pad), moment.at_ms))


def several_tags(moment: Moment) -> Answer:
    """Nothing: it asks for one card at a time."""
    return Answer(
        moment.state, notice=Notice("One card at a time: take them all off, lay one.", (), NoticeKind.SEVERAL)
    )


def disturbed(moment: Moment) -> Answer:
    """Nothing: it asks to lay the card anew."""
    notice = refused("The card can't be read. Take it off and lay it flat on the pad; if it stays so, pick it by hand.")
    return Answer(moment.state, notice=notice)


def device_lost(moment: Moment) -> Answer:
    """It says which device is gone; play goes on by hand."""
    state = moment.state
    lost = tuple(entry for entry in state.lost if entry[0] != moment.device)
    after = replace(state, lost=(*lost, (moment.device, moment.text)))
    after = start_clock(after, moment.at_ms)
    # Why it is gone stands in the banner as long as it holds, and is not said twice.
    return Answer(after, notice=trouble("The {} does not answer. Play goes on by hand.", moment.device))


def device_back(moment: Moment) -> Answer:
    """It says that the device answers again."""
    state = moment.state
    lost = tuple(entry for entry in state.lost if entry[0] != moment.device)
    # What lies on a reader that was away is read anew: a card that lies on the pile already says so by itself.
    on_pad = tuple(lying for lying in state.on_pad if lying[0] != moment.device)
    return Answer(replace(state, lost=lost, on_pad=on_pad), notice=said("The {} answers again.", moment.device))


def device_note(moment: Moment) -> Answer:
    """It tells what there is to know about the device."""
    return Answer(moment.state, notice=said("{}", moment.text))
