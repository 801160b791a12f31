import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Prints the settings of Java's clients, one a line: of which client, the name, and the default. */
public class ListClientSettings {
    public static void main(String[] arguments) {
        var clients = Map.of("producer", ProducerConfig.configDef(), "consumer", ConsumerConfig.configDef(),
            "admin", AdminClientConfig.configDef());
        clients.forEach((client, definitions) -> {
            for (var key : new TreeMap<>(definitions.configKeys()).values()) {
                boolean none = key.defaultValue == null || key.defaultValue == ConfigDef.NO_DEFAULT_VALUE;
                String text = none ? "" : ConfigDef.convertToString(key.defaultValue, key.type);
                System.out.println(String.join("\t", client, key.name, text));
            }
        });
    }
}
