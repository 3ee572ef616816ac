"""Where battles are kept, and how they are read again."""
