"""Words that turn a statement into another one."""

from __future__ import annotations

from mnemex_vault.domain.words import word_set

NEGATIONS = word_set(
    """
    cannot neither never no nobody none nor not nothing nowhere without
    nicht kein keine keinen keinem keiner nie niemals ohne ne pas jamais rien sans aucun
    nunca ninguno ninguna nada sin non mai niente senza não nem sem не нет никогда без
    """
)

OPPOSITES = word_set(
    """
    after against agree allow allowed always before below above cheap decrease deprecated disable disabled disagree
    dislike dislikes down enable enabled end excludes expensive fail failed false fast first forbid forbidden former
    hate hates high includes increase last left less like likes love loves low max maximum min minimum more off old on
    open closed optional passed prod production public private required right rarely slow staging start stop stopped
    true up wrong
    """
)

DATE_WORDS = word_set(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays today tomorrow yesterday tonight morning noon afternoon evening midnight spring summer
    autumn fall winter januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
    samstag sonntag janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi
    mercredi jeudi vendredi samedi dimanche
    """
)

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"first": "1", "second": "2", "third": "3", "twice": "2", "once": "1", "dozen": "12", "hundred": "100"}
