import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What Kafka's clients for Java live through when something is taken from under them.
 *
 * <p>Arguments: HOST:PORT TOPIC. Run as source with the clients' jar on the class path. Each step
 * prints one line, {@code NAME: RESULT}, or the name of the exception that ended it.
 */
public final class MeetTrouble {
    private static final int MESSAGES = 50;
    private static final int PATIENCE_MS = 20_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String[] QUICK = {"session.timeout.ms=6000", "heartbeat.interval.ms=500"};

    private final String bootstrap;
    private final String topic;
    private final Admin admin;

    private MeetTrouble(String bootstrap, String topic) {
        this.bootstrap = bootstrap;
        this.topic = topic;
        this.admin = Admin.create(settings());
    }

    /** Something that a client does, and what it tells. */
    private interface Step {
        Object take() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        new MeetTrouble(arguments[0], arguments[1]).tell();
    }

    private void tell() throws Exception {
        create(topic, 2);
        fill(topic);
        step("recreated, classic", () -> recreate("classic"));
        step("recreated, consumer", () -> recreate("consumer"));
        step("new topic of a pattern", this::pattern);
        step("same instance, classic", this::sameInstanceClassic);
        step("same instance, consumer", this::sameInstanceConsumer);
        step("migrated", this::migrate);
        step("slow poll", this::pollSlowly);
        step("trimmed", this::trim);
        step("aborted by the admin", this::abortByAdmin);
        step("fenced by the admin", this::fenceByAdmin);
        step("offsets of a stranger", this::sendOffsetsOfStranger);
        admin.close();
    }

    private static void step(String name, Step step) {
        String told;
        try {
            told = String.valueOf(step.take());
        } catch (ExecutionException refused) {
            told = refused.getCause().getClass().getSimpleName();
        } catch (Exception refused) {
            told = refused.getClass().getSimpleName();
        }
        System.out.println(name + ": " + told);
    }

