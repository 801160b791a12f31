import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Kafka node for the tests of a class, as a process of its own; no container is needed.
 *
 * <p>{@code @RegisterExtension static final MoldauNode NODE = new MoldauNode();} and then
 * {@code NODE.bootstrap()}. OrdersTest.java beside it does so. The command is {@code moldau} on the
 * PATH, or what the environment variable MOLDAU names.
 */
public final class MoldauNode implements BeforeAllCallback, AfterAllCallback {
    private static final String READY = "moldau: ready on ";
    private static final int STOP_SECONDS_MAX = 30;
    private Path data;
    private Process process;
    private String bootstrap;

    /** HOST:PORT, as clients want it. */
    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        data = Files.createTempDirectory("moldau-");
        String command = System.getenv().getOrDefault("MOLDAU", "moldau");
        process = new ProcessBuilder(
                command, "start", "--port", "0", "--data", data.toString(),
                "--set", "group.initial.rebalance.delay.ms=0",
                "--set", "offsets.topic.num.partitions=5",
                "--set", "transaction.state.log.num.partitions=5")
            .redirectError(data.resolve("node.log").toFile())
            .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        var output = new BufferedReader(new InputStreamReader(process.getInputStream()));
        String line = output.readLine();
        if (line == null || !line.startsWith(READY)) {
            throw new IOException(Files.readString(data.resolve("node.log")));
        }
        bootstrap = line.substring(READY.length());
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        process.destroy(); // SIGTERM: it stops in order
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder()).forEach(MoldauNode::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
