"""What is said of a battle: names, looks and phrases."""
