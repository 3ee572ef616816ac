"""Forces: armies as rosters, what is lawful in them, and how they come to a battle."""
