"""Words for people: what happened, what is wrong, how far it is."""
