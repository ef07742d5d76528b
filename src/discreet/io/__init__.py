"""Tables in, releases out: the files that people keep their tables in."""
