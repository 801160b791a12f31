import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;

/** For each protocol of groups and each setting: what a consumer says to both, if it minds. */
public class RefusedBesideProtocol {
  private static final String BYTES = "org.apache.kafka.common.serialization.BytesDeserializer";

  public static void main(String[] arguments) {
    for (String protocol : List.of("classic", "consumer")) {
      for (String name : ConsumerConfig.configNames()) {
        String said = said(protocol, name);
        if (said.contains("group.protocol")) {
          System.out.println(protocol + "\t" + name + "\t" + said);
        }
      }
    }
  }

  private static String said(String protocol, String name) {
    Map<String, Object> given = new HashMap<>();
    given.put(name, value(ConsumerConfig.configDef().defaultValues().get(name)));
    given.put("bootstrap.servers", "localhost:9092");
    given.put("key.deserializer", BYTES);
    given.put("value.deserializer", BYTES);
    given.put("group.protocol", protocol);
    try {
      new ConsumerConfig(given);
      return "";
    } catch (RuntimeException error) {
      return String.valueOf(error.getMessage());
    }
  }

  private static Object value(Object byDefault) {
    boolean isGiven = byDefault != null && !byDefault.toString().isBlank();
    return isGiven ? byDefault : "uniform";
  }
}
