"""What the nets of figures and terrain see of a table, household terrain as a whole, and how forms lie on edges."""
