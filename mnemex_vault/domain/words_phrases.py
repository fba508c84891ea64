"""Phrases by which people show what they want of a memory; literal, matched whole word by whole word.

Short forms are written out: "do not" stands for "don't" as well.
"""

from __future__ import annotations


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(";"))


SAVE_PHRASES = _phrases(
    """
    remember that; remember this; remember i; remember my; remember we; remember our; remember the following;
    remember for; remember it; please remember; can you remember that; do not forget; never forget; keep in mind;
    bear in mind; make a note; take a note; take note; note that; please note; note to self; note down; save this;
    save that; save it; save the fact; store this; store that; write this down; write that down; write it down; jot
    down; jot this down; for future reference; for the record; i want you to know; you should know; just so you
    know; add to memory; add this to memory; add that to your memory; add to your memory; commit to memory; commit
    this to memory; put this in your memory; memorize; memorise; so you know; keep a record; keep this; keep track;
    log that; record that; keeping in mind; bearing in mind; making a note; mental note; write down that; note down
    that; add this to your notes; add that to your notes; note for the future; note for later; remembering that;
    noting that; note to myself
    """
)

RECALL_PHRASES = _phrases(
    """
    do you remember; you remember my; you remember our; you remember the; do you recall; can you remember what; can
    you remember which; can you remember where; can you remember when; can you recall; you remember what; remember
    when; remember what; remember where i; remember which; remember the time; remind me what; remind me which;
    remind me who; remind me where; remind me when; remind me how; remind me why; remind me of; remind me about;
    remind us what; remind us which; refresh my memory; what did i say; what did i tell; what did i mention; what
    did i decide; what did i call; what did we say; what did we decide; what did we agree; what did we discuss; what
    did we choose; what did we talk; what have i told; what have i said; what have we; what do you know about; what
    you know about; what you remember; what you have on; what do you remember; what do you have on; what was that;
    did i tell you; did i mention; did i say; did i ever; did not i; did not we; did we decide; did we agree; did we
    talk; have i told you; have i mentioned; have i ever; i told you; i mentioned; as we discussed; as we said; like
    we said; as you said last; as i said; as i told you; as i mentioned; as discussed; as agreed; as we agreed; like
    i said; like last time; as last time; same as last time; where we left off; where did we leave; where were we;
    we talked about; we discussed; we spoke about; you told me; you said earlier; earlier you said; according to my
    notes; in my notes; from my notes; past chats; past conversations; earlier chats; earlier conversations;
    previous chats; previous conversations; our last chat; our last conversation; our last session; previous
    session; from last time; since last time; we left off; you left off; where we stopped; what you have saved; you
    noted; you had noted; you have noted; did you note; did i note; what you have noted; what you have stored; like
    last month; like last week; like last year; what i said; what we said; what i told; what we decided; what i
    decided; what we agreed; what we discussed; what we talked; what we planned; what we chose; i gave you; you
    recommended; you suggested to me; you know what i like; you know how i like; you know me; i forgot what; i
    forgot where; i forgot who; i forgot which; i forgot when; i forgot the name; i have forgotten the; i can not
    remember; i can not recall; i do not remember; i do not recall; bring up the notes; pull up the notes; pull up
    my; the notes on; the notes about; up to speed; everything you have on; all you have on; everything you know
    about me; everything about me; catch me up; fill me in; where do things stand; where are we with; search my
    memory; search my memories; search your memory; search memory; check your memory; check my notes; look in your
    memory; look it up in your memory; from memory; any memories; any notes
    """
)

REINFORCE_PHRASES = _phrases(
    """
    that is still right; that is still true; still true; still valid; still correct; still applies; still the case;
    still stands; still holds; you remembered; you did remember; good memory; well remembered; exactly as you
    remembered; as i told you; what i told you; has not changed; nothing has changed; remembered correctly
    """
)

IMPORTANT_PHRASES = _phrases(
    """
    important; importantly; this is important; very important; key point; crucial; essential; significant; pay
    attention; it matters that; this matters; matters a lot; must not forget; without fail; top priority; high priority
    """
)

CRITICAL_PHRASES = _phrases(
    """
    critical; vital; never ever; under no circumstances; life threatening; emergency; absolutely must; extremely
    important; anaphylactic; severe allergy; severely allergic; deadly allergic
    """
)

UNCERTAIN_PHRASES = _phrases(
    """
    maybe; perhaps; possibly; probably; might; not sure; unsure; not certain; i think; i guess; i suppose; i believe;
    kind of; sort of; leaning towards; leaning toward; tentatively; for now; could be; may be; not decided; undecided;
    it seems; as far as i know; if i remember correctly
    """
)

DECISION_WORDS = _phrases(
    """
    decided; have decided; made a decision; made the decision; made up my mind; made up our minds; changed my mind;
    changed our minds; agreed; chose; have chosen; settled on; opted for; opted to; ended up choosing; ended up
    going with; ended up with; going with; go with; went with; sticking with; stick with; switching to; switching
    from; switched to; switched from; moving to; moving from; migrating to; migrating from; moving away from;
    standardised on; standardized on; committed to; ruled out; signed off; picked; voted; voted for; dropped
    support; drop support
    """
)

PREFERENCE_WORDS = _phrases(
    """
    prefer; favour; favor; would rather; favourite; favorite; favourites; favorites; like; love; hate; dislike; enjoy;
    adore; detest; loathe; despise; can not stand; can not bear; not a fan; big fan; fan of; fond of; keen on; allergic;
    into
    """
)

STANDING_PHRASES = _phrases(
    """
    from now on; going forward; in future; in the future; by default; whenever i; every time i; each time i; call me;
    address me; always; never; no longer; any more; anymore
    """
)

GENERAL_QUESTIONS = _phrases(
    """
    what is the difference; what are the differences; what is the capital; what does; what is a; what is an; what
    are; how does; how do you; how can one; how many; how much; how far; how to; how can i; how do i; how would i;
    how could i; how can we; how do we; why is; why does; why do; why are; who invented; who wrote; who painted; who
    directed; who composed; who sang; who was; who discovered; when was; when did; where is; can you explain; could
    you explain; explain; tell me about; define; is it possible; is it true; is there; are there
    """
)

PASSING_TIMES = _phrases(
    """
    today; tonight; right now; at the moment; this morning; this afternoon; this evening; just now; a minute ago; in a
    minute; in a second; for a second; for a minute; later today; brb
    """
)

HYPOTHETICAL = _phrases(
    """
    if i had; if i were; if i was; if we had; if we were; imagine; suppose; let us say; hypothetically; pretend; what
    if; would have; in this story; in this scenario; in this game; in this example; in my novel; in my story; role play
    """
)
