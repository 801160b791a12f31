"""Who did what, or tried to: logins, denied decisions and changes, as CloudEvents.

An event is made where something happens, and put into a queue for each place that the settings
name: a file, a topic or both. The queues are bounded. A request that finds one full goes on, and
the event is counted as dropped: an audit never makes a request wait. Nothing in an event is a
secret: of what a request holds only names are written, never values.

Reading order: audit, events, judging (denied decisions), changes with things (what a request
changes), trail (the queue), file_sink, topic_sink.
"""
