"""Players that are programs, seeing only the view of their side."""
