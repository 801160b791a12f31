import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.coordinator.share.PersisterStateBatchCombiner;
import org.apache.kafka.server.share.persister.PersisterStateBatch;

/** Combines stretches as Kafka's share coordinator does: a line in, a line out. */
public class JudgeStateBatches {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split(";", -1);
            long start = Long.parseLong(parts[0]);
            StringBuilder said = new StringBuilder();
            for (PersisterStateBatch one : new PersisterStateBatchCombiner(
                    read(parts[1]), read(parts[2]), start).combineStateBatches()) {
                said.append(one.firstOffset()).append(',').append(one.lastOffset()).append(',')
                    .append(one.deliveryState()).append(',').append(one.deliveryCount()).append(' ');
            }
            System.out.println(said.toString().trim());
        }
    }

    private static List<PersisterStateBatch> read(String text) {
        List<PersisterStateBatch> found = new ArrayList<>();
        for (String one : text.trim().split(" ")) {
            if (one.isEmpty()) {
                continue;
            }
            String[] n = one.split(",");
            found.add(new PersisterStateBatch(Long.parseLong(n[0]), Long.parseLong(n[1]),
                Byte.parseByte(n[2]), Short.parseShort(n[3])));
        }
        return found;
    }
}
