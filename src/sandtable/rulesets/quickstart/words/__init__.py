"""What is said of a battle: names and looks."""
