"""The referee: what a rule may know, the geometric verbs, the games, and the running match."""
