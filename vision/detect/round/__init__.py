"""Round things that stand: mugs, glasses, bowls, plates."""
