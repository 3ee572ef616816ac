"""The turn: phases and the draw deck, declarations, and the activation of one model."""
