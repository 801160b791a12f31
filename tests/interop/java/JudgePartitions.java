import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** For each line of hexadecimal digits on its input, the partition of that key. */
public class JudgePartitions {
    public static void main(String[] arguments) throws Exception {
        int partitions = Integer.parseInt(arguments[0]);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answer = new StringBuilder();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            byte[] key = HexFormat.of().parseHex(line);
            answer.append(BuiltInPartitioner.partitionForKey(key, partitions)).append('\n');
        }
        System.out.print(answer);
    }
}
