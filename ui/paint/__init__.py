"""What is painted over the picture: marks, labels, hexes, the banner."""
