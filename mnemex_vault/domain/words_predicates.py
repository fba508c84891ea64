"""Verbs and adjectives by what they tell of the one who says "I": the moment, a habit, a plan, a state of life."""

from __future__ import annotations

from mnemex_vault.domain.words import word_set

LIKING = word_set("prefer favour like love hate dislike enjoy adore detest loathe despise")
DECIDED = word_set("decided chose agreed opted settled picked chosen")
HARD_LIMITS = word_set("stand bear eat drink tolerate digest wear have")

# who cannot do these cannot do them tomorrow either

ABILITIES = word_set(
    """
    afford attend bend climb cook dance drive fly hear hike jog kneel lift ride run sing smell speak swim taste travel
    walk work
    """
)

# verbs of talking, looking, wanting and handling what is on the screen: in the present they tell of the moment

CHAT_VERBS = word_set(
    """
    add admit assure attach beg bet change choose click close come confess copy count cut declare delete download edit
    end explain face fix gather give go hit imagine include insist insert install let load look mention move need offer
    open owe pass paste place point press print propose put realise realize recall recommend remember remove repeat
    reset restart see select send set show start stop submit suggest swear tell test turn type update upgrade upload
    vote wait welcome wish worry
    """
)

# without an object these say nothing of a life

BARE_CHAT = word_set("care mind remember follow recall try stay win lose")
DECIDED_PASTS = word_set(
    """
    abandoned adopted approved ditched dropped hired introduced postponed rejected replaced scrapped signed switched
    """
)

# in the continuous form these are settled plans, for "we" more of them than for "I"

RESOLVED = word_set("dropping selling quitting retiring buying keeping cancelling canceling divorcing")
OUR_PLANS = RESOLVED | word_set(
    "launching hiring closing dropping replacing putting opening hosting renaming rebuilding outsourcing scrapping"
)
NO_PLANS = word_set("doing getting going having looking running seeing sitting talking thinking trying waiting")
COMMITTED = word_set(
    """
    use switch keep drop adopt quit stop start migrate stick go support deprecate move replace rename
    """
)
NO_RESOLVE = word_set("see be have talk try need make get do find look know think wait")
NEW_STATES = word_set("married engaged divorced promoted")
ASPIRED = word_set("become learn move visit study live retire write work quit stop travel run be found climb")
COMPLETE = word_set("married retired divorced graduated moved quit relocated emigrated")
EXAMS = word_set("exam exams driving bar finals thesis interview")
JUDGED = word_set(
    "boring hard difficult easy annoying relaxing exhausting confusing useful useless stressful ugly beautiful calming"
)

# what somebody was once: "I was a nurse", "I was born in Nairobi"

ONCE = word_set("a an born raised diagnosed adopted brought named trained married vegetarian vegan")

# adjectives with the ending of a passing mood that are none

LASTING_ADJECTIVES = word_set(
    """
    retired married divorced widowed engaged separated self-employed left-handed right-handed short-sighted
    near-sighted color-blind colour-blind colourblind colorblind disabled qualified certified childless homeless
    catholic lefty bisexual gay
    """
)
NOT_A_PLACE = word_set("a an the it my our that this hold call time track break holiday vacation site fire top")
FUNCTION_WORDS = word_set(
    """
    a an and are as at be because but by for from if in into is it me my no nor not of off on or our out over per so
    than that the then there this through to under until up via was were what when where which while who why with you
    your else too
    """
)
