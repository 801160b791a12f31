"""Files of kafbat UI and AKHQ as people have them, and how tests read them."""

from __future__ import annotations

from textwrap import indent

from moldau.programs.console.imported.file import read_clusters

CLUSTER = """
kafka:
  clusters:
    - name: shop
      bootstrapServers: kafka-1:9092
"""

KAFBAT = """
auth: {type: DISABLED}
server: {port: 8080}
kafka:
  polling: {maxPageSize: 50}
  clusters:
    - name: local
      bootstrapServers: a:9092,b:9092
      schemaRegistry: http://registry:8081
      kafkaConnect: [{name: first, address: "http://connect:8083"}]
    - name: guarded
      bootstrap-servers: c:9093
      readOnly: true
      ssl: {truststoreLocation: /trusted.pem, truststorePassword: s3cret}
      properties:
        security.protocol: SASL_SSL
        sasl:
          mechanism: PLAIN
          jaas.config: ModuleOfJava required password="${PASSWORD}" username="${USER_NAME:ann}";
      schemaRegistry: https://registry:8081
      schemaRegistryAuth: {username: ann, password: "${PASSWORD}"}
      schemaRegistrySsl: {keystoreLocation: /keys.pem, keystorePassword: s3cret}
      audit: {topicAuditEnabled: true}
"""
AKHQ = """
micronaut: {server: {port: 9000}}
akhq:
  pagination: {page-size: 25}
  connections:
    plain:
      properties: {bootstrap.servers: "kafka:9092"}
      schema-registry:
        url: "http://registry:8085"
        type: confluent
        basic-auth-username: ann
        basic-auth-password: s3cret
        properties: {ssl.truststore.location: /trusted.pem, use.latest.version: true}
      connect: [{name: one, url: "http://connect:8083"}]
    guarded:
      properties:
        bootstrap.servers: "kafka:9093"
        security.protocol: SSL
        ssl.keystore.password: s3cret
"""
SECRETS = {"PASSWORD": "s3cret"}


def read(text, **environment):
    return read_clusters(text.encode(), "file.yaml", environment)


def read_cluster(more):
    """With these lines in its cluster: the file, and the cluster."""
    found = read(CLUSTER + indent(more, " " * 6))
    return found, found.clusters[0]
