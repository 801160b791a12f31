// What a program does with kafkajs: one scenario per run, whose outcome is printed as one JSON line.
//
//   node kafkajs_scenarios.js HOST:PORT SCENARIO TOPIC [ARGUMENT]
//
// The client has gzip itself; the other codecs are plugged in as its documentation asks.
"use strict";

const { readFileSync } = require("node:fs");
const { Kafka, CompressionTypes, CompressionCodecs, logLevel } = require("kafkajs");
const snappy = require("kafkajs-snappy");
const lz4 = require("lz4js");
const { ZstdCodec } = require("zstd-codec");

const [bootstrap, scenario, topic, argument] = process.argv.slice(2);
const PATIENCE_MS = 20000;
// Where a file of authorities is named it speaks TLS, with a certificate where a file of keys is;
// and where a mechanism is named, it logs in.
const {
  CA_FILE: caFile, KEY_FILE: keyFile, TLS_VERSION: tlsVersion, SASL_MECHANISM: mechanism = "",
  USER_NAME: username, USER_PASSWORD: password, TOKEN: token,
} = process.env;
const versions = tlsVersion && { minVersion: tlsVersion, maxVersion: tlsVersion };
const shown = keyFile && { key: readFileSync(keyFile), cert: readFileSync(keyFile) };
const login = token
  ? { oauthBearerProvider: async () => ({ value: token }) }
  : { username, password };
const secured = {
  ...(caFile && { ssl: { ca: [readFileSync(caFile)], ...versions, ...shown } }),
  ...(mechanism && { sasl: { mechanism: mechanism.toLowerCase(), ...login } }),
};
const kafka = new Kafka({
  clientId: "kafkajs", brokers: [bootstrap], logLevel: logLevel.ERROR, ...secured,
});

CompressionCodecs[CompressionTypes.Snappy] = snappy;
// lz4js links the blocks of its frames, which Kafka takes from nobody: these are independent ones.
const LZ4_HEADER = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]);
const LZ4_BLOCK_BYTES = 65536;
const LZ4_STORED = 0x80000000;

function lz4Frame(plain) {
  const parts = [LZ4_HEADER];
  for (let start = 0; start < plain.length; start += LZ4_BLOCK_BYTES) {
    const block = plain.subarray(start, start + LZ4_BLOCK_BYTES);
    const packed = Buffer.alloc(lz4.compressBound(block.length));
    const size = lz4.compressBlock(block, packed, 0, block.length, new Uint32Array(65536));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(size > 0 ? size : (block.length | LZ4_STORED) >>> 0);
    parts.push(length, size > 0 ? packed.subarray(0, size) : block);
  }
  return Buffer.concat([...parts, Buffer.alloc(4)]);
}

CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: async (encoder) => lz4Frame(encoder.buffer),
  decompress: async (buffer) => Buffer.from(lz4.decompress(buffer)),
});

function plugInZstd() {
  return new Promise((done) =>
    ZstdCodec.run((zstd) => {
      const simple = new zstd.Simple();
      CompressionCodecs[CompressionTypes.ZSTD] = () => ({
        compress: async (encoder) => Buffer.from(simple.compress(encoder.buffer)),
        decompress: async (buffer) => Buffer.from(simple.decompress(buffer)),
      });
      done();
    }),
  );
}

function messages(count, name = "value") {
  return Array.from({ length: count }, (_, number) => ({
    key: `k${number % 7}`,
    value: `${name} ${number} `.repeat(20),
    headers: { number: String(number) },
  }));
}

async function produce(list, { compression = CompressionTypes.None, ...settings } = {}) {
  const producer = kafka.producer(settings);
  await producer.connect();
  const placed = await producer.send({ topic, messages: list, compression, acks: -1 });
  await producer.disconnect();
  return placed;
}

// Members of one group until together they have `count` messages; what each of them got.
// `whenShared` is called as soon as every member has partitions.
async function consume(count, { members = 1, whenShared = () => {} } = {}) {
  const settings = { groupId: `group-${topic}`, heartbeatInterval: 200, maxWaitTimeInMs: 200 };
  const consumers = Array.from({ length: members }, () => kafka.consumer(settings));
  const got = consumers.map(() => []);
  const owned = consumers.map(() => 0);
  let finish;
  const finished = new Promise((done) => (finish = done));
  const patience = setTimeout(finish, PATIENCE_MS);
  for (const [index, consumer] of consumers.entries()) {
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      owned[index] = (payload.memberAssignment[topic] || []).length;
      if (owned.every((partitions) => partitions > 0)) whenShared();
    });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ partition, message }) => {
        got[index].push({ partition, ...message });
        if (got.flat().length >= count) finish();
      },
    });
  }
  await finished;
  clearTimeout(patience);
  for (const consumer of consumers) await consumer.disconnect();
  return got;
}

