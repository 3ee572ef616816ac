"""Dice: die types, shifts and opposed rolls, and a roll told before it falls."""
