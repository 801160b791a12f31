"""Records in and out: produce, fetch, and the offsets around them."""