// What `ask` gives, asked again until it is as wanted: another node may know of a change later.
async function settled(ask, isWanted) {
  const until = Date.now() + PATIENCE_MS;
  let found = await ask();
  while (!isWanted(found) && Date.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
    found = await ask();
  }
  return found;
}

// Nothing, where the error says that asking again may help.
function again(error) {
  if (!error.retriable) throw error;
  return null;
}

const values = (list) => list.map((message) => message.value.toString()).sort();

const SCENARIOS = {
  async codec() {
    const sent = messages(300);
    await produce(sent, { compression: CompressionTypes[argument] });
    const [got] = await consume(300);
    return {
      same: JSON.stringify(values(got)) === JSON.stringify(sent.map((one) => one.value).sort()),
      headers: got.every(({ headers, value }) =>
        value.toString().startsWith(`value ${headers.number} `),
      ),
    };
  },

  async idempotent() {
    const placed = await produce(messages(100), { idempotent: true, maxInFlightRequests: 1 });
    const [got] = await consume(100);
    return { errors: placed.map((one) => one.errorCode), count: got.length };
  },

  async transactional() {
    const producer = kafka.producer({ transactionalId: `id-${topic}`, maxInFlightRequests: 1 });
    await producer.connect();
    for (const fate of ["abort", "commit", "abort"]) {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: messages(5, fate) });
      await transaction.sendOffsets({
        consumerGroupId: `offsets-${topic}`,
        topics: [{ topic, partitions: [{ partition: 0, offset: fate === "commit" ? "3" : "4" }] }],
      });
      await transaction[fate]();
    }
    await producer.disconnect();
    const [got] = await consume(5);
    const admin = kafka.admin();
    await admin.connect();
    const offsets = await admin.fetchOffsets({ groupId: `offsets-${topic}`, topics: [topic] });
    await admin.disconnect();
    const fates = got.map((message) => message.value.toString().split(" ")[0]);
    return { fates, committed: offsets[0].partitions.find((one) => one.partition === 0).offset };
  },

  async rebalance() {
    await produce(messages(50, "early"));
    const [early] = await consume(50);
    let produced = null;
    const whenShared = () => (produced = produced || produce(messages(200, "late")));
    const crowd = await consume(200, { members: 2, whenShared });
    await produced;
    const late = crowd.flat();
    return {
      early: early.length,
      late: new Set(values(late)).size,
      total: late.length,
      shared: crowd.every((list) => list.length > 0),
    };
  },

  async admin() {
    const admin = kafka.admin();
    await admin.connect();
    const configEntries = [{ name: "retention.ms", value: "3600000" }];
    const other = `${topic}-made`;
    const made = await create(admin, { topic: other, numPartitions: 2, configEntries });
    await admin.createPartitions({ topicPartitions: [{ topic: other, count: 4 }] });
    const grown = async () => (await admin.fetchTopicMetadata({ topics: [other] })).topics[0];
    const { partitions } = await settled(grown, (told) => told.partitions.length === 4);
    const resources = [{ type: 2, name: other, configNames: ["retention.ms"] }];
    const isTold = (told) => told !== null;
    const known = () => admin.describeConfigs({ resources }).catch(again);
    const described = await settled(known, isTold);
    const cluster = await admin.describeCluster();
    const offsets = await settled(() => admin.fetchTopicOffsets(other).catch(again), isTold);
    const groups = (await admin.listGroups()).groups;
    await admin.deleteTopics({ topics: [other] });
    const left = await settled(() => admin.listTopics(), (names) => !names.includes(other));
    await admin.disconnect();
    return {
      made,
      partitions: partitions.length,
      retention: described.resources[0].configEntries[0].configValue,
      brokers: cluster.brokers.length,
      offsets: offsets.map((one) => one.high),
      grouped: Array.isArray(groups),
      gone: !left.includes(other),
    };
  },
};

// The broker that was asked may not know the topic yet, which is there once this fails so.
async function create(admin, wanted) {
  try {
    return await admin.createTopics({ topics: [wanted] });
  } catch (error) {
    if (error.type !== "UNKNOWN_TOPIC_OR_PARTITION") throw error;
    return true;
  }
}

async function main() {
  await plugInZstd();
  const admin = kafka.admin();
  await admin.connect();
  await create(admin, { topic, numPartitions: 4 });
  await admin.disconnect();
  console.log(JSON.stringify(await SCENARIOS[scenario]()));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
