"""How well the light shows the table, and what of it is taken off before the eyes look."""
