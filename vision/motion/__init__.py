"""What moves over the table, and when it is still enough to be read."""
