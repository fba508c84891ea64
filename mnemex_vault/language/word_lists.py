"""The word lists that reading a message depends on, and their compiled form; a person may add words of their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from mnemex_vault.language.sentences import spoken_words
from mnemex_vault.language.words import word_set

if TYPE_CHECKING:
    from mnemex_vault.language.names import Entity

# Names that are known without a model: technologies in their own spelling, concepts, organisations, first names.

# one name a line where it has a space in it, else any number
TECHNOLOGY_NAMES = (
    *word_set(
        """
    ActiveMQ Airflow Airtable Alembic AlpineJS Android Angular Ansible Anthropic Apache Arduino Astro Auth0 AWS Axios
    Azure Babel Backbone.js Bash BigQuery Bitbucket Bluetooth Bootstrap Bun C# C++ Caddy Cassandra Celery Chroma ChatGPT
    Chromium CircleCI Claude ClickHouse Clojure Cloudflare CMake CockroachDB Codex Confluence Copilot Cosmos CouchDB CSS
    CUDA Cypress D3.js Datadog dbt Debian Deno DigitalOcean Django DNS Docker Dropbox DuckDB DynamoDB Electron
    Elasticsearch Elixir Elm Emacs Erlang ESLint Ethereum Evernote F# FastAPI Fedora Figma Firebase Firefox Flutter
    Fortran FreeBSD GCP Gemini Git GitHub GitLab Gmail Golang GPT-4 GPT-5 Gradle Grafana GraphQL gRPC Gunicorn Hadoop
    Haskell Heroku Hetzner HTML HTMX HTTP HTTPS HubSpot IndexedDB InfluxDB iOS IPFS iPad iPhone Istio Jaeger JavaScript
    Jenkins Jest Jira JQuery JSON JUnit Jupyter JVM JWT Kafka Kanban Keycloak Kibana Kotlin Kubernetes LangChain Laravel
    LaTeX Linux LLaMA LLM Lua MacBook macOS MariaDB Markdown MATLAB Matplotlib Maven MCP Memcached Mercurial Milvus
    MinIO MongoDB MQTT MySQL Neo4j Neovim Netlify Next.js NestJS Nginx NixOS Node.js NoSQL NPM Numba NumPy Nuxt.js OAuth
    OAuth2 Obsidian OCaml Ollama OpenAI OpenAPI OpenCV OpenID OpenShift OpenTelemetry OpenVPN ORM Pandas PayPal Perl PHP
    Pinecone Playwright PNPM Podman Poetry Postgres PostgreSQL Postman PowerShell Prisma Prometheus Protobuf Puppeteer
    PyCharm Pydantic Pyramid PySpark Pytest Python PyTorch Qdrant QGIS RabbitMQ Raspberry React.js ReactJS Redis
    Redshift Redux REST RHEL Rollup RPC RSpec Salesforce SAML Sass Scala Scikit-learn Selenium Sentry ServiceNow Shopify
    SignalR Slurm Snowflake Solr SonarQube Spotify SQL SQLAlchemy SQLite SSH SSL SSO Stripe Storybook Supabase Svelte
    SvelteKit SwiftUI Symfony Tailwind TailwindCSS TCP Tensorflow Terraform Textual TLS Todoist Trello tmux TypeScript
    Ubuntu UDP UML Unicode Unix UUID Vagrant VBA Vercel Vim VirtualBox VMware VPN VSCode Vue.js VueJS Vulkan WebAssembly
    Webpack WebRTC WebSocket WebSockets WhatsApp Whoosh WireGuard WordPress WSL XML Xcode XGBoost YAML Yarn YouTube
    Zapier Zigbee Zod Zotero Zustand
    """
    ),
    "Apache Spark",
    "App Store",
    "Claude Code",
    "Claude Desktop",
    "GitHub Actions",
    "GitLab CI",
    "Google Cloud",
    "Google Docs",
    "Google Drive",
    "Google Sheets",
    "Home Assistant",
    "IntelliJ IDEA",
    "Material UI",
    "Microsoft Teams",
    "Play Store",
    "Power BI",
    "Raspberry Pi",
    "Ruby on Rails",
    "Spring Boot",
    "VS Code",
    "Visual Studio",
    "Visual Studio Code",
)

# English words as well: taken for names only when written like this, and not as the first word of a sentence
AMBIGUOUS_NAMES = word_set(
    """
    Ant Atom Chef Chrome Consul Crystal Cursor Dart Dash Discord Eclipse Edge Elastic Ember Excel Express
    Flask Flux Go Helm Java Linear Meteor Mocha Nim Node Notion Nuxt Oracle
    Outlook Parcel Phoenix Puppet R Rails React Remix Ruby Rust Safari Sinatra Slack
    Spark Spring Stata Swift Travis Unity Unreal Vault Vite Vue Windows Zed Zig Zoom
    """
)

CONCEPTS = word_set(
    """
    api apis auth authentication authorization backend blockchain caching ci ci/cd crypto cybersecurity devops frontend
    infrastructure k8s kanban microservice microservices middleware monorepo observability scrum serverless typing ui ux
    webhook webhooks
    """
)

ORGANISATIONS = word_set(
    """
    Adobe Airbus Allianz Amazon AMD Apple Atlassian BASF Bayer BMW Boeing Bosch CERN Cisco Daimler Dell DHL Disney eBay
    Ericsson ESA ETH Facebook FedEx Fujitsu Google HP Huawei IBM IKEA Intel JetBrains Lenovo LinkedIn Lufthansa McKinsey
    Mercedes Meta Microsoft MIT Mozilla NASA Netflix Nike Nintendo Nokia Nvidia Novartis Philips Porsche Qualcomm Roche
    SAP Shell Siemens Sony Tesla Toyota Twitter Uber UBS UN UNESCO UNICEF Volkswagen Volvo WHO Yahoo
    """
)

# the last word of a run of capitalised words that makes it an organisation
ORGANISATION_ENDINGS = word_set(
    """
    AG Academy Agency Association Bank Clinic College Company Corp Corporation Council Foundation Fund GmbH Group
    Hospital Inc Institute Insurance KG Labs Ltd LLC LLP Ministry Museum NGO Partners SA SE School Society Solutions
    Studio Studios Systems Technologies UG Union University Ventures
    """
)

TITLES = word_set(
    "dr dr. mr mr. mrs mrs. ms ms. prof prof. professor doctor herr frau madame monsieur señor señora sir"
)

RELATIONS = word_set(
    """
    aunt baby boss boyfriend brother cat child children client colleague cousin coworker dad daughter dentist doctor dog
    ex father fiancé fiancée flatmate friend girlfriend godchild grandfather grandma grandmother grandpa granddaughter
    grandson horse husband kid kids landlady landlord manager mentor mother mum mom neighbour neighbor nephew niece
    nurse parents partner pet plumber roommate sibling sister son spouse stepfather stepmother supervisor teacher
    therapist twin uncle vet wife coach lawyer accountant physiotherapist tutor
    """
)

FIRST_NAMES = word_set(
    """
    Aaron Abigail Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alex Alexander Alexandra Alfred Ali Alice
    Alicia Alina Amanda Amelia Amina Amir Amy Ana Andrea Andreas Andrew Andy Angela Anita Anja Ann Anna Anne Annika
    Antonio Anton Arjun Arthur Astrid Aurora Axel Barbara Beatrice Ben Benjamin Bernd Bianca Bob Boris Brian Bruno
    Camila Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlie Charlotte Chiara Chloe Chris
    Christian Christina Christine Christoph Clara Claudia Cleo Colin Connor Cristina Daniel Daniela David Dan Deborah
    Dennis Diana Diego Dieter Dmitri Dominik Dominic Donald Doris Dorothy Edith Eduardo Edward Elena Eleanor Elias Elisa
    Elisabeth Elizabeth Ella Ellen Emil Emilia Emily Emma Eric Erik Erika Esther Ethan Eva Evelyn Fatima Felix Fernando
    Finn Fiona Florian Frances Francesca Francesco Frank Franz Frederik Frida Gabriel Gabriela Gareth George Georg
    Gerald Giulia Giovanni Gloria Greg Greta Guido Gustav Hana Hannah Hanna Hans Harry Hassan Heather Heidi Heinrich
    Helen Helena Helga Henrik Henry Hiroshi Hugo Ian Ibrahim Ida Igor Ines Inga Ingrid Irene Iris Isaac Isabel Isabella
    Ivan Jack Jacob Jakob James Jamie Jan Jana Jane Janet Jasper Jean Jeff Jennifer Jenny Jens Jerome Jessica Jim Joan
    Joanna Joe Johanna Johannes John Jonas Jonathan Jordan Jorge Jose José Josef Joseph Joshua Juan Judith Jules Julia
    Julian Julie Juliet Jürgen Kai Karen Karin Karl Karla Kate Katharina Katherine Kathleen Kathryn Katja Katrin Keiko
    Kelly Ken Kenji Kevin Kim Klara Klaus Kristin Kurt Lara Lars Laura Lauren Lea Lena Leo Leon Leonie Liam Lily Lina
    Linda Lisa Liz Lorenzo Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Luke Luna Lydia Maja Manuel Marc Marcel
    Marco Marcus Margaret Margarita Maria Mariam Marie Marina Mario Marion Markus Marta Martha Martin Martina Mary Mateo
    Mathias Matilda Matt Matteo Matthew Matthias Maurice Max Maximilian Maya Megan Mei Melanie Melissa Mia Michael
    Michaela Michel Michelle Miguel Mika Mike Mila Milan Miriam Mohamed Mohammed Monica Monika Moritz Nadia Nancy Naomi
    Natalia Natalie Nathan Neil Niklas Nick Nicolas Nicole Nikolai Nina Noah Noel Nora Norbert Nuria Olaf Oleg Olga
    Oliver Olivia Omar Oscar Oskar Otto Pablo Pamela Patricia Patrick Paul Paula Pauline Pavel Pedro Peggy Peter Petra
    Philip Philipp Pia Pierre Priya Rachel Rafael Rahul Raj Ralf Ralph Ravi Rebecca Rex Ricardo Richard Rita Robert
    Robin Roger Roland Roman Ron Rosa Rosie Roy Ruth Ryan Sabine Sally Sam Samantha Samir Samuel Sandra Sara Sarah Sasha
    Scott Sean Sebastian Selma Sergei Sharon Silke Silvia Simon Sofia Sofie Sonia Sophia Sophie Stefan Stefanie Stella
    Stephan Stephanie Stephen Steve Steven Sue Susan Susanne Suzanne Sven Sylvia Takeshi Tamara Tanja Tara Teresa Theo
    Theodor Theresa Thomas Tim Timo Tina Tobias Todd Tom Tomas Tony Tracy Ulrich Uma Ursula Uwe Valentina Valeria
    Vanessa Vera Veronica Viktor Victor Victoria Vincent Viola Walter Wanda Werner Wilhelm Will William Wolfgang Xavier
    Yasmin Yuki Yusuf Yvonne Zara Zoe
    """
)

# capitalised in English without being the name of anything that a memory is about
NO_NAMES = word_set(
    """
    i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec christmas easter ok okay yes no fyi asap todo note important btw
    decision remember reminder preference update warning critical am pm utc et al usa tbd tba lol omg wtf imho imo eta
    aka ps pps vs nb id ids faq diy rip idk tldr please thanks hello hi hey dear sorry
    """
)


# Phrases by which people show what they want of a memory; literal, matched whole word by whole word.
#
# Short forms are written out: "do not" stands for "don't" as well.


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


# Words that suggest a topic, and with it a tag.

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


Recogniser = Callable[[str], Iterable["Entity"]]

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NOTHING = re.compile(r"(?!)")
# where phrases in writing without spaces are kept among those by their first word
_UNSPACED_ONES = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """Literal phrases and names; phrases are matched without regard to case and only whole word by whole word."""

    save: tuple[str, ...] = SAVE_PHRASES
    recall: tuple[str, ...] = RECALL_PHRASES
    reinforce: tuple[str, ...] = REINFORCE_PHRASES
    important: tuple[str, ...] = IMPORTANT_PHRASES
    critical: tuple[str, ...] = CRITICAL_PHRASES
    uncertain: tuple[str, ...] = UNCERTAIN_PHRASES
    decision: tuple[str, ...] = DECISION_WORDS
    preference: tuple[str, ...] = PREFERENCE_WORDS
    standing: tuple[str, ...] = STANDING_PHRASES
    general_question: tuple[str, ...] = GENERAL_QUESTIONS
    hypothetical: tuple[str, ...] = HYPOTHETICAL
    passing: tuple[str, ...] = PASSING_TIMES
    technologies: tuple[str, ...] = TECHNOLOGY_NAMES
    concepts: tuple[str, ...] = tuple(sorted(CONCEPTS))
    organisations: tuple[str, ...] = tuple(sorted(ORGANISATIONS))
    first_names: tuple[str, ...] = tuple(sorted(FIRST_NAMES))
    topics: Mapping[str, frozenset[str]] = field(default_factory=lambda: TOPICS, hash=False)
    added: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def extended(
        self, additions: Mapping[str, Iterable[str]], topics: Mapping[str, Iterable[str]] | None = None
    ) -> WordLists:
        """Return the lists with more words in them; raises ValueError naming the lists that do not exist."""
        known = {entry.name for entry in fields(self)} - {"topics", "added"}
        unknown = sorted(set(additions) - known)
        if unknown:
            raise ValueError(f"no such word list: {', '.join(unknown)}")
        added = {name: (*self.added.get(name, ()), *words) for name, words in additions.items()}
        longer = {name: (*getattr(self, name), *words) for name, words in additions.items()}
        merged = dict(self.topics)
        for name, words in (topics or {}).items():
            merged[name] = merged.get(name, frozenset()) | {word.casefold() for word in words}
        return replace(self, **longer, topics=merged, added={**self.added, **added})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Word lists made ready for matching; make it once and pass it on.

    `recognise` finds names that no list and no rule knows, such as a model does; it must not raise.
    """

    phrases: Mapping[str, re.Pattern[str]]
    by_first_word: Mapping[str, Sequence[tuple[str, str]]]
    technologies: Mapping[str, str]
    ambiguous: frozenset[str]
    concepts: frozenset[str]
    organisations: frozenset[str]
    first_names: frozenset[str]
    topics: Mapping[str, frozenset[str]]
    added: Mapping[str, re.Pattern[str]]
    recognise: Recogniser | None = None

    @classmethod
    def of(cls, lists: WordLists | None = None, recognise: Recogniser | None = None) -> Lexicon:
        """Compile word lists, the built-in ones by default."""
        words = lists or WordLists()
        return cls(
            phrases={name: _pattern(getattr(words, name)) for name in PHRASE_LISTS},
            by_first_word=_by_first_word({name: getattr(words, name) for name in PHRASE_LISTS}),
            technologies={name.casefold(): name for name in words.technologies},
            ambiguous=AMBIGUOUS_NAMES,
            concepts=frozenset(concept.casefold() for concept in words.concepts),
            organisations=frozenset(words.organisations),
            first_names=frozenset(words.first_names),
            topics=words.topics,
            added={name: _pattern(phrases) for name, phrases in words.added.items() if name in PHRASE_LISTS},
            recognise=recognise,
        )

    def find(self, name: str, said: str) -> str | None:
        """Return the phrase of that list that occurs first in words joined by single spaces, or None."""
        match = self.phrases[name].search(f" {said} ")
        return match[0] if match else None

    def lists_in(self, said: str) -> list[str]:
        """Return the names of the lists of which a phrase occurs in words joined by single spaces."""
        spaced = f" {said} "
        firsts = (_UNSPACED_ONES, *dict.fromkeys(said.split()))
        found = {name for first in firsts for phrase, name in self.by_first_word.get(first, ()) if phrase in spaced}
        return [name for name in PHRASE_LISTS if name in found]

    def adds(self, name: str, said: str) -> bool:
        """Tell whether a phrase that a person added to that list occurs in words joined by single spaces."""
        return name in self.added and self.added[name].search(f" {said} ") is not None

    def without(self, name: str, said: str) -> str:
        """Return the words without the phrases of that list."""
        return " ".join(self.phrases[name].sub("", f" {said} ").split())


_NAME_LISTS = frozenset({"technologies", "concepts", "organisations", "first_names", "topics", "added"})
PHRASE_LISTS = tuple(entry.name for entry in fields(WordLists) if entry.name not in _NAME_LISTS)


def _by_first_word(lists: Mapping[str, Iterable[str]]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return phrases with the spaces around them and the names of their lists, by the word that they begin with."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, phrases in lists.items():
        for spoken in {" ".join(spoken_words(phrase)) for phrase in phrases} - {""}:
            if _UNSPACED.search(spoken):
                found[_UNSPACED_ONES].append((spoken, name))
            else:
                found[spoken.split()[0]].append((f" {spoken} ", name))
    return dict(found)


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    spoken = {" ".join(spoken_words(phrase)) for phrase in phrases} - {""}
    if not spoken:
        return _NOTHING
    # the longest first, so that the most telling phrase is reported
    ordered = sorted(spoken, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(_bounded(phrase) for phrase in ordered))


def _bounded(phrase: str) -> str:
    literal = re.escape(phrase)
    return literal if _UNSPACED.search(phrase) else rf"(?<= ){literal}(?= )"
