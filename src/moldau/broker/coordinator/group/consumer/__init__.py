"""Consumer groups of KIP-848: the coordinator assigns, and members follow at their own pace."""
