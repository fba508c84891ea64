"""Words in lists, and things counted in words: what prose is made of, verbs and function words first."""

from __future__ import annotations

# How word lists are written down, and how things are counted in words.


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is separated by white space.

    >>> sorted(word_set("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "memory", "memories"), counted(1200, "note")
    ('1 memory', '1,200 notes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


# Words that a title leaves out or changes.

# verbs that people use of themselves; only these are put into the third person
VERBS = word_set(
    """
    accept admire adore agree aim appreciate attend avoid bark believe belong bike blog book brew bring build buy call
    care carry celebrate change check choose climb code collect come commute connect consider contain cook cost cover
    cycle dance deal decide depend deploy design despise detest develop disagree dislike do draw dream drink drive eat
    edit enjoy exercise expect face favor favour fear feel find finish fish fit fix follow forget garden get give go
    grow hate have head hear help hike hold hope host identify ignore intend invest jog keep knit know lack lead lean
    learn leave like listen live log look lose love maintain make manage mean measure meditate meet mentor miss move
    need note own paint pay pick plan play practice practise prefer prepare prioritise prioritize provide publish pull
    push put raise read recommend refuse regret rely remember rent report require respect return ride row run sail save
    say see seek sell send serve share ship shoot sing sit ski sleep smoke speak spend stand start stay store study
    suffer suggest support surf swim switch take talk teach tend test think track trade train travel treat try turn type
    understand use value visit volunteer wake walk want watch wear wish wonder work worry write
    """
)

PASTS = word_set(
    """
    became began bought broke brought built chose came caught did drew drank drove ate fell felt found flew forgot got
    gave went grew had heard held kept knew learnt led left lost made meant met paid ran rode said sat saw sent set sold
    spent spoke stood stopped swam taught told took thought understood was were woke won wore wrote
    """
)

PARTICIPLES = word_set("been begun broken chosen come done drawn eaten fallen given gone grown run seen taken written")

MODALS = word_set("can can't cannot could couldn't may might must mustn't should shouldn't will won't would wouldn't")

ADVERBS = word_set(
    """
    absolutely actually almost already also always barely currently definitely especially generally hardly just
    mainly mostly much never no normally now occasionally often only personally primarily probably rarely really
    regularly sometimes still strictly strongly typically usually
    """
)

# with nothing but these a sentence says nothing that would tell one memory from another
EMPTY = word_set(
    """
    a about ah all also am an and are as at be been but bye can claude cool could day did do does done evening fine for
    from get got good great had has have hello hey hi him her his how i if in is it its just know let like likes love
    loves me morning my no not now of oh ok okay on one or our please really remember right she he should so some sure
    thank thanks that the their them there these they thing this those to too very want wants was we well were what when
    which who will with would yeah yes you your assistant everyone folks guys team
    """
)

# a phrase must not end with one of these
DANGLING = word_set(
    """
    a an and are as at be because been but by for from had has have if in into is it its my not of on onto or our over
    per so than that the their then these this those to under until up via was we were when where which while who whose
    will with without would due dated
    """
)

GENERIC_HEADINGS = word_set(
    """
    background context decision decisions description details fact idea info information introduction log meeting memo
    memories memory minutes misc note notes overview preference preferences question questions remember reminder
    reminders summary todo todos untitled update updates
    """
)

LOWER_CASE_NAMES = word_set(
    """
    bash brew cargo curl eslint fzf gcc git htop jq kubectl make mypy nginx npm npx nvm pip pipx pnpm psql pytest rsync
    ruff sed ssh systemd tar tmux tsc uv vim yarn zsh
    """
)
