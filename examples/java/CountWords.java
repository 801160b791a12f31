import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;

/**
 * Kafka Streams: words of a topic are counted, exactly once, in a store with a changelog topic.
 *
 *     moldau start
 *     java -cp 'streams-libs/*' examples/java/CountWords.java localhost:9092
 *
 * prints
 *
 *     the 1
 *     river 1
 *     the 2
 *     sea 1
 *     closed in order: true
 *
 * Streams makes the changelog and the repartition topic itself, with transactions between them.
 */
public final class CountWords {
    private static final String LINES = "lines-java";
    private static final int WORDS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    public static void main(String[] arguments) throws Exception {
        String bootstrap = arguments.length > 0 ? arguments[0] : "localhost:9092";
        write(bootstrap, "the river", "the sea");
        CountDownLatch counted = new CountDownLatch(WORDS);
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(LINES)
            .flatMapValues(line -> Arrays.asList(line.split(" ")))
            .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
            .count(Materialized.as("counts"))
            .toStream()
            .foreach((word, count) -> {
                System.out.println(word + " " + count);
                counted.countDown();
            });
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings(bootstrap))) {
            streams.start();
            counted.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            System.out.println("closed in order: " + streams.close(TIMEOUT));
        }
    }

    private static void write(String bootstrap, String... lines) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(java.util.List.of(new NewTopic(LINES, 1, (short) 1))).all().get();
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (String line : lines) {
                producer.send(new ProducerRecord<>(LINES, line)).get();
            }
        }
    }

    private static Properties settings(String bootstrap) throws Exception {
        Properties settings = new Properties();
        settings.putAll(Map.of(
            "application.id", "count-words",
            "bootstrap.servers", bootstrap,
            "auto.offset.reset", "earliest",
            "processing.guarantee", "exactly_once_v2",
            "statestore.cache.max.bytes", "0",
            "default.key.serde", Serdes.StringSerde.class.getName(),
            "default.value.serde", Serdes.StringSerde.class.getName(),
            "state.dir", java.nio.file.Files.createTempDirectory("count-words").toString()));
        return settings;
    }
}
