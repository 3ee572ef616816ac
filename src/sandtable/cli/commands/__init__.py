"""The commands, one module each; a module added here is a command."""
