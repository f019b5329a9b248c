"""The commands of `sandtable`, one module each, with `command` as its click command."""
