"""A tool as we register it: small schemas, strict arguments, errors that say what to do, questions to the person."""

from __future__ import annotations

import inspect
import warnings
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial, wraps
from pathlib import Path, PurePosixPath
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar, Union, get_args, get_origin
from urllib.parse import unquote, urlsplit

import anyio
from mcp import types
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, PrivateAttr, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from mnemex_vault.answers.view import Answer, Told, bounded
from mnemex_vault.errors import NotAllowed
from mnemex_vault.language.words import counted
from mnemex_vault.mcp.arguments import OTHER_NAMES
from mnemex_vault.mcp.calls import Calls, Course, accompanied
from mnemex_vault.mcp.failures import told_to_the_model
from mnemex_vault.mcp.opening import Opening

if TYPE_CHECKING:
    from mnemex_vault.mcp.metrics import Metrics


_ROOTS_SECONDS = 2.0
_MOST_CLIENTS = 64
_ASKS_BY_ANSWER = "2026-07-28"
_QUESTION = "agreement"
# folders that say nothing about what somebody works on
_NO_PROJECTS = frozenset(
    {"", "desktop", "documents", "downloads", "home", "tmp", "temp", "users", "root", "src", "code"}
)


class Agreement(BaseModel):
    """The one question that is ever asked."""

    agree: bool = Field(title="Go ahead?", description="Change these notes")


class Folders:
    """The project of each client, asked for once a connection."""

    def __init__(self, root: Callable[[], Path | None] = lambda: None) -> None:
        self._root = root
        self._known: OrderedDict[int, tuple[object, str | None]] = OrderedDict()

    async def project(self, context: Context[Any, Any]) -> str | None:
        """Return the name of the one folder that the client works in, None if it has none or several."""
        client = context.session.client_params
        if client is None or client.capabilities.roots is None:
            return None
        held, project = self._known.get(id(client), (None, None))
        if held is not client:
            project = await self._ask(context)
            # the client is kept with the answer so that its number cannot become that of another
            self._known[id(client)] = (client, project)
            if len(self._known) > _MOST_CLIENTS:
                self._known.popitem(last=False)
        return project

    async def _ask(self, context: Context[Any, Any]) -> str | None:
        with anyio.move_on_after(_ROOTS_SECONDS), warnings.catch_warnings():
            # deprecated in the newest protocol, and all that the older ones have
            warnings.simplefilter("ignore")
            try:
                roots = (await context.session.list_roots()).roots
            except MCPError:
                return None
            return project_of([str(root.uri) for root in roots], vault=self._root())
        return None


def project_of(uris: list[str], *, vault: Path | None) -> str | None:
    """Return the project that folders stand for: the name of the only one, unless it says nothing.

    >>> project_of(["file:///home/zoe/src/Atlas%20planner"], vault=None)
    'Atlas planner'
    >>> project_of(["file:///a", "file:///b"], vault=None), project_of(["file:///home/zoe/Downloads"], vault=None)
    (None, None)
    """
    if len(uris) != 1 or not uris[0].startswith("file://"):
        return None
    folder = PurePosixPath(unquote(urlsplit(uris[0]).path))
    is_vault = vault is not None and (folder == PurePosixPath(vault) or folder in PurePosixPath(vault).parents)
    is_home = folder.parent.name.lower() in ("home", "users")
    return None if is_vault or is_home or folder.name.lower() in _NO_PROJECTS else folder.name


async def agreed(context: Context[Any, Any], question: str) -> bool | types.InputRequiredResult | None:
    """Put the question to the person; None if the client cannot.

    Since 2026-07-28 a server does not ask by itself: the question is the answer of the call, which the client makes
    again with what the person said. An answer to another question, such as one about fewer notes, does not count.
    """
    if not _can_ask(context):
        return None
    if is_version_at_least(context.protocol_version or "", _ASKS_BY_ANSWER):
        given = (context.input_responses or {}).get(_QUESTION)
        if not isinstance(given, types.ElicitResult) or context.request_state != question:
            return _asking(question)
        return given.action == "accept" and (given.content or {}).get("agree") is True
    try:
        answer = await context.elicit(question, Agreement)
    except (MCPError, ValueError):
        return None
    return answer.action == "accept" and answer.data.agree


