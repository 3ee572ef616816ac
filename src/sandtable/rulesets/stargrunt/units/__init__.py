"""Units: what is recorded of them, their leaders, lone figures and gun crews."""
