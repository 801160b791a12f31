import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Writes random messages with Apache Kafka's own classes, for another codec to read.
 *
 * <p>Arguments: SEED COUNT FILE. Run as source with Kafka's jars on the class path, and with those
 * that hold messages in the property message.jars.
 *
 * <p>What a field may hold in a version is read from the schemas inside the jars; the class and its
 * setters are found by name. Messages and versions take turns, so that every pair appears equally
 * often: its first turn leaves everything at the default, its second fills everything, later ones
 * mix. The file is a row of entries: name (as DataOutput.writeUTF), version (int16), size (int32),
 * bytes. {@code CheckMessages.java} reads the same form.
 */
public final class WriteMessages {
    public static void main(String[] arguments) throws Exception {
        generate(new Library().layouts(), Long.parseLong(arguments[0]),
            Integer.parseInt(arguments[1]), arguments[2]);
    }

    private static void generate(Map<String, Layout> layouts, long seed, int count, String path)
            throws Exception {
        record Turn(String name, Layout layout, short version) { }
        List<Turn> turns = new ArrayList<>();
        layouts.forEach((name, layout) -> {
            for (int version = layout.low; version <= layout.high; version++) {
                turns.add(new Turn(name, layout, (short) version));
            }
        });
        SplittableRandom random = new SplittableRandom(seed);
        try (DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(new FileOutputStream(path), 1 << 20))) {
            for (int index = 0; index < count; index++) {
                Turn turn = turns.get(index % turns.size());
                Style style = Style.ofRound(index / turns.size());
                Filler filler = new Filler(random, turn.version, style);
                byte[] bytes = encode(filler.fill(turn.layout), turn.version);
                out.writeUTF(turn.name);
                out.writeShort(turn.version);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
        System.out.println("generated " + count + " messages, " + turns.size() + " pairs");
    }

    private static byte[] encode(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        if (buffer.hasRemaining()) {
            throw new IllegalStateException("Kafka wrote less than it announced: " + message);
        }
        return buffer.array();
    }

    /** A range such as 3-7, 4, 2+ or none. */
    private record Range(int low, int high) {
        static Range of(String text) {
            if (text.equals("none")) {
                return new Range(1, 0);
            }
            String[] ends = text.replace("+", "-" + Short.MAX_VALUE).split("-");
            return new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        }

        boolean holds(int version) {
            return low <= version && version <= high;
        }
    }

    /** One struct or message: how to make it, and what it holds. */
    private static final class Layout {
        Constructor<?> constructor;
        final List<Field> fields = new ArrayList<>();
        final Set<Integer> tags = new HashSet<>();
        Range flexible;
        int low;
        int high;
    }

    /**
     * One field. {@code struct} is there when its elements are structs, {@code collection} when it
     * is an array; {@code mustBeSet} when its default is null or may hold such a field, so that
     * versions in which null cannot be written need a value.
     */
    private record Field(
        Method setter, String element, Layout struct, Constructor<?> collection,
        Range versions, Range nullable, boolean mustBeSet, boolean ignorable) { }

    /** Reads every schema in the jars that hold messages and pairs it with its class. */
    private static final class Library {
        private static final ObjectMapper JSON =
            new ObjectMapper().configure(JsonParser.Feature.ALLOW_COMMENTS, true);
        private static final Range NEVER = new Range(1, 0);
        private static final String GENERATED =
            "org/apache/kafka/(common/message|common/metadata|.*/generated)/[^/$]+\\.class";
        private final Map<String, String> classes = new HashMap<>();
        private final List<JsonNode> schemas = new ArrayList<>();

        Map<String, Layout> layouts() throws Exception {
            for (String jar : System.getProperty("message.jars").split(File.pathSeparator)) {
                scan(jar);
            }
            Map<String, Layout> layouts = new TreeMap<>();
            for (JsonNode schema : schemas) {
                if (!schema.get("validVersions").asText().equals("none")) {
                    layouts.put(schema.get("name").asText(), message(schema));
                }
            }
            return layouts;
        }

        private void scan(String jar) throws IOException {
            try (ZipFile zip = new ZipFile(jar)) {
                for (ZipEntry entry : (Iterable<ZipEntry>) () -> zip.stream()
                        .map(ZipEntry.class::cast).iterator()) {
                    String name = entry.getName();
                    if (name.matches("(common/)?(message|metadata)/[^/]+\\.json")) {
                        try (InputStream in = zip.getInputStream(entry)) {
                            schemas.add(JSON.readTree(in));
                        }
                    } else if (name.matches(GENERATED)) {
                        String dotted = name.replace('/', '.').replace(".class", "");
                        classes.put(dotted.substring(dotted.lastIndexOf('.') + 1), dotted);
                    }
                }
            }
        }

        private Layout message(JsonNode schema) throws Exception {
            String name = schema.get("name").asText();
            Class<?> type = Class.forName(
                classes.getOrDefault(name + "Data", classes.getOrDefault(name, name)));
            Range valid = versions(schema, "validVersions", NEVER);
            Range flexible = versions(schema, "flexibleVersions", NEVER);
            Map<String, JsonNode> shared = new HashMap<>();
            schema.path("commonStructs").forEach(
                struct -> shared.put(struct.get("name").asText(), struct.get("fields")));
            Layout layout = struct(type, type, schema.path("fields"), shared, flexible);
            layout.low = valid.low;
            layout.high = valid.high;
            Message example = (Message) layout.constructor.newInstance();
            if (example.lowestSupportedVersion() != valid.low
                    || example.highestSupportedVersion() != valid.high) {
                throw new IllegalStateException(name + ": schema and class disagree on versions");
            }
            return layout;
        }

        private Layout struct(Class<?> outer, Class<?> type, JsonNode fields,
                Map<String, JsonNode> shared, Range flexible) throws Exception {
            Layout layout = new Layout();
            layout.constructor = type.getDeclaredConstructor();
            layout.flexible = flexible;
            for (JsonNode field : fields) {
                layout.fields.add(field(outer, type, field, shared, flexible));
                if (field.has("tag")) {
                    layout.tags.add(field.get("tag").asInt());
                }
            }
            return layout;
        }

        private Field field(Class<?> outer, Class<?> type, JsonNode field,
                Map<String, JsonNode> shared, Range flexible) throws Exception {
            String name = field.get("name").asText();
            String element = field.get("type").asText().replace("[]", "");
            boolean array = field.get("type").asText().startsWith("[]");
            Layout struct = null;
            if (Character.isUpperCase(element.charAt(0))) {
                JsonNode inner = field.has("fields") ? field.get("fields") : shared.get(element);
                Class<?> held = Class.forName(outer.getName() + "$" + element);
                struct = struct(outer, held, inner, shared, flexible);
            }
            Method setter = setter(type, name);
            boolean mustBeSet = field.path("default").asText().equals("null")
                || element.equals("records") || struct != null && !array;
            return new Field(setter, element, struct,
                array ? collection(setter.getParameterTypes()[0]) : null,
                versions(field, "versions", versions(field, "taggedVersions", NEVER)),
                versions(field, "nullableVersions", NEVER), mustBeSet,
                field.path("ignorable").asBoolean());
        }

        private static Range versions(JsonNode node, String key, Range otherwise) {
            return node.has(key) ? Range.of(node.get(key).asText()) : otherwise;
        }

        private static Constructor<?> collection(Class<?> type) throws Exception {
            return (type == List.class ? ArrayList.class : type).getConstructor();
        }

        private static Method setter(Class<?> type, String name) {
            String wanted = "set" + name;
            return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equalsIgnoreCase(wanted)).findFirst()
                .orElseThrow(() -> new IllegalStateException(type + " has no " + wanted));
        }
    }

