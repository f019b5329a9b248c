"""The table plane from a set-up and a picture: clicks, coins, cards, maps, and how far to trust it."""
