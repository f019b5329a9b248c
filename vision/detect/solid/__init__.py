"""What the nets of figures and terrain see of a table, and household terrain as a whole."""
