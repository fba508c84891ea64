"""Lists and calls the tools as a program with the Python SDK 1.x does; arguments: the command that starts the server."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(command: str, *arguments: str) -> None:
    parameters = StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))
    async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
        hello = await session.initialize()
        tools = (await session.list_tools()).tools
        saved = await session.call_tool("save_memory", {"content": "The Python lamp is blue."})
        found = await session.call_tool("search_memory", {"query": "python lamp"})
        refused = await session.call_tool("save_memory", {"content": ""})
        resources = (await session.list_resources()).resources
        prompts = (await session.list_prompts()).prompts
    memory_id = saved.structuredContent["memory_id"]
    assert memory_id in [item["id"] for item in found.structuredContent["results"]]
    assert refused.isError
    print(
        json.dumps(
            {
                "protocol": hello.protocolVersion,
                "tools": len(tools),
                "resources": len(resources),
                "prompts": len(prompts),
            }
        )
    )


asyncio.run(main(*sys.argv[1:]))
