"""How a lens bends that nobody measured: straight lines, what lenses usually do, and what references tell of it."""