    /** How much of a message is filled. */
    private enum Style {
        DEFAULTS(0, 0), FULL(1000, 0), MIXED(750, 125), SPARSE(250, 125);

        final int setsPerMille;
        final int nullsPerMille;

        Style(int setsPerMille, int nullsPerMille) {
            this.setsPerMille = setsPerMille;
            this.nullsPerMille = nullsPerMille;
        }

        static Style ofRound(int round) {
            return round == 0 ? DEFAULTS : round == 1 ? FULL : round % 4 == 3 ? SPARSE : MIXED;
        }
    }

    /** Fills one message with values that its version can carry. */
    private static final class Filler {
        private static final int LEAVES_MOST = 600;
        private static final int STRING_BYTES_MOST = 0x7fff;
        private static final long[] EDGES = {
            0, 1, -1, 2, 63, 64, 127, 128, -128, 255, 256, 32767, -32768, 65535, 65536,
            Integer.MAX_VALUE, Integer.MIN_VALUE, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE,
        };
        private static final double[] EDGE_DOUBLES = {
            0.0, -0.0, 1.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
        };
        private static final int[] EDGE_TAGS = {
            63, 64, 127, 128, 255, 16383, 16384, 2097151, 2097152, Integer.MAX_VALUE - 1,
        };
        private static final int[] EDGE_SIZES = {1, 62, 63, 64, 125, 126, 127, 128, 129, 255, 300};
        private static final int[][] ALPHABETS = {
            {0x20, 0x7e}, {0x20, 0x7e}, {0x00, 0x7f}, {0x80, 0x7ff}, {0x800, 0xd7ff},
            {0xe000, 0xffff}, {0x10000, 0x10ffff},
        };
        private final SplittableRandom random;
        private final short version;
        private final Style style;
        private int leaves;

        Filler(SplittableRandom random, short version, Style style) {
            this.random = random;
            this.version = version;
            this.style = style;
        }

        Message fill(Layout layout) throws Exception {
            return (Message) struct(layout, 0, style);
        }

