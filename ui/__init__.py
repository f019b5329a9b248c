"""Everything that a person touches: command line, window, overlay painting, recorder, printable sheets."""
