"""Protect statistical tables before they are published, and prove that they are safe."""
