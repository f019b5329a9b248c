"""Files that are read and written whole, their faults told in one line."""
