"""Share groups: membership, records under locks, and the state behind them (KIP-932)."""
