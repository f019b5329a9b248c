"""Tables and sheets by their corners and sides, clicked or seen."""
