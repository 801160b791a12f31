"""Settings of brokers, topics, groups and loggers.

Reading order: changes, logger_levels; describe_configs, incremental_alter_configs, alter_configs,
list_config_resources.
"""
