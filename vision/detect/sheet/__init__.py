"""Paper that lies flat: strips, napkins, letter paper, and what shows from under other things."""
