"""Walking on the exact table: paths, what they cost, whom they meet, how far one gets, and the quickest way."""
