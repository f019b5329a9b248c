"""The verbs that the games share, on shapely geometry and numbers only (millimetres, table frame)."""
