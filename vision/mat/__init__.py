"""What is printed on the table, and is no piece."""
