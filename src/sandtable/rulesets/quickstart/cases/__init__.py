"""The words of conformance cases, and the values they may ask for."""
