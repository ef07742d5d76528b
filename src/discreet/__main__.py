"""`python -m discreet`, where the word `discreet` itself is not on the path."""

from .cli import main

main()
