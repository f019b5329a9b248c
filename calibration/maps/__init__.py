"""A known map as a reference: by its print, by its roads, flat, folded or under glass."""
