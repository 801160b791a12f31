"""Who may do what, and who is who: access rules, SCRAM users, delegation tokens."""
