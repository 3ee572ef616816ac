"""Aerospace: craft that come in, fly, are fired at and come down."""
