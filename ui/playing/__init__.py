"""A match that is watched, typed, taken up again or replayed, and the film of it."""
