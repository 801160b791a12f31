"""Load made of raw frames, where the tools of others would be the limit or do not exist.

The same bytes go to both sides. Each generator is a process of its own that prints one JSON value.

- `questions`, `one_at_a_time`  many connections, one small request each on its way
- `echo_server`                 what the former can reach at most
- `fetch_frames`, `fetch_sessions`  many consumers with incremental fetch sessions
- `conversation`, `members`, `classic_member`, `consumer_member`  a group that starts together
- `bulk`                        a large log, written fast
- `coordinators` waits until a group can be asked for
- `serving`      waits until partitions are served
- `running`      runs one of these, and reads its result
- `tally`                       what they tell
"""
