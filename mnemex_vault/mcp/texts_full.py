"""What a model reads about the tools of the full set: constants, as in the core set."""

CLUSTER_MEMORIES = (
    "Find short-term memories that belong together: by similarity of text, a shared tag or entity, or near duplicates. "
    "Changes nothing; consolidate_memories takes the cluster ids."
)
CONSOLIDATE_MEMORIES = (
    "Bring a cluster together, only when the user asks to tidy up. preview first; apply writes one memory and archives "
    "the others, link only relates them. If they contradict each other, ask, then give merged_content."
)
READ_GRAPH = (
    "Read how memories are connected: titles, scores and relations, a page at a time; or what lies around one "
    "memory_id. include_content gives whole texts."
)
ANALYZE_MESSAGE = "Judge whether a message holds something to save, with tags, entities and strength to save it with."
ANALYZE_FOR_RECALL = "Judge whether an answer may depend on the user's memories, and what to search for."
AUTO_RECALL = (
    "Look for memories that fit a message, at most every few minutes. One that the message confirms is strengthened; "
    "to mention a thing is not to confirm it."
)
BACKFILL_EMBEDDINGS = "Prepare notes for search by meaning, if the user has set up a model for it."
GET_PERFORMANCE_METRICS = "Read how long the calls of this server took."
RESET_PERFORMANCE_METRICS = "Forget how long the calls of this server took."
RESTORE_MEMORY = "Bring an archived memory back to where it came from."
REVIEW_QUEUE = (
    "List the memories that fade soonest, so that the user can decide: keep (touch_memory), make permanent "
    "(promote_memory with force), or let go (forget_memory)."
)
VAULT_STATUS = "Read how the vault stands: counts, what fades soon, waiting work, problems."
