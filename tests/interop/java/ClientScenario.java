import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The life of a topic as one version of Kafka's clients for Java sees it.
 *
 * <p>Arguments: HOST:PORT TOPIC [KEY=VALUE of the consumers in groups ...]. Run as source with the
 * jars of the version on the class path: it speaks only what versions 2.1 to 4 have in common.
 * Each step prints one line, {@code NAME: RESULT}, or the name of the exception that ended it.
 */
public final class ClientScenario {
    private static final int PARTITIONS = 4;
    private static final int PATIENCE_MS = 15_000;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrap;
    private final String topic;
    private final String[] groupSettings;

    private ClientScenario(String[] arguments) {
        bootstrap = arguments[0];
        topic = arguments[1];
        groupSettings = Arrays.copyOfRange(arguments, 2, arguments.length);
    }

    /** Something that a client does, and what it tells. */
    private interface Step {
        Object take() throws Exception;
    }

    public static void main(String[] arguments) {
        new ClientScenario(arguments).tell();
    }

    private void tell() {
        try (AdminClient admin = AdminClient.create(settings())) {
            NewTopic wanted = new NewTopic(topic, PARTITIONS, (short) 1);
            step("create", () -> admin.createTopics(List.of(wanted)).all().get());
            step("create again", () -> admin.createTopics(List.of(wanted)).all().get());
            for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
                step(codec, () -> produce(codec));
            }
            step("transactions", this::transactions);
            step("committed", () -> count(read("isolation.level=read_committed")));
            step("uncommitted", () -> count(read("isolation.level=read_uncommitted")));
            step("sent offset", () -> committed(admin, "sent-" + topic));
            step("group", this::group);
            step("lookups", this::lookups);
            step("out of range", this::seekTooFar);
            step("too large", this::sendTooMuch);
            administer(admin);
        }
    }

    private void administer(AdminClient admin) {
        TopicPartition first = new TopicPartition(topic, 0);
        step("cluster", () -> admin.describeCluster().nodes().get().size());
        step("config", () -> retention(admin));
        step("delete records", () -> admin.deleteRecords(
            Map.of(first, RecordsToDelete.beforeOffset(5))).lowWatermarks().get(first).get()
            .lowWatermark());
        step("delete too many", () -> admin.deleteRecords(
            Map.of(first, RecordsToDelete.beforeOffset(1_000_000))).all().get());
        step("fewer partitions", () -> admin.createPartitions(
            Map.of(topic, NewPartitions.increaseTo(1))).all().get());
        step("more partitions", () -> admin.createPartitions(
            Map.of(topic, NewPartitions.increaseTo(6))).all().get());
        step("group state", () -> admin.describeConsumerGroups(List.of("group-" + topic)).all()
            .get().get("group-" + topic).state());
        step("group lag", () -> committed(admin, "group-" + topic));
        step("delete group", () -> admin.deleteConsumerGroups(
            List.of("group-" + topic)).all().get());
        step("delete no group", () -> admin.deleteConsumerGroups(
            List.of("no-" + topic)).all().get());
        step("delete", () -> admin.deleteTopics(List.of(topic)).all().get());
        step("delete again", () -> admin.deleteTopics(List.of(topic)).all().get());
    }

    private static void step(String name, Step step) {
        String told;
        try {
            told = String.valueOf(step.take());
        } catch (ExecutionException refused) {
            told = refused.getCause().getClass().getSimpleName();
        } catch (Exception | LinkageError broken) {
            told = broken.toString();
        }
        System.out.println(name + ": " + told);
    }

    private Properties settings(String... more) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", bootstrap);
        for (String setting : more) {
            settings.put(setting.split("=")[0], setting.split("=")[1]);
        }
        return settings;
    }

    private KafkaProducer<String, String> producer(String... more) {
        return new KafkaProducer<>(settings(more), new StringSerializer(), new StringSerializer());
    }

    /** It asks for little patience: a close waits for the last fetch to be answered. */
    private KafkaConsumer<String, String> consumer(String... more) {
        Properties settings = settings(more);
        settings.put("fetch.max.wait.ms", "50");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    private Object produce(String codec) throws Exception {
        try (KafkaProducer<String, String> producer = producer(
                "compression.type=" + codec, "enable.idempotence=true", "linger.ms=5")) {
            for (int number = 0; number < 100; number++) {
                ProducerRecord<String, String> message =
                    new ProducerRecord<>(topic, "key" + number, codec);
                message.headers().add("number", String.valueOf(number).getBytes());
                producer.send(message);
            }
        }
        return read().stream().filter(message -> message.value().equals(codec)
            && message.key().endsWith(new String(message.headers().lastHeader("number").value())))
            .count();
    }

    private List<ConsumerRecord<String, String>> read(String... more) {
        List<ConsumerRecord<String, String>> messages = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(more)) {
            List<TopicPartition> all = new ArrayList<>();
            consumer.partitionsFor(topic)
                .forEach(one -> all.add(new TopicPartition(topic, one.partition())));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            until(() -> {
                consumer.poll(POLL).forEach(messages::add);
                return all.stream().allMatch(one -> consumer.position(one) >= ends.get(one));
            });
        }
        return messages;
    }

    private static Map<String, Integer> count(List<ConsumerRecord<String, String>> messages) {
        Map<String, Integer> counts = new TreeMap<>();
        messages.forEach(message -> counts.merge(message.value(), 1, Integer::sum));
        return counts;
    }

    private Object transactions() throws Exception {
        try (KafkaProducer<String, String> producer = producer("transactional.id=id-" + topic)) {
            producer.initTransactions();
            for (String fate : List.of("aborted", "committed")) {
                producer.beginTransaction();
                for (int number = 0; number < 10; number++) {
                    producer.send(new ProducerRecord<>(topic, "key" + number, fate));
                }
                producer.flush();
                sendOffset(producer, fate.equals("committed") ? 3 : 99);
                if (fate.equals("committed")) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
        return "done";
    }

    /** Its second argument was a name once; versions that know more of a group than it take that. */
    private void sendOffset(KafkaProducer<String, String> producer, long offset) throws Exception {
        Object offsets = Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset));
        String group = "sent-" + topic;
        for (Method method : KafkaProducer.class.getMethods()) {
            if (method.getName().equals("sendOffsetsToTransaction")) {
                Class<?> type = method.getParameterTypes()[1];
                method.invoke(producer, offsets, type == String.class ? group
                    : type.getConstructor(String.class).newInstance(group));
                return;
            }
        }
    }

    private static long committed(AdminClient admin, String group) throws Exception {
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> found =
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
        return found.get().values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    private Object group() throws Exception {
        Set<String> read = ConcurrentHashMap.newKeySet();
        Member early = new Member(read);
        until(() -> early.owned.size() == PARTITIONS);
        Member late = new Member(read);
        until(() -> early.owned.size() == 2 && late.owned.size() == 2);
        String shared = early.owned.size() + "+" + late.owned.size();
        until(() -> read.size() == 520);
        early.leave();
        until(() -> late.owned.size() == PARTITIONS);
        String alone = String.valueOf(late.owned.size());
        late.leave();
        return shared + ", " + alone + ", " + read.size();
    }

    private Object lookups() {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            TopicPartition first = new TopicPartition(topic, 0);
            Map<TopicPartition, Long> longAgo = Map.of(first, 1L);
            Map<TopicPartition, Long> never = Map.of(first, Long.MAX_VALUE);
            return consumer.beginningOffsets(List.of(first)).get(first)
                + " " + consumer.offsetsForTimes(longAgo).get(first).offset()
                + " " + consumer.offsetsForTimes(never).get(first);
        }
    }

    private Object seekTooFar() {
        TopicPartition first = new TopicPartition(topic, 0);
        try (KafkaConsumer<String, String> consumer = consumer("auto.offset.reset=none")) {
            consumer.assign(List.of(first));
            consumer.seek(first, 1_000_000);
            until(() -> !consumer.poll(POLL).isEmpty());
            return "read";
        } catch (OffsetOutOfRangeException refused) {
            return refused.getClass().getSimpleName();
        }
    }

    private Object sendTooMuch() throws Exception {
        try (KafkaProducer<String, String> producer = producer("max.request.size=4000000")) {
            String large = String.join("", Collections.nCopies(2_000_000, "x"));
            return producer.send(new ProducerRecord<>(topic, large)).get().offset();
        }
    }

    private Object retention(AdminClient admin) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(List.of(resource)).all().get().get(resource)
            .get("retention.ms").value();
    }

    private static void until(BooleanSupplier done) {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        while (!done.getAsBoolean() && System.currentTimeMillis() < deadline) {
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** One of the group, in a thread of its own. */
    private final class Member extends Thread implements ConsumerRebalanceListener {
        final Set<TopicPartition> owned = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean leaves = new AtomicBoolean();
        private final KafkaConsumer<String, String> consumer;
        private final Set<String> read;

        Member(Set<String> read) {
            List<String> all = new ArrayList<>(List.of("group.id=group-" + topic,
                "auto.offset.reset=earliest", "enable.auto.commit=false"));
            all.addAll(Arrays.asList(groupSettings));
            this.consumer = consumer(all.toArray(new String[0]));
            this.read = read;
            start();
        }

        @Override
        public void run() {
            consumer.subscribe(List.of(topic), this);
            while (!leaves.get()) {
                consumer.poll(POLL).forEach(one -> read.add(one.partition() + "@" + one.offset()));
            }
            consumer.commitSync();
            consumer.close();
        }

        void leave() throws InterruptedException {
            leaves.set(true);
            join();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            consumer.commitSync();
            owned.removeAll(partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owned.addAll(partitions);
        }
    }
}
