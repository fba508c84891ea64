import pytest

from mnemex_vault.domain.aspect import Aspect
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
I homeschool our kids
I milk sixty goats twice a day
I do night shifts
I do all my notes by hand
I find podcasts boring
I get seasick easily
I look after my father
I type with one hand every day
I start at Siemens in June
I can barely drive
I can't do mornings
I can't lift heavy things
I have to take pills every morning
I've got a bad knee
I was born in Nairobi
I was a nurse
I turned forty
I failed the bar exam
I passed my driving test
I know a bit of Rust
I might be switching to Linux
I may have a twin
I don't have a car
I'm on blood thinners
We're on GitLab
I'm off until April
I'm doing a course until June
I'm retired
I'm Portuguese
I quit in 2019 for good
Used to smoke
Allergic to nuts
Since my stroke I rest in the afternoon
From May on I live abroad
Grandma takes pills
The kids are in school
There are six of us
The doctor told me to rest
Mondays don't work for me
My son turned six
Our round closed in March
My sister is visiting in May
My hearing aids connect over Bluetooth
I should mention that I live abroad
That is how I read reports
"""
PREFERENCE = """
I prefer tabs
I don't like cilantro
I'm a big fan of Ghibli
I can't stand noise
I'd rather walk
I hate it when people shout
I'd like you to be blunt
I can't have dairy
My least favourite task is invoicing
My favourite colour is teal
"""
DECISION = """
I decided to wait
I've decided to wait
We will drop support
We are going to move
I will stop drinking
I'll only work four days
We dropped GraphQL
We're not renewing the licences
We won't be hiring this year
I'm not going to renew it
I'm selling the van
I'm going with the grey tiles
We're closing the shop in spring
I've chosen the blue one
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
I'm speechless
I'm so confused
I'm on it
I'm selling
I'm keeping the file
I'm using the example
I was late
I got disconnected
I might have misread that
I may have to go
I do that
I do some of it
I'll let you know
I'll keep you posted
I'm always here for you
I have it
I have three tabs open
I won
I left it
I run the script
I keep trying
I want a regex
I press enter
I don't care
I care
I can continue
I find it hard
I never get an error
I'm not going to lie
We will see
I will always remember
My battery is dying
My upload keeps failing
My character in the novel is called Ida
Our planet is warm
My cat walked over the keyboard
Our suite is red again
I must go
I'd rest
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
The kids had a blast
The landlady in the film owns a parrot
They are always there for us
That is my favourite part
Investing in our future is key
Let us make our day
It's good for me
There is a gift for you from us
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