def _can_ask(context: Context[Any, Any]) -> bool:
    """Tell whether the client shows forms; one that says nothing of modes does."""
    able = context.client_capabilities.elicitation if context.client_capabilities else None
    return able is not None and (able.form is not None or able.url is None)


def _asking(question: str) -> types.InputRequiredResult:
    # the SDK seals the state, so that what comes back is what was asked, for the same call
    form = types.ElicitRequestFormParams(message=question, requested_schema=render_elicitation_schema(Agreement))
    return types.InputRequiredResult(
        input_requests={_QUESTION: types.ElicitRequest(params=form)}, request_state=question
    )


UNASKED = 10


class Unconfirmed(NotAllowed):
    """Nobody has agreed to a change of so many notes; nothing was changed."""

    def __init__(self, notes: int) -> None:
        super().__init__(f"{counted(notes, 'note')} would change; ask the user, then call again with confirm=true")
        self.notes = notes


def need_confirmation(notes: int, *, confirm: bool) -> None:
    """Raise Unconfirmed for a call that would change more than ten notes without `confirm`."""
    if notes > UNASKED and not confirm:
        raise Unconfirmed(notes)


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Verb = TypeVar("Verb", bound=Callable[..., Told[Any]])
Schema = dict[str, Any]
_NULL = {"type": "null"}
_OFFER = "offer"
# what is asked is written nowhere, and may be how a person looks for a secret that slipped in; a content, being long,
# is looked through where it is saved
_UNCHECKED = frozenset({"query", "message", "content"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a model reads of a tool, and what is true of its effects."""

    title: str
    description: str
    destructive: bool = False
    idempotent: bool = False
    core: bool = True


def offered(
    title: str, description: str, *, destructive: bool = False, idempotent: bool = False, core: bool = True
) -> Callable[[Verb], Verb]:
    """Mark a method of a toolbox as a tool: what it answers is what it returns."""
    offer = Offer(title=title, description=description, destructive=destructive, idempotent=idempotent, core=core)

    def marked(verb: Verb) -> Verb:
        setattr(verb, _OFFER, offer)
        return verb

    return marked


class Toolbox:
    """The tools of one noun, in the order in which its methods stand."""

    def __init__(self, opening: Opening, calls: Calls, metrics: Metrics) -> None:
        self._opening = opening
        self._calls = calls
        self._metrics = metrics

    def specs(self) -> Iterator[Spec]:
        """Give the tools."""
        for name, method in vars(type(self)).items():
            offer = getattr(method, _OFFER, None)
            if offer is not None:
                yield Spec(getattr(self, name), offer)


@dataclass(frozen=True, slots=True)
class Spec:
    """One tool: the method that answers it, and what is told of it."""

    answer: Callable[..., Told[Answer]]
    offer: Offer


class _Arguments(FuncMetadata):
    """Arguments whose texts are taken literally.

    The SDK reads a text that looks like JSON as JSON, for clients that send lists so; a memory may look like JSON.
    """

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        parsed = super().pre_parse_json(data)
        fields = self.arg_model.model_fields
        return {name: data[name] if _is_text(fields, name) else value for name, value in parsed.items()}


def _is_text(fields: Mapping[str, FieldInfo], name: str) -> bool:
    """Tell whether an argument is a text and nothing else, apart from being optional."""
    annotation = fields[name].annotation if name in fields else None
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    plain = {get_args(choice)[0] if get_origin(choice) is Annotated else choice for choice in choices}
    return plain - {NoneType} == {str}


class CheckedTool(Tool):
    """A tool that refuses arguments it does not know, and takes null for an argument that is not given.

    What the client can add is asked from it: the project of the folder it works in, a yes before many notes change.
    """

    _folders: Folders = PrivateAttr(default_factory=Folders)
    _calls: Calls = PrivateAttr(default_factory=Calls)

    def shares(self, folders: Folders, calls: Calls) -> None:
        """Take what all tools of a server share: the clients' folders and conversations."""
        self._folders = folders
        self._calls = calls

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Run the tool; raises ToolError with one line for each argument that is wrong."""
        known = self.fn_metadata.arg_model.model_fields
        given = _by_their_names({name: value for name, value in arguments.items() if value is not None}, known)
        unknown = sorted(given.keys() - known.keys())
        if unknown:
            raise ToolError(f"{self.name} has no argument {', '.join(unknown)}; it takes {', '.join(known)}.")
        if "project" in known and "project" not in given:
            project = await self._folders.project(context)
            given |= {"project": project} if project else {}
        course = Course(context)
        with self._calls.made(context, course):
            return await accompanied(course, partial(self._run_confirmed, given, context, convert_result))

    async def _run_confirmed(self, given: dict[str, Any], context: Context[Any, Any], convert_result: bool) -> Any:
        try:
            return await super().run(given, context, convert_result)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_complaint(cause)) from cause
            unconfirmed = cause.__cause__ if isinstance(cause, ToolError) else None
            if not isinstance(unconfirmed, Unconfirmed):
                raise
            answer = await agreed(context, f"{self.title_text}: {unconfirmed.notes} notes would change. Go ahead?")
            if isinstance(answer, types.InputRequiredResult):
                return answer
            if answer is None:
                raise
            if not answer:
                raise ToolError("The user did not agree; nothing was changed.") from unconfirmed
        return await super().run({**given, "confirm": True}, context, convert_result)

    @property
    def title_text(self) -> str:
        """Return what the tool is called in a question."""
        return (self.annotations.title if self.annotations else None) or self.name


def _by_their_names(given: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Return arguments under the names that the tool gives them."""
    named: dict[str, Any] = {}
    for name, value in given.items():
        other = OTHER_NAMES.get(name, name)
        own = name if name in known or other not in known else other
        if named.setdefault(own, value) != value:
            raise ToolError(f"{own} was given twice, under both of its names. Nothing was changed; give it once.")
    return named


def _complaint(error: ValidationError) -> str:
    """Say what is wrong with the arguments, without repeating them."""
    lines = [f"{'.'.join(str(part) for part in each['loc'])}: {_fault(each)}" for each in error.errors()]
    return "\n".join([*dict.fromkeys(lines), "Nothing was changed; correct the arguments and call again."])


def _fault(error: ErrorDetails) -> str:
    if error["type"] == "string_too_long":
        return f"has {len(error['input']):,} characters; at most {error['ctx']['max_length']:,} fit"
    return error["msg"].removeprefix("Value error, ")


class _Keys(GenerateJsonSchema):
    """Tells of a key that may be absent what it is when it is there."""

    def default_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])


