"""Short ways to the answers of the commonest requests, where nothing is out of the ordinary.

A request that comes a hundred thousand times in the same shape need not become a message, nor its
answer. What has been found out for its first bytes is kept, and used again for as long as the
metadata is the same. Rules stay where they are: whatever a shortcut cannot answer in the ordinary
way it leaves, unchanged, to the handler. Tests show that both give the same answers.

`shortcut` says what a shortcut is and who has one; `produce`, `fetch` with its `fetch_bytes`,
`metadata` and `offset_commit` are those that there are.
"""
