import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of a Java program against a real broker, which JUnit starts as a process and stops.
 *
 *     javac -cp 'libs/*:junit-libs/*' -d classes \
 *         examples/java/MoldauNode.java examples/java/OrdersTest.java
 *     java -cp 'junit-libs/*' org.junit.platform.console.ConsoleLauncher execute \
 *         --class-path "classes:$(echo libs/*.jar | tr ' ' :)" --select-class OrdersTest \
 *         --include-engine junit-jupiter --details tree --disable-banner --disable-ansi-colors
 *
 * prints
 *
 *     ╷
 *     └─ JUnit Jupiter ✔
 *        └─ OrdersTest ✔
 *           ├─ ordersOfACustomerStayInOrder() ✔
 *           └─ anOrderIsReadBack() ✔
 *
 *     Test run finished after … ms
 *     [         2 containers found      ]
 *     [         0 containers skipped    ]
 *     [         2 containers started    ]
 *     [         0 containers aborted    ]
 *     [         2 containers successful ]
 *     [         0 containers failed     ]
 *     [         2 tests found           ]
 *     [         0 tests skipped         ]
 *     [         2 tests started         ]
 *     [         0 tests aborted         ]
 *     [         2 tests successful      ]
 *     [         0 tests failed          ]
 */
final class OrdersTest {
    @RegisterExtension static final MoldauNode NODE = new MoldauNode();

    @Test
    void anOrderIsReadBack() throws Exception {
        produce("orders-one", "apples");
        assertEquals(List.of("apples"), read("orders-one", 1));
    }

    @Test
    void ordersOfACustomerStayInOrder() throws Exception {
        produce("orders-three", "apples", "bananas", "cherries");
        assertEquals(List.of("apples", "bananas", "cherries"), read("orders-three", 3));
    }

    private static void produce(String topic, String... values) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", NODE.bootstrap());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, "alice", value)).get();
            }
        }
    }

    private static List<String> read(String topic, int count) {
        Map<String, Object> settings = Map.of(
            "bootstrap.servers", NODE.bootstrap(), "auto.offset.reset", "earliest");
        List<String> values = new java.util.ArrayList<>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            for (int poll = 0; poll < 30 && values.size() < count; poll++) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