def view_of(answer: Callable[..., Told[Any]]) -> type[Answer]:
    """Return what a verb answers, from its annotation."""
    told = inspect.signature(answer, eval_str=True).return_annotation
    view: type[Answer] = get_args(told)[0]
    return view


def _voiced(answer: Callable[Arguments, Told[Any]]) -> Callable[Arguments, types.CallToolResult]:
    """Return the verb so that it gives both voices of its answer."""

    @wraps(answer)
    def voiced(*args: Arguments.args, **kwargs: Arguments.kwargs) -> types.CallToolResult:
        text, data = answer(*args, **kwargs).voices()
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=bounded(text))], structured_content=data
        )

    return voiced


@cache
def _schema_of(view: type[Answer]) -> Schema:
    return output_schema(TypeAdapter(view).json_schema(schema_generator=_Keys))


def make_tool(spec: Spec) -> CheckedTool:
    """Return the tool of a spec, to be registered with the server."""
    offer = spec.offer
    annotations = types.ToolAnnotations(
        title=offer.title,
        # a search may count uses, and opening does
        read_only_hint=False,
        destructive_hint=offer.destructive,
        idempotent_hint=offer.idempotent,
        open_world_hint=False,
    )
    answer = told_to_the_model()(_voiced(spec.answer))
    tool = CheckedTool.from_function(
        answer, description=offer.description, annotations=annotations, structured_output=False
    )
    if not isinstance(tool, CheckedTool):
        raise TypeError("the SDK made another kind of tool")
    view: Any = view_of(spec.answer)
    tool.fn_metadata = _Arguments(
        arg_model=tool.fn_metadata.arg_model,
        output_model=view,
        output_schema=_schema_of(view),
    )
    tool.parameters = input_schema(tool.parameters)
    return tool


