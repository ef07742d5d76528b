"""What holds for all tests."""

from hypothesis import settings

# the first example may pay for compiling, and machines may be busy
settings.register_profile("discreet", deadline=None)
settings.load_profile("discreet")
