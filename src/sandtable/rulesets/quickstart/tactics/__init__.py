"""What these rules tell an opponent. It stands on the chapters."""