def without_secrets(answer: Callable[Arguments, Result], opening: Opening) -> Callable[Arguments, Result]:
    """Return the tool so that it refuses secrets in any argument, unless the call or the settings allow them.

    An id is refused as well: the error for an unknown one would repeat it. What a note of the vault is called may be
    said, whatever it looks like.
    """
    can_be_kept = "allow_secret" in inspect.signature(answer).parameters

    def may_pass(text: str) -> bool:
        from mnemex_vault.memories.face import NOTE_PREFIX

        memories = opening.app().memories
        known = memories.notes.by_id(text) or memories.notes.get(text.removeprefix(NOTE_PREFIX))
        return known is not None or not memories.detects_secrets

    @wraps(answer)
    def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if not kwargs.get("allow_secret"):
            from mnemex_vault.language.secrets import refuse_secrets

            given = ((name, value) for name, value in kwargs.items() if name not in _UNCHECKED)
            refuse_secrets(given, can_be_kept=can_be_kept, may_pass=may_pass)
        return answer(*args, **kwargs)

    return checked


def input_schema(schema: Schema) -> Schema:
    """Return the schema of arguments without titles, and without null, which means an argument is not given.

    >>> input_schema({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}}})
    {'properties': {'a': {'type': 'string'}}, 'additionalProperties': False}
    """
    return {**_compact(schema, keep_null=False), "additionalProperties": False}


def output_schema(schema: Schema) -> Schema:
    """Return the schema of an answer without titles and defaults.

    >>> output_schema({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "A"}}})
    {'properties': {'a': {'type': ['string', 'null']}}}
    """
    return _compact(schema, keep_null=True)


def _compact(schema: Schema, *, keep_null: bool) -> Schema:
    small: Schema = {}
    for key, value in schema.items():
        if key == "title" or (key == "default" and (keep_null or value is None)):
            continue
        if key in ("description", "additionalProperties") and keep_null and not isinstance(value, dict):
            continue
        small[key] = _compact_value(key, value, keep_null=keep_null)
    return _without_alternatives(small, keep_null=keep_null)


def _compact_value(key: str, value: Any, *, keep_null: bool) -> Any:
    if key in ("properties", "$defs"):
        return {name: _compact(each, keep_null=keep_null) for name, each in value.items()}
    if key == "anyOf":
        return [_compact(each, keep_null=keep_null) for each in value]
    return _compact(value, keep_null=keep_null) if key == "items" else value


def _without_alternatives(schema: Schema, *, keep_null: bool) -> Schema:
    """Fold a choice between one schema and null into that schema."""
    choices = schema.get("anyOf")
    if choices is None or _NULL not in choices:
        return schema
    others = [choice for choice in choices if choice != _NULL]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(others) != 1:
        return {**rest, "anyOf": choices if keep_null else others}
    only = others[0]
    if keep_null and "type" not in only:
        return schema
    return {**only, **rest, "type": [only["type"], "null"]} if keep_null else {**only, **rest}
