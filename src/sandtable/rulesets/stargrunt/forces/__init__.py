"""Forces: cards of the catalogue, and squads as they start."""
