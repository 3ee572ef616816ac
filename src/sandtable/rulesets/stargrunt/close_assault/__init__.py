"""Close assault: nerve, the charge, rounds of fighting, prisoners."""