    private Properties settings(String... more) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("metadata.max.age.ms", "1000");
        for (String setting : more) {
            settings.put(setting.split("=")[0], setting.split("=")[1]);
        }
        return settings;
    }

    private KafkaConsumer<String, String> consumer(String... more) {
        Properties settings = settings(more);
        settings.put("auto.offset.reset", "earliest");
        settings.put("allow.auto.create.topics", "false");
        settings.put("enable.auto.commit", "false");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    private KafkaProducer<String, String> producer(String... more) {
        return new KafkaProducer<>(settings(more), new StringSerializer(), new StringSerializer());
    }

    private KafkaProducer<String, String> producerInTransaction(String name) throws Exception {
        KafkaProducer<String, String> producer =
            producer("transactional.id=" + name + "-" + topic);
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 0, "key", "value")).get();
        return producer;
    }

    private void create(String name, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }

    private void fill(String name) {
        try (KafkaProducer<String, String> producer = producer()) {
            for (int number = 0; number < MESSAGES; number++) {
                producer.send(new ProducerRecord<>(name, "key" + number, "value"));
            }
        }
    }

    private static int read(KafkaConsumer<String, String> consumer, int wanted) {
        int[] count = {0};
        until(() -> {
            count[0] += consumer.poll(POLL).count();
            return count[0] >= wanted;
        });
        return count[0];
    }

    private static boolean owns(KafkaConsumer<String, String> consumer, int partitions) {
        consumer.poll(POLL);
        return consumer.assignment().size() == partitions;
    }

    private static void until(BooleanSupplier done) {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        boolean isDone = done.getAsBoolean();
        while (!isDone && System.currentTimeMillis() < deadline) {
            isDone = done.getAsBoolean();
        }
    }

    private Object recreate(String protocol) throws Exception {
        String name = topic + "-" + protocol;
        create(name, 2);
        fill(name);
        try (KafkaConsumer<String, String> consumer =
                consumer("group.id=" + name, "group.protocol=" + protocol)) {
            consumer.subscribe(List.of(name));
            int before = read(consumer, MESSAGES);
            consumer.commitSync();
            admin.deleteTopics(List.of(name)).all().get();
            until(() -> owns(consumer, 0));
            create(name, 4);
            until(() -> owns(consumer, 4));
            fill(name);
            return before + ", " + read(consumer, MESSAGES) + " of " + consumer.assignment().size();
        }
    }

    private Object pattern() throws Exception {
        create(topic + "-like-1", 1);
        try (KafkaConsumer<String, String> consumer = consumer("group.id=like-" + topic)) {
            consumer.subscribe(Pattern.compile(topic + "-like-.*"));
            until(() -> owns(consumer, 1));
            int before = consumer.assignment().size();
            create(topic + "-like-2", 2);
            until(() -> owns(consumer, 3));
            return before + ", " + consumer.assignment().size();
        }
    }

    /** The one that comes later has the place. */
    private Object sameInstanceClassic() {
        String[] settings = {"group.id=same-" + topic, "group.instance.id=one"};
        try (KafkaConsumer<String, String> early = consumer(settings);
                KafkaConsumer<String, String> late = consumer(settings)) {
            early.subscribe(List.of(topic));
            late.subscribe(List.of(topic));
            until(() -> owns(early, 2));
            until(() -> owns(late, 2));
            until(() -> owns(early, 0));
            return "both live";
        }
    }

    /** The one that was there keeps the place. */
    private Object sameInstanceConsumer() {
        String[] settings = {
            "group.id=alike-" + topic, "group.instance.id=one", "group.protocol=consumer"};
        try (KafkaConsumer<String, String> early = consumer(settings);
                KafkaConsumer<String, String> late = consumer(settings)) {
            early.subscribe(List.of(topic));
            late.subscribe(List.of(topic));
            until(() -> owns(early, 2));
            until(() -> owns(late, 2));
            return "both live";
        }
    }

    private Object migrate() {
        List<String> classic = new ArrayList<>(Arrays.asList(QUICK));
        classic.add("group.id=moved-" + topic);
        try (KafkaConsumer<String, String> late =
                consumer("group.id=moved-" + topic, "group.protocol=consumer")) {
            String shared;
            try (KafkaConsumer<String, String> early = consumer(classic.toArray(new String[0]))) {
                early.subscribe(List.of(topic));
                read(early, MESSAGES);
                early.commitSync();
                late.subscribe(List.of(topic));
                until(() -> owns(early, 1) & owns(late, 1));
                shared = early.assignment().size() + "+" + late.assignment().size();
            }
            until(() -> owns(late, 2));
            return shared + ", " + late.assignment().size();
        }
    }

    private Object pollSlowly() throws Exception {
        try (KafkaConsumer<String, String> consumer =
                consumer("group.id=slow-" + topic, "max.poll.interval.ms=1000")) {
            consumer.subscribe(List.of(topic));
            int before = read(consumer, MESSAGES);
            Thread.sleep(3000);
            String commit = "committed";
            try {
                consumer.commitSync();
            } catch (RuntimeException refused) {
                commit = refused.getClass().getSimpleName();
            }
            return before + ", " + commit + ", " + read(consumer, MESSAGES);
        }
    }

    private Object trim() throws Exception {
        TopicPartition first = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = consumer()) {
            consumer.assign(List.of(first));
            consumer.seek(first, 0);
            admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(10))).all().get();
            List<Long> offsets = new ArrayList<>();
            until(() -> {
                consumer.poll(POLL).forEach(message -> offsets.add(message.offset()));
                return !offsets.isEmpty();
            });
            return offsets.get(0);
        }
    }

    /** Its producer commits what is gone, and is told that all is well: Apache Kafka does too. */
    private Object abortByAdmin() throws Exception {
        TopicPartition first = new TopicPartition(topic, 0);
        try (KafkaProducer<String, String> producer = producerInTransaction("hung")) {
            List<ProducerState> states = admin.describeProducers(List.of(first))
                .partitionResult(first).get().activeProducers();
            ProducerState open = states.stream()
                .filter(state -> state.currentTransactionStartOffset().isPresent())
                .findFirst().get();
            admin.abortTransaction(new AbortTransactionSpec(first, open.producerId(),
                (short) open.producerEpoch(), open.coordinatorEpoch().orElse(0))).all().get();
            producer.commitTransaction();
            return "committed";
        }
    }

    private Object fenceByAdmin() throws Exception {
        KafkaProducer<String, String> producer = producerInTransaction("fenced");
        try {
            admin.fenceProducers(List.of("fenced-" + topic)).all().get();
            producer.commitTransaction();
            return "committed";
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private Object sendOffsetsOfStranger() throws Exception {
        KafkaProducer<String, String> producer = producerInTransaction("stranger");
        try {
            producer.sendOffsetsToTransaction(
                Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(1)),
                new ConsumerGroupMetadata("moved-" + topic, 5, "nobody", Optional.empty()));
            return "sent";
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
