"""Books and boxes: blocks by their lines, their storeys and sides."""
