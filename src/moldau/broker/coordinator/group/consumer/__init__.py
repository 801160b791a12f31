"""Consumer groups of KIP-848: the coordinator assigns, and members follow at their own pace.

A heartbeat enters `heartbeat`. `validation` and `admission` refuse what cannot be, `subscribe`
notes what changed, `progress` finds the target (`target`, which calls the assignor) and takes the
member's next step (`reconcile`). Records come from `records` and are applied by `replay`.

Reading order:

- State: member, group, subscriptions, records, replay, settings, context
- A heartbeat: heartbeat, validation, admission, member_change, subscribe, progress, target,
  the package assignor, reconcile, fencing
- Patterns: patterns, pattern_syntax, pattern_classes, lookups
- Beside classic members: embedded, classic_checks, classic_members, upgrade, downgrade
- To the outside: describe, kind
"""
