"""What a seat says and is told: the socket, its messages, the one way from a battle to a seat, and looking back."""
