"""Brokers: who is there, who is alive, who may lead.

Reading order: sessions, registration, leaving, heartbeat, unregistration, directories, controllers.
"""
