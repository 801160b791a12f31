"""Pages about access: rules, quotas, users and roles.

Reading order: access, roles.
"""
