// What a program does with @kafkajs/confluent-schema-registry: one run registers a schema, encodes a
// value with it, and decodes what another client has encoded; the outcome is one line of JSON.
//
//   node registry_scenarios.js URL, with {"type", "subject", "schema", "value", "theirs"} on stdin
"use strict";

const { readFileSync } = require("node:fs");
const { SchemaRegistry } = require("@kafkajs/confluent-schema-registry");

const registry = new SchemaRegistry({ host: process.argv[2] });
const { type, subject, schema, value, theirs } = JSON.parse(readFileSync(0, "utf8"));

async function main() {
  const { id } = await registry.register({ type, schema }, { subject });
  const encoded = await registry.encode(id, value);
  const found = {
    id,
    latest: await registry.getLatestSchemaId(subject),
    first: await registry.getRegistryId(subject, 1),
    looked: await registry.getRegistryIdBySchema(subject, { type, schema }),
    encoded: encoded.toString("base64"),
    own: await registry.decode(encoded),
    decoded: theirs === null ? null : await registry.decode(Buffer.from(theirs, "base64")),
  };
  let refused = null;
  try {
    await registry.getLatestSchemaId("none-of-this-name");
  } catch (error) {
    refused = error.status;
  }
  console.log(JSON.stringify({ ...found, refused }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
