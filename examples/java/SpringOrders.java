package orders;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * Spring Boot with Spring for Apache Kafka: a topic, a template and a listener.
 *
 *     moldau start
 *     javac -parameters -cp 'spring-libs/*' -d classes examples/java/SpringOrders.java
 *     java -cp 'classes:spring-libs/*' orders.SpringOrders \
 *         --spring.kafka.bootstrap-servers=localhost:9092 \
 *         --spring.kafka.consumer.auto-offset-reset=earliest \
 *         --spring.main.banner-mode=off --logging.level.root=warn
 *
 * prints
 *
 *     sent apples to orders-spring-0
 *     the listener got apples
 */
@SpringBootApplication
public class SpringOrders {
    private final CountDownLatch received = new CountDownLatch(1);

    public static void main(String[] arguments) {
        SpringApplication.run(SpringOrders.class, arguments).close();
    }

    @Bean
    NewTopic orders() {
        return TopicBuilder.name("orders-spring").partitions(1).build();
    }

    @Bean
    ApplicationRunner sender(KafkaTemplate<String, String> template) {
        return arguments -> {
            var sent = template.send("orders-spring", "alice", "apples").get().getRecordMetadata();
            System.out.println("sent apples to " + sent.topic() + "-" + sent.partition());
            received.await(30, TimeUnit.SECONDS);
        };
    }

    @KafkaListener(id = "readers-spring", topics = "orders-spring")
    void listen(String value) {
        System.out.println("the listener got " + value);
        received.countDown();
    }
}
