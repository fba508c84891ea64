import pytest

from mnemex_vault.language.names import Entity, EntityKind, entities_of
from mnemex_vault.language.word_lists import Lexicon, WordLists

LEXICON = Lexicon.of()


def named(text: str) -> list[tuple[str, str]]:
    return [(entity.name, entity.kind.value) for entity in entities_of(text, LEXICON)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use JWT for auth", [("JWT", "technology"), ("auth", "concept")]),
        ("The monkey ate a key lime pie", []),
        ("i use typescript and next.js", [("TypeScript", "technology"), ("Next.js", "technology")]),
        ("We use Go, Rust and React", [("Go", "technology"), ("Rust", "technology"), ("React", "technology")]),
        ("Go home and rust", []),
        ("C++ and C# on VS Code", [("C++", "technology"), ("C#", "technology"), ("VS Code", "technology")]),
        ("Clara lives with Karl Brandt in Lyon", [("Clara", "person"), ("Karl Brandt", "person"), ("Lyon", "name")]),
        ("Dr. Hofer met Mr. Petrov", [("Hofer", "person"), ("Petrov", "person")]),
        ("my dentist Okafor", [("Okafor", "person")]),
        ("Anna's birthday", [("Anna", "person")]),
        ("ask Anna's Mum", [("Anna", "person"), ("Mum", "name")]),
        ("Acme GmbH pays IBM", [("Acme GmbH", "organisation"), ("IBM", "organisation")]),
        ("the University of Zurich", [("University of Zurich", "organisation")]),
        ("a University of the arts", [("University", "name")]),
        ("call `parse_date` or get_user()", [("parse_date", "code"), ("get_user", "code")]),
        ("see utils.py, .env and fooBar", [("utils.py", "code"), (".env", "code"), ("fooBar", "code")]),
        ("`two words` are no name", []),
        ("[[Frontend stack|the stack]] and [[#Part]]", [("Frontend stack", "link")]),
        ("docs at https://www.example.org/a?b", [("example.org", "name")]),
        ("mail ada@example.org or @ada", [("ada@example.org", "person"), ("@ada", "person")]),
        ("the server is called atlas, not called it", [("atlas", "name")]),
        ("Photosynthesis turns light into energy. Cats sleep.", []),
        ("Note: Water boils", []),
        ("She said: “Water boils”", []),
        ("We meet on Monday in May, OK?", []),
        ("REMEMBER THE MILK", []),
        ("buy MILK SANDWICHES", [("MILK", "name")]),
        ("Ich wohne in Berlin und habe einen Hund, Rex", [("Rex", "person")]),
        ("Termin Zahnarzt Freitag", []),
        ("Heute Abend kommt Tante Erna", []),
        ("Die Katze schläft auf dem Sofa, der Hund im Flur", []),
        ("Ella es mi hermana y vive en Lyon", [("Lyon", "name")]),
        ("私はPythonとReactが好き", [("Python", "technology"), ("React", "technology")]),
        ("```\nimport FooBar\n```", []),
        ("Python, python, PYTHON", [("Python", "technology")]),
        ("", []),
    ],
)
def test_names_are_found_and_words_are_not(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


def test_there_are_never_more_than_ten_names() -> None:
    assert len(named("use " + ", ".join(f"file{number}.py" for number in range(20)))) == 10


def test_the_key_of_an_entity_ignores_case() -> None:
    assert Entity("JWT", EntityKind.TECHNOLOGY).key == "jwt"


def test_a_person_may_add_names() -> None:
    own = Lexicon.of(WordLists().extended({"technologies": ["Mnemex Vault"], "first_names": ["Öykü"]}))
    assert [entity.kind.value for entity in entities_of("Öykü uses mnemex vault", own)] == ["person", "technology"]


def recognised(*names: Entity) -> Lexicon:
    return Lexicon.of(recognise=lambda text: [name for name in names if name.name in text])


def test_a_recogniser_adds_names_and_knows_better_what_they_stand_for() -> None:
    lexicon = recognised(
        Entity("Aoife", EntityKind.PERSON),
        Entity("Blue Heron", EntityKind.ORGANISATION),
        Entity("Anna", EntityKind.ORGANISATION),
        Entity("Python", EntityKind.ORGANISATION),
        Entity("Monty Python", EntityKind.ORGANISATION),
        Entity("Brandt", EntityKind.PERSON),
        Entity("Clara Maria", EntityKind.PERSON),
    )
    found = entities_of("Aoife left Blue Heron; Anna uses Python, Karl Brandt saw Monty Python, Clara Maria", lexicon)
    assert {entity.name: entity.kind for entity in found} == {
        "Aoife": EntityKind.PERSON,
        "Blue Heron": EntityKind.ORGANISATION,
        "Anna": EntityKind.PERSON,
        "Python": EntityKind.TECHNOLOGY,
        "Karl Brandt": EntityKind.PERSON,
        "Monty": EntityKind.NAME,
        "Clara Maria": EntityKind.PERSON,
    }


@pytest.mark.parametrize("name", ["", "a", "the now", "x" * 61, "two\nlines", "On Monday"])
def test_what_a_recogniser_takes_for_a_name_must_be_able_to_be_one(name: str) -> None:
    lexicon = Lexicon.of(recognise=lambda _text: [Entity(name, EntityKind.PERSON)])
    assert entities_of("quiet words", lexicon) == ()
