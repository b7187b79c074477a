"""What `prepare` does to a card or an image: one module a subject. Python's standard library and Debian's tools only."""
