import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;

/** Prints Kafka's settings, one a line: what they are set on, and all that their definitions say. */
public class ListSettings {
    public static void main(String[] arguments) throws Exception {
        print("broker", (ConfigDef) field("org.apache.kafka.server.config.AbstractKafkaConfig", "CONFIG_DEF"));
        print("group", (ConfigDef) field("org.apache.kafka.coordinator.group.GroupConfig", "CONFIG_DEF"));
        print("client-metrics", (ConfigDef) field("org.apache.kafka.server.metrics.ClientMetricsConfigs", "CONFIG"));
        var topics = Class.forName("org.apache.kafka.storage.internals.log.LogConfig");
        print("topic", (ConfigDef) topics.getDeclaredMethod("configDefCopy").invoke(null));
        printScopes();
        printSynonyms();
    }

    static void print(String owner, ConfigDef definitions) {
        for (var key : new TreeMap<>(definitions.configKeys()).values()) {
            boolean none = key.defaultValue == null || key.defaultValue == ConfigDef.NO_DEFAULT_VALUE;
            String text = none ? "" : ConfigDef.convertToString(key.defaultValue, key.type);
            line("key", owner, key.name, key.type.name(), none ? "none" : "some", text,
                key.importance.name(), String.valueOf(key.internalConfig));
        }
    }

    @SuppressWarnings("unchecked")
    static void printScopes() throws Exception {
        var dynamic = Class.forName("org.apache.kafka.server.config.DynamicBrokerConfig");
        var scopes = (Map<String, String>) dynamic.getMethod("dynamicConfigUpdateModes").invoke(null);
        scopes.forEach((name, scope) -> line("scope", name, scope));
    }

    @SuppressWarnings("unchecked")
    static void printSynonyms() throws Exception {
        var names = (Map<String, List<?>>) field(
            "org.apache.kafka.server.config.ServerTopicConfigSynonyms", "ALL_TOPIC_CONFIG_SYNONYMS");
        for (var entry : names.entrySet()) {
            Object first = entry.getValue().get(0);
            line("synonym", entry.getKey(), (String) first.getClass().getMethod("name").invoke(first));
        }
    }

    static Object field(String type, String name) throws Exception {
        var field = Class.forName(type).getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    static void line(String... parts) {
        System.out.println(String.join("\t", parts));
    }
}
