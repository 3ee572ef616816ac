"""What tactics of any game find out about a table, and keep as long as it holds: ways over it, and who sees whom."""
