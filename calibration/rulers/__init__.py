"""Things of known size on the table: cards, coins, lengths, lattices, and what they say against what was told."""
