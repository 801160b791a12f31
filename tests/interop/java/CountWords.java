import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/**
 * A word count with Kafka Streams: lines of one topic become counts of words in another.
 *
 * <p>{@code CountWords SETTINGS-FILE INPUT OUTPUT}: it runs until its standard input ends, says
 * each change of its state on a line, and leaves in order. The store has a changelog topic, and
 * grouping by word goes through a repartition topic: Streams makes both itself.
 */
public final class CountWords {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        try (var file = java.nio.file.Files.newInputStream(Path.of(arguments[0]))) {
            settings.load(file);
        }
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(arguments[1])
            .flatMapValues(line -> Arrays.asList(line.toLowerCase(Locale.ROOT).split("\\W+")))
            .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
            .count(Materialized.as("counts"))
            .toStream()
            .to(arguments[2], Produced.with(Serdes.String(), Serdes.Long()));
        try (KafkaStreams streams = new KafkaStreams(builder.build(), settings)) {
            streams.setStateListener((now, before) -> System.out.println("state " + now));
            streams.start();
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
            System.out.println("closed " + streams.close(PATIENCE));
        }
    }
}