        private boolean chance(int perMille) {
            return random.nextInt(1000) < perMille;
        }

        private Object struct(Layout layout, int depth, Style filling) throws Exception {
            Object made = layout.constructor.newInstance();
            for (Field field : layout.fields) {
                set(made, field, depth, filling);
            }
            if (filling != Style.DEFAULTS && layout.flexible.holds(version) && chance(100)) {
                addUnknownTags(((Message) made).unknownTaggedFields(), layout.tags);
            }
            return made;
        }

        private void set(Object made, Field field, int depth, Style filling) throws Exception {
            boolean present = field.versions.holds(version);
            boolean nullable = field.nullable.holds(version);
            if (!present && !(field.ignorable && chance(filling.setsPerMille / 4))) {
                return;
            }
            if (nullable && chance(filling.nullsPerMille)) {
                field.setter.invoke(made, (Object) null);
            } else if (chance(filling.setsPerMille)) {
                field.setter.invoke(made, value(field, depth, filling));
            } else if (present && !nullable && field.mustBeSet) {
                field.setter.invoke(made, value(field, depth, Style.DEFAULTS));
            }
        }

        private Object value(Field field, int depth, Style filling) throws Exception {
            if (field.collection == null) {
                return element(field, depth, filling);
            }
            @SuppressWarnings("unchecked")
            Collection<Object> made = (Collection<Object>) field.collection.newInstance();
            int count = filling == Style.DEFAULTS ? 0 : count(depth, field.struct != null);
            for (int index = 0; index < count; index++) {
                made.add(element(field, depth, filling));
            }
            return made;
        }

        private Object element(Field field, int depth, Style filling) throws Exception {
            return field.struct != null
                ? struct(field.struct, depth + 1, filling) : leaf(field.element, field.setter);
        }

        private int count(int depth, boolean ofStructs) {
            if (leaves > LEAVES_MOST) {
                return 0;
            }
            if (chance(15)) {
                return ofStructs ? 10 + random.nextInt(10) : 120 + random.nextInt(20);
            }
            return random.nextInt(Math.max(2, 5 - depth));
        }

        private Object leaf(String type, Method setter) {
            leaves++;
            return switch (type) {
                case "bool" -> random.nextBoolean();
                case "int8" -> (byte) integer();
                case "int16" -> (short) integer();
                case "uint16" -> (int) (integer() & 0xffff);
                case "int32" -> (int) integer();
                case "uint32" -> integer() & 0xffffffffL;
                case "int64" -> integer();
                case "float64" -> real();
                case "string" -> string();
                case "uuid" -> uuid();
                case "bytes" -> setter.getParameterTypes()[0] == ByteBuffer.class
                    ? ByteBuffer.wrap(bytes()) : bytes();
                case "records" -> MemoryRecords.readableRecords(ByteBuffer.wrap(bytes()));
                default -> throw new IllegalStateException("a type without values: " + type);
            };
        }

        private long integer() {
            return chance(400) ? EDGES[random.nextInt(EDGES.length)]
                : random.nextLong() >> random.nextInt(64);
        }

        private double real() {
            double any = Double.longBitsToDouble(random.nextLong());
            return chance(300) || Double.isNaN(any)
                ? EDGE_DOUBLES[random.nextInt(EDGE_DOUBLES.length)] : any;
        }

        private Uuid uuid() {
            return chance(100) ? Uuid.ZERO_UUID : new Uuid(integer(), random.nextLong());
        }

        private int size() {
            if (chance(100)) {
                return chance(5) ? 16000 + random.nextInt(800) : chance(500) ? 0
                    : EDGE_SIZES[random.nextInt(EDGE_SIZES.length)];
            }
            return random.nextInt(12);
        }

        private byte[] bytes() {
            byte[] made = new byte[chance(1) ? 70000 : size()];
            random.nextBytes(made);
            return made;
        }

        private String string() {
            int[] alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
            int length = chance(1) ? STRING_BYTES_MOST : size();
            int widest = new String(Character.toChars(alphabet[1]))
                .getBytes(StandardCharsets.UTF_8).length;
            StringBuilder made = new StringBuilder();
            for (int index = 0; index < Math.min(length, STRING_BYTES_MOST / widest); index++) {
                made.appendCodePoint(random.nextInt(alphabet[0], alphabet[1] + 1));
            }
            return made.toString();
        }

        private void addUnknownTags(List<RawTaggedField> unknown, Set<Integer> known) {
            Set<Integer> tags = new TreeSet<>();
            for (int index = 1 + random.nextInt(3); index > 0; index--) {
                tags.add(chance(300) ? EDGE_TAGS[random.nextInt(EDGE_TAGS.length)]
                    : random.nextInt(20));
            }
            tags.removeAll(known);
            tags.forEach(tag -> unknown.add(new RawTaggedField(tag, bytes())));
        }
    }
}
