"""Where pictures come from: cameras, streams, films, stills; whole, of one size, in ordinary colours."""
