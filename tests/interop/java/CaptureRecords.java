import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Makes the vectors in tests/vectors/records: `CaptureRecords BOOTSTRAP LOG_DIRECTORY TARGET` has a real
 * broker store a few records per topic, and puts the segments of each in a file.
 */
public class CaptureRecords {
    static final long TIME = 1_700_000_000_000L;

    public static void main(String[] arguments) throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            capture(arguments, "codec-" + codec, Map.of(), Map.of("compression.type", codec), false);
        }
        capture(arguments, "log-append-time", Map.of("message.timestamp.type", "LogAppendTime"), Map.of(), false);
        capture(arguments, "recompressed", Map.of("compression.type", "zstd"), Map.of("compression.type", "gzip"),
            false);
        capture(arguments, "not-idempotent", Map.of(), Map.of("enable.idempotence", "false"), false);
        capture(arguments, "transactions", Map.of(), Map.of("transactional.id", "teller"), true);
    }

    static void capture(String[] arguments, String topic, Map<String, String> topicConfigs,
            Map<String, String> producerConfigs, boolean transactional) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(topicConfigs))).all().get();
        }
        Map<String, Object> configs = new HashMap<>(producerConfigs);
        configs.put("bootstrap.servers", arguments[0]);
        configs.put("linger.ms", "200");
        ByteArraySerializer plain = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(configs, plain, plain)) {
            if (transactional) {
                producer.initTransactions();
                producer.beginTransaction();
                send(producer, topic);
                producer.commitTransaction();
                producer.beginTransaction();
                send(producer, topic);
                producer.flush();
                producer.abortTransaction();
            } else {
                send(producer, topic);
                producer.flush();
                send(producer, topic);
            }
        }
        Path target = Files.createFile(Path.of(arguments[2], topic + ".log"));
        try (Stream<Path> files = Files.list(Path.of(arguments[1], topic + "-0"))) {
            for (Path segment : files.filter(file -> file.toString().endsWith(".log")).sorted().toList()) {
                Files.write(target, Files.readAllBytes(segment), StandardOpenOption.APPEND);
            }
        }
    }

    static void send(KafkaProducer<byte[], byte[]> producer, String topic) {
        byte[] longValue = "a value that is long enough to be worth compressing ".repeat(4).getBytes();
        send(producer, topic, TIME, "key", longValue);
        send(producer, topic, TIME + 70, null, "no key".getBytes());
        send(producer, topic, TIME - 1000, "tombstone", null);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, 0, TIME + 5, new byte[0], new byte[0]);
        record.headers().add("name", "Vltava".getBytes());
        record.headers().add("název", "Moldau — ř".getBytes(StandardCharsets.UTF_8));
        record.headers().add("null", null);
        record.headers().add("", new byte[0]);
        producer.send(record);
    }

    static void send(KafkaProducer<byte[], byte[]> producer, String topic, long time, String key, byte[] value) {
        producer.send(new ProducerRecord<>(topic, 0, time, key == null ? null : key.getBytes(), value));
    }
}
