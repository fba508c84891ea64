"""English word lists: what a question says without asking for it, and forms of a word that no stemmer joins."""

from __future__ import annotations

_FUNCTION_WORDS = """
a about above after again against all also although always am an and another any anybody anyone anything are aren't
around as at be because been before being below between both but by can can't cannot could couldn't d did didn't do
does doesn't doing don't done down during each either else etc ever every everybody everyone everything few for from
further get gets getting got had hadn't happen happened happens has hasn't have haven't having he he'd he'll he's her
here here's hers herself him himself his how how's however i i'd i'll i'm i've if in into is isn't it it's its itself
just kind let let's like ll lot m many may me might mine more most much must mustn't my myself neither no nor not now
of off on once one only or other others ought our ours ourselves out over own please quite rather re really s said same
say says shall shan't she she'd she'll she's should shouldn't so some somebody someone something sort still such t tell
than that that's the their theirs them themselves then there there's these they they'd they'll they're they've thing
things this those though through to too toward towards under until up upon us use used uses using ve very via was
wasn't way we we'd we'll we're we've were weren't what what's whatever when when's where where's whether which while
who who's whom whose why why's will with within without won't would wouldn't yes yet you you'd you'll you're you've
your yours yourself yourselves
"""

# contractions count with and without their second part
STOP_WORDS = frozenset(_FUNCTION_WORDS.replace("'", "").split()) | frozenset(_FUNCTION_WORDS.replace("'", " ").split())

_IRREGULAR_FAMILIES = """
be am are is was were been being
become became
begin began begun
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
do did done does
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
foot feet
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
good better best
grow grew grown
hang hung
have had has
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
learn learnt
leave left
lend lent
lose lost
make made
man men
mean meant
meet met
mouse mice
pay paid
person people
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
shake shook shaken
shoot shot
show showed shown
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
strike struck
swear swore sworn
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
win won
wife wives
woman women
write wrote written
""".strip().splitlines()

# what people write for the same thing when they talk, and short forms of long words
_EVERYDAY_FAMILIES = """
child kid kids
mother mom moms mum mums mommy mummy mama
father dad dads daddy papa
grandmother grandma granny nana
grandfather grandpa granddad
brother bro
sister sis
husband hubby
family fam
photo photos photograph photographs picture pictures pic pics
movie movies film films
television tv telly
bicycle bike bikes
airplane plane aeroplane
telephone phone phones
refrigerator fridge
laboratory lab labs
university uni
information info
application app apps
advertisement ad ads advert
birthday bday
christmas xmas
congratulations congrats
vegetable veggie veggies
""".strip().splitlines()

WORD_FORMS = {
    form: family.split()[0] for family in (*_IRREGULAR_FAMILIES, *_EVERYDAY_FAMILIES) for form in family.split()[1:]
}
