"""Game maps out of open map data: Ordnance Survey's open products, OpenStreetMap extracts, our own files."""
