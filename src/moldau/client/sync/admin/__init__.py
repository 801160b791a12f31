"""The blocking admin client: what the asynchronous one does, called from threads.

Each file is its twin in `aio.admin` without `async` and `await`, and a test holds them together.

Reading order: asking, topics, configs, groups, cluster, security, transactions, client.
"""
