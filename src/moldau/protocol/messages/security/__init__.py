"""Who you are and what you may: SASL, ACLs, SCRAM users, delegation tokens."""
