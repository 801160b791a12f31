import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.controller.PartitionChangeBuilder;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Lets Kafka work out changes of partitions. In, one change a line, fields between tabs, lists with
 * commas, - for what is not wished and . for an empty list:
 *
 *   replicas isr removing adding elr lastKnownElr leader recoveryState
 *   wished: isr replicas removing adding election recoveryState uncleanShutdown
 *   minIsr elrEnabled alive
 *
 * Out, for each: isr leader replicas removing adding recoveryState elr lastKnownElr directories,
 * with - for what the record does not name; or nothing, if there is no record.
 */
public class JudgePartitionChanges {
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            System.out.println(change(line.split("\t")));
        }
    }

    static String change(String[] field) {
        List<Integer> alive = list(field[17]);
        List<Integer> replicas = list(field[0]);
        PartitionRegistration partition = new PartitionRegistration.Builder()
            .setReplicas(array(field[0]))
            .setDirectories(replicas.stream().map(JudgePartitionChanges::directory).toArray(Uuid[]::new))
            .setIsr(array(field[1]))
            .setRemovingReplicas(array(field[2]))
            .setAddingReplicas(array(field[3]))
            .setElr(array(field[4]))
            .setLastKnownElr(array(field[5]))
            .setLeader(Integer.parseInt(field[6]))
            .setLeaderRecoveryState(LeaderRecoveryState.of((byte) Integer.parseInt(field[7])))
            .setLeaderEpoch(5)
            .setPartitionEpoch(7)
            .build();
        PartitionChangeBuilder builder = new PartitionChangeBuilder(
            partition, new Uuid(1, 2), 0, alive::contains, MetadataVersion.latestProduction(),
            Integer.parseInt(field[15]), Boolean.parseBoolean(field[16]));
        builder.setDefaultDirProvider(JudgePartitionChanges::directory);
        if (!field[8].equals("-")) builder.setTargetIsr(list(field[8]));
        if (!field[9].equals("-")) builder.setTargetReplicas(list(field[9]));
        if (!field[10].equals("-")) builder.setTargetRemoving(list(field[10]));
        if (!field[11].equals("-")) builder.setTargetAdding(list(field[11]));
        builder.setElection(PartitionChangeBuilder.Election.valueOf(field[12]));
        if (!field[13].equals("-")) {
            byte state = (byte) Integer.parseInt(field[13]);
            builder.setTargetLeaderRecoveryState(LeaderRecoveryState.of(state));
        }
        if (!field[14].equals("-")) builder.setUncleanShutdownReplicas(list(field[14]));
        return builder.build().map(found -> show((PartitionChangeRecord) found.message())).orElse("");
    }

    static String show(PartitionChangeRecord record) {
        List<Integer> directories = record.directories() == null ? null : record.directories().stream()
            .map(id -> (int) id.getLeastSignificantBits()).collect(Collectors.toList());
        return String.join("\t", show(record.isr()), "" + record.leader(), show(record.replicas()),
            show(record.removingReplicas()), show(record.addingReplicas()),
            "" + record.leaderRecoveryState(), show(record.eligibleLeaderReplicas()),
            show(record.lastKnownElr()), show(directories));
    }

    static String show(List<Integer> values) {
        if (values == null) return "-";
        if (values.isEmpty()) return ".";
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static Uuid directory(int broker) {
        return new Uuid(0, 1000 + broker);
    }

    static List<Integer> list(String text) {
        List<Integer> values = new ArrayList<>();
        if (!text.equals(".") && !text.equals("-")) {
            for (String part : text.split(",")) values.add(Integer.parseInt(part));
        }
        return values;
    }

    static int[] array(String text) {
        return list(text).stream().mapToInt(Integer::intValue).toArray();
    }
}
