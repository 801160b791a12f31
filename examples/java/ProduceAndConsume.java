import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Admin client, producer and consumer of Apache Kafka, unmodified, against a node of Moldau.
 *
 *     moldau start
 *     java -cp 'libs/*' examples/java/ProduceAndConsume.java localhost:9092
 *
 * prints
 *
 *     created orders-java with 3 partitions
 *     alice: apples is acknowledged at offset 0
 *     alice: bananas is acknowledged at offset 1
 *     alice: cherries is acknowledged at offset 2
 *     read apples, bananas, cherries
 *
 * The consumer uses the group protocol of KIP-848, which brokers of Kafka 4 speak and Moldau too.
 */
public final class ProduceAndConsume {
    private static final String TOPIC = "orders-java";
    private static final List<String> FRUIT = List.of("apples", "bananas", "cherries");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    public static void main(String[] arguments) throws Exception {
        String bootstrap = arguments.length > 0 ? arguments[0] : "localhost:9092";
        createTopic(bootstrap);
        produce(bootstrap);
        consume(bootstrap);
    }

    private static void createTopic(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            NewTopic topic = new NewTopic(TOPIC, Optional.of(3), Optional.empty());
            int partitions = admin.createTopics(List.of(topic)).numPartitions(TOPIC).get();
            System.out.println("created " + TOPIC + " with " + partitions + " partitions");
        }
    }

    private static void produce(String bootstrap) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (String fruit : FRUIT) {
                long offset = producer.send(new ProducerRecord<>(TOPIC, "alice", fruit)).get().offset();
                System.out.println("alice: " + fruit + " is acknowledged at offset " + offset);
            }
        }
    }

    private static void consume(String bootstrap) {
        Map<String, Object> settings = Map.of(
            "bootstrap.servers", bootstrap,
            "group.id", "readers-java",
            "group.protocol", "consumer",
            "auto.offset.reset", "earliest");
        List<String> read = new java.util.ArrayList<>();
        long end = System.nanoTime() + TIMEOUT.toNanos();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (read.size() < FRUIT.size() && System.nanoTime() < end) {
                for (ConsumerRecord<String, String> order : consumer.poll(Duration.ofSeconds(1))) {
                    read.add(order.value());
                }
            }
        }
        System.out.println("read " + String.join(", ", read));
    }
}
