"""Known shapes measured by their edges: circles, ovals, rectangles, and the ground round them."""
