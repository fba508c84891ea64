"""Words that suggest a topic, and with it a tag."""

from __future__ import annotations

from mnemex_vault.domain.words import word_set

TOPICS = {
    "api": word_set("api apis endpoint endpoints rest graphql webhook webhooks grpc openapi"),
    "database": word_set(
        "database databases postgres postgresql mysql sqlite mongodb redis sql schema migration table"
    ),
    "security": word_set(
        "security password passwords auth authentication jwt oauth token tokens encryption vpn ssl tls permission"
    ),
    "testing": word_set("test tests testing pytest jest coverage qa"),
    "devops": word_set(
        "deploy deployment deployments docker kubernetes ci pipeline terraform server servers hosting staging "
        "production"
    ),
    "frontend": word_set("frontend react vue svelte css html ui ux design layout"),
    "programming": word_set(
        "code coding typescript javascript python rust java editor vim neovim ide git refactoring repository tabs"
    ),
    "health": word_set(
        "allergic allergy allergies doctor dentist medication medicine penicillin diabetes asthma therapy health "
        "hospital diet blood insulin migraine"
    ),
    "food": word_set(
        "food eat eats cook cooking recipe vegetarian vegan coffee tea breakfast dinner lunch restaurant "
        "chocolate meat cheese wine mushrooms gluten lactose"
    ),
    "family": word_set(
        "wife husband partner sister brother mother father mum mom dad son daughter kids children baby parents "
        "grandmother grandfather aunt uncle cousin family niece nephew"
    ),
    "pets": word_set("dog dogs cat cats pet pets puppy kitten horse hamster"),
    "work": word_set(
        "work job boss team colleague colleagues office company client clients customer customers manager salary "
        "employees"
    ),
    "travel": word_set("travel trip flight hotel passport visa vacation holiday airport train"),
    "home": word_set("flat apartment house rent landlord garden kitchen wifi boiler neighbour neighbor moved"),
    "finance": word_set(
        "budget invoice invoices bank tax taxes mortgage insurance savings price euros dollars payment payments"
    ),
    "schedule": word_set(
        "meeting meetings deadline deadlines calendar appointment birthday anniversary sprint monday tuesday "
        "wednesday thursday friday saturday sunday"
    ),
    "learning": word_set(
        "learn learning study studying course exam university language japanese spanish french german"
    ),
    "hobbies": word_set(
        "hobby guitar piano chess marathon running hiking climbing football tennis films books music game games"
    ),
}
