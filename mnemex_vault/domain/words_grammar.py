"""Words by which a message is understood: who speaks, of what, and whether of the moment or for good."""

from __future__ import annotations

from mnemex_vault.domain.words import word_set

# openings of questions whose answer lies in the world, not with the person

LEADS = word_set(
    """
    ah alright also and anyway actually aha basically besides btw but claude correction fyi great hey hello hi hmm
    honestly huh listen look nah no nope oh ok okay one personally please pls really right so sorry sure then though too
    uh um wait well wow yeah yep yes just frankly thing quick reminder note
    """
)

# clauses may begin with when, where or how it is before they say who

OPENERS = word_set(
    """
    after although around as at back because before by considering currently due during each even ever every for
    from generally given if in lately like mainly most mostly normally nowadays on once originally over recently
    since sometimes thanks these this though to today together tonight two typically unlike until usually when
    whenever while with within yesterday
    """
)

IMPERATIVES = word_set(
    """
    act add adjust analyse analyze answer apply arrange ask book build buy calculate cancel change check choose
    clean close compare compile complete compose compute continue convert copy correct count create debug define
    delete deploy describe design draft draw edit estimate evaluate expand explain export extract fetch fill find
    finish fix format generate get give go guess help implement import improve insert install invent leave list load
    look make merge modify move name open optimise optimize order organise organize outline paraphrase pick plan
    play post prepare print proofread provide pull push put rank read recommend redo refactor remove rename repeat
    rephrase replace reply reserve reset revert review rewrite run schedule search select send set shorten show
    simplify sketch solve sort split start stop structure suggest sum summarise summarize swap take tell test think
    train transform translate trim try turn undo update upload use verify visualise visualize walk watch write
    """
)

# verbs that work on the text at hand, so that nothing need be looked up

TEXT_IMPERATIVES = word_set(
    """
    calculate check compare convert correct debug define explain extract fix format improve optimise optimize paraphrase
    proofread refactor rename rephrase replace review rewrite run shorten simplify solve sort summarise summarize test
    translate undo
    """
)

# what people call the thing that lies in front of both

AT_HAND = word_set(
    """
    answer approach argument array attempt bad bug build button calculation change changes character code column
    command commit compiler config cursor error essay example excuse fault file formula function grammar guess head
    idea image input ip line lines log loop machine message method mind mistake model opinion output page paragraph
    point post problem program proof protagonist query question regex reply request result results screen screenshot
    script sentence shell site solution spelling spreadsheet statement stomach suggestion task terminal test tests
    text turn typo understanding url variable view way wording
    """
)

# "our" of these is everybody's

WORLD_NOUNS = word_set(
    """
    ancestors atmosphere bodies civilisation civilization climate earth galaxy generations history lives moments
    moon ocean oceans ones planet society solar species sun universe world
    """
)

# what programs are made of: who has or runs one speaks of the task

CODE_NOUNS = word_set(
    """
    array class column columns command csv dataframe dict dictionary file files function integer json list lists loop
    matrix method object query regex row rows script string strings tuple variable vector
    """
)

LASTING_VERBS = word_set(
    """
    adore attend avoid believe belong bike bill bring care carry celebrate charge climb coach coin collect commute
    cook cycle dance depend deploy despise detest develop dislike dream drink drive earn eat employ enjoy exercise
    favor favour fear fish follow foster garden grow handle hate hike host identify invest invoice jog keep knit
    know lead learn like live loathe love maintain manage meet mentor miss name observe offer operate own paint
    participate pay photograph play practice practise prefer publish raise read release rely rent report represent
    require respect review ride run sail sell serve share ship sing ski sleep smoke snore speak specialise
    specialize start stick store study suffer supply support surf swim take target teach tend train travel trust use
    value visit volunteer wake walk want watch wear weigh work worry write
    """
)

# verbs of the moment even where they look like habits, when nothing says how often

PASSING_OBJECTS = word_set("it that this these those them you one so what how")

PASSING_NOUNS = word_set(
    """
    appointment blast bug call clue cold complaint concern conflict couple deadline difficulty doubt error favor
    favour feeling few headache hunch idea issue laugh look meeting minute moment photo pic picture problem query
    question request second suggestion thought time trouble typo visitor
    """
)

LIFE_EVENTS = word_set(
    """
    acquired adopted agreed became born bought broke built canceled cancelled changed co-founded completed diagnosed
    divorced emigrated engaged fired founded gave got graduated grew hired immigrated inherited joined launched left
    lived lost majored married met moved named opened passed promoted published quit relocated renamed renovated
    retired served signed sold started stopped studied switched taught used volunteered won worked wrote
    """
)

PASSING_STATES = word_set(
    """
    about afraid all amazed angry anxious asking at away back bored busy calling cold confused curious done excited
    exhausted fine finished getting glad going good grateful great guessing happy having here honoured hoping hot
    hungry ill impressed in joking just kidding late leaving listening looking lost not off ok okay on out over
    overwhelmed pleased proud ready relieved running sad seeing sick sitting sleepy so sorry starting still stoked
    stuck sure surprised talking testing thankful there thinking thirsty thrilled tired touched trying typing up
    upset very waiting walking watching wondering worried writing
    """
)

LASTING_PROGRESS = word_set(
    """
    applying attending building coaching collecting commuting dating developing expecting fostering growing learning
    leading living managing mentoring migrating moving organising organizing planning practising practicing preparing
    raising renovating renting saving sharing studying switching taking teaching training using volunteering working
    writing
    """
)

PASSING_PREDICATES = word_set(
    """
    hungry tired sick cold ill asleep work compile load start hurts aches crashed crashes failed fails freezes broken
    slow stuck down dead hanging loading empty late ready done running failing working compiling crashing complains
    throws throwing wrong acting missing gone finished
    """
)

PASSING_VERBS = word_set(
    """
    agree apologise apologize appreciate ask assume bet came check checked click define doubt execute expect feel felt
    find forgot found get got guess hear hope just laugh paste press promise receive reckon restart return
    looked mean notice noticed saw see seem sent suppose think thought tried try understand understood was wish wonder
    wondered
    """
)

SHARED_NOUNS = word_set(
    """
    address agenda appointment bank birthday branch budget client code contact convention customer database deadline
    deploy deployment doctor door flight framework goal hotel invoice key keys launch licence license meeting migration
    name office passphrase password pin plan policy preference port process product project release rent repo repository
    retro roadmap room rota rule schedule server sprint stack staging standup status style team ticket version wifi
    wi-fi
    """
)

# known to one household or team only, wherever it belongs

PRIVATE_NOUNS = word_set("passphrase password pin wifi wi-fi rent passcode combination username login")

# kin who need no "my"

KIN = word_set("mum mom dad grandma grandpa granny grandad nan mummy daddy")

# "the" is enough to tell whose they are

AT_HOME = word_set(
    """
    accountant alarm attic baby boiler caterer cellar cleaner dog flat garage garden kids landlady landlord mechanic
    mortgage neighbors neighbours notary nursery plumber shed spare teenagers twins vet wedding wi-fi wifi
    """
)

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
