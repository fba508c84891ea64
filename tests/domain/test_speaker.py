import pytest

from mnemex_vault.domain.predicates import Aspect
from mnemex_vault.domain.speaker import aspect_of, without_leads
from mnemex_vault.domain.spoken import spoken_words

LASTING = """
I live in Graz
I'm 34 years old
We have two cats
I have been learning Japanese
I've had diabetes since 2010
I'm learning Rust
I'm getting married
I'm afraid of spiders
I can speak Basque
I want to become a pilot
I'd like to learn Rust
I don't eat meat
I know Rust well
I usually pick up the kids
I always need two alarms
We need to report weekly
Anna and I run a bakery
Since January I work less
On Mondays I swim
The car I drive is old
My dog is called Rex
Our son only eats pasta
Our API returns dates
Clara is my sister
Anna, my wife, sings
Ben from our team left
The tool is for us
I said my flight is on Monday
I said that we live here
I used to smoke
I got a puppy
I hardly ever drive
"""
PREFERENCE = """
I prefer tabs
I don't like cilantro
I'm a big fan of Ghibli
I can't stand noise
I'd rather walk
I hate it when people shout
My favourite colour is teal
"""
DECISION = """
I decided to wait
I've decided to wait
We will drop support
We are going to move
I will stop drinking
"""
PASSING = """
I'm back
I'm a bit tired
I'm reading this
I have a question
I have to go
I have seen it
I have not
I just pushed the branch
I need to think
I can't see the image
I would say so
I will try
I should go
I don't know
I know
I think so
I use it
I got an error
I lost it
My code is slow
My laptop crashed
My head hurts
Our server is down
"""
NOTHING = """
Rome is old
She likes tea
Write my letter
I
I am
I always
I would
I love it
I like
My bad
It belongs to her
They told me so
He came with us
for me
the thing about my code
a walk in the woods near our town
Yes
"""


@pytest.mark.parametrize(
    ("aspect", "clauses"),
    [
        (Aspect.LASTING, LASTING),
        (Aspect.PREFERENCE, PREFERENCE),
        (Aspect.DECISION, DECISION),
        (Aspect.PASSING, PASSING),
        (None, NOTHING),
    ],
)
def test_what_a_clause_tells_about_the_speaker(aspect: Aspect | None, clauses: str) -> None:
    told = {clause: aspect_of(spoken_words(clause)) for clause in clauses.strip().splitlines()}
    assert {clause: found for clause, found in told.items() if found is not aspect} == {}


def test_words_of_address_are_no_part_of_what_is_told() -> None:
    assert without_leads(("ok", "so", "actually", "i", "live", "here")) == ("i", "live", "here")
    assert without_leads(("yes",)) == ()
