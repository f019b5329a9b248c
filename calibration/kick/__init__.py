"""A camera that moved: whether it did, and the plane again from what the ground shows."""
