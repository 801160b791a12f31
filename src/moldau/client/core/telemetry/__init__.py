"""What a client measures of itself, and pushes to brokers that ask for it (KIP-714).

Reading order: meter, pushing.
"""
