"""A tool as we register it: small schemas, strict arguments, errors that say what to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import PrivateAttr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mnemex_vault.mcp.arguments import OTHER_NAMES
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.client_side import Folders, agreed
from mnemex_vault.mcp.confirmation import Unconfirmed
from mnemex_vault.mcp.course import Course, accompanied
from mnemex_vault.mcp.failures import told_to_the_model
from mnemex_vault.mcp.schema import input_schema, output_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One tool: the method that answers it, what a model reads, and what is true of its effects."""

    answer: Callable[..., CallToolResult]
    description: str
    title: str
    destructive: bool = False
    idempotent: bool = False
    core: bool = True


class Toolbox(Protocol):
    """The tools of one noun."""

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        ...


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
            if isinstance(answer, InputRequiredResult):
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


def make_tool(spec: Spec) -> CheckedTool:
    """Return the tool of a spec, to be registered with the server."""
    annotations = ToolAnnotations(
        title=spec.title,
        # a search may count uses, and opening does
        read_only_hint=False,
        destructive_hint=spec.destructive,
        idempotent_hint=spec.idempotent,
        open_world_hint=False,
    )
    answer = told_to_the_model()(spec.answer)
    tool = CheckedTool.from_function(answer, description=spec.description, annotations=annotations)
    if not isinstance(tool, CheckedTool):
        raise TypeError("the SDK made another kind of tool")
    found = tool.fn_metadata
    tool.fn_metadata = _Arguments(
        arg_model=found.arg_model,
        output_model=found.output_model,
        output_schema=output_schema(found.output_schema),
        wrap_output=found.wrap_output,
    )
    tool.parameters = input_schema(tool.parameters)
    return tool
