"""What pieces are: coins by width, metal and relief, whose they are, paint, and what is read on cards and dice."""
