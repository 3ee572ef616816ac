"""Special rules that need a room of their own: Infiltrate and Rapid Insertion. The others stand where they act."""
