import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * Reads messages that another codec wrote with Apache Kafka's own classes.
 *
 * <p>Argument: FILE, in the form that {@code WriteMessages.java} describes. Run as source with
 * Kafka's jars on the class path. Each message must be read to its last byte, and Kafka must write
 * the same bytes again; whatever differs is printed, and the exit status is 1.
 */
public final class CheckMessages {
    private static final int MISMATCHES_SHOWN = 20;
    private static final String GENERATED =
        "org/apache/kafka/(common/message|common/metadata|.*/generated)/[^/$]+\\.class";

    public static void main(String[] arguments) throws Exception {
        Map<String, String> classes = classes();
        Set<String> pairs = new HashSet<>();
        int index = 0;
        int mismatches = 0;
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new FileInputStream(arguments[0]), 1 << 20))) {
            for (String name = nextName(in); name != null; name = nextName(in)) {
                short version = in.readShort();
                byte[] bytes = in.readNBytes(in.readInt());
                String complaint = complaint(classes.get(name), version, bytes);
                if (complaint != null && ++mismatches <= MISMATCHES_SHOWN) {
                    System.out.println("MISMATCH " + index + " " + name + " v" + version + ": "
                        + complaint + "\n  given " + HexFormat.of().formatHex(bytes));
                }
                pairs.add(name + " " + version);
                index++;
            }
        }
        System.out.println("checked " + index + " messages, " + pairs.size() + " pairs, "
            + mismatches + " mismatches");
        System.exit(mismatches == 0 ? 0 : 1);
    }

    /** Message name, without a final Data, to class name. */
    private static Map<String, String> classes() throws IOException {
        Map<String, String> classes = new HashMap<>();
        for (String jar : System.getProperty("message.jars").split(File.pathSeparator)) {
            try (ZipFile zip = new ZipFile(jar)) {
                zip.stream().map(entry -> entry.getName())
                    .filter(name -> name.matches(GENERATED))
                    .forEach(name -> note(classes, name));
            }
        }
        return classes;
    }

    private static void note(Map<String, String> classes, String file) {
        String dotted = file.replace('/', '.').replace(".class", "");
        String name = dotted.substring(dotted.lastIndexOf('.') + 1);
        classes.put(name, dotted);
        if (name.endsWith("Data")) {
            classes.put(name.substring(0, name.length() - "Data".length()), dotted);
        }
    }

    private static String nextName(DataInputStream in) throws IOException {
        try {
            return in.readUTF();
        } catch (EOFException end) {
            return null;
        }
    }

    /** Null when Kafka reads all of the bytes and would have written the same. */
    private static String complaint(String type, short version, byte[] bytes) throws Exception {
        if (type == null) {
            return "Kafka has no such message";
        }
        Message message = (Message) Class.forName(type).getDeclaredConstructor().newInstance();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            message.read(new ByteBufferAccessor(buffer), version);
            byte[] again = encode(message, version);
            if (buffer.hasRemaining()) {
                return buffer.remaining() + " bytes left over";
            }
            return Arrays.equals(bytes, again) ? null : "Kafka writes something else\n  kafka "
                + HexFormat.of().formatHex(again) + "\n  reads " + message;
        } catch (RuntimeException refused) {
            return "Kafka refuses it: " + refused;
        }
    }

    private static byte[] encode(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.array();
    }
}
