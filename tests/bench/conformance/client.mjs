// Lists and calls the tools as a program with the TypeScript SDK does; arguments: the command that starts the server.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "conformance", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));

const { tools } = await client.listTools();
const saved = await client.callTool({ name: "save_memory", arguments: { content: "The TypeScript lamp is green." } });
const found = await client.callTool({ name: "search_memory", arguments: { query: "typescript lamp" } });
const refused = await client.callTool({ name: "save_memory", arguments: { content: "" } });
const { resources } = await client.listResources();
const { prompts } = await client.listPrompts();
const brief = await client.readResource({ uri: "mnemex://session-brief" });
await client.close();

const id = saved.structuredContent.memory_id;
if (!found.structuredContent.results.some((result) => result.id === id)) throw new Error("not found again");
if (!refused.isError) throw new Error("an empty memory was accepted");
if (!brief.contents[0].text.includes(id)) throw new Error("the brief lacks it");
console.log(JSON.stringify({ tools: tools.length, resources: resources.length, prompts: prompts.length }));
