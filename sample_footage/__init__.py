"""Pictures and clips with exact truth, the map that they are played on, and the code that draws them."""
