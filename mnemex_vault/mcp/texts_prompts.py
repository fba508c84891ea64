"""What a person may pick from a client's menu: prompts, and the names of resources."""

RECALL = """\
Search my memory for: {topic}
Call search_memory with a few telling words, and again with other words if it finds too little; open what you need with
open_memories. Then tell me what you know about it, from which memory and how old it is, and what you do not know."""

SAVE_CONVERSATION = """\
Go through our conversation and save what lasts: my preferences, decisions and their reasons, facts about me, my people,
projects and things, corrections. One fact a call of save_memory, each a sentence that stands alone in a year, with
names and dates. Leave out small talk, general knowledge and secrets. If a fact replaces an older memory, use
supersedes. Give all of them the session "{name}". At the end list what you saved in one line each."""

REVIEW = """\
Let us review what is about to fade. Read mnemex://fading, and show me the memories one after the other, oldest first,
each in one line. For each I say keep, for good, or let go: then call touch_memory, promote_memory with force, or
forget_memory. Stop when I say so."""

WEEKLY_REFLECTION = """\
Let us look back on the week. Call search_memory with window_days 7 and a page_size of 50. Tell me in a few sentences
what I decided, learned and started, what stayed open, and what contradicts older memories. Ask me about what is
unclear. Save what I add, one fact a call. Change or tidy up nothing else without asking me."""

BRIEF_RESOURCE = "What matters now: pinned, long-term, recent and fading memories, at most 1,200 tokens."
FADING_RESOURCE = "The memories that fade next if they are not used, soonest first."
MEMORY_RESOURCE = "One memory or note in full, by its id."
