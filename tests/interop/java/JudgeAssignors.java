import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/**
 * Lets Kafka's assignors assign. In, line by line, fields between tabs:
 *
 *   group ASSIGNOR SUBSCRIPTION_TYPE
 *   topic ID PARTITION_COUNT
 *   member ID INSTANCE TOPICS ASSIGNMENT     (lists with commas; `topic:1,2;topic:3`; - for none)
 *   end
 *
 * Out, for each group: `MEMBER ASSIGNMENT` by member id, then `end`.
 */
public class JudgeAssignors {
    record Describer(Map<Uuid, Integer> counts) implements SubscribedTopicDescriber {
        public int numPartitions(Uuid topicId) {
            return counts.getOrDefault(topicId, -1);
        }

        public Set<String> racksForPartition(Uuid topicId, int partition) {
            return Set.of();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        String[] head = null;
        Map<Uuid, Integer> counts = new HashMap<>();
        Map<String, String[]> members = new LinkedHashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t");
            switch (fields[0]) {
                case "group" -> head = fields;
                case "topic" -> counts.put(Uuid.fromString(fields[1]), Integer.valueOf(fields[2]));
                case "member" -> members.put(fields[1], fields);
                default -> {
                    answer(head, counts, members);
                    counts.clear();
                    members.clear();
                }
            }
        }
    }

    static void answer(String[] head, Map<Uuid, Integer> counts, Map<String, String[]> members) {
        Map<String, MemberSubscriptionAndAssignmentImpl> specs = new HashMap<>();
        Map<Uuid, Map<Integer, String>> inverted = new HashMap<>();
        members.forEach((memberId, fields) -> {
            Map<Uuid, Set<Integer>> owned = assignment(fields[4]);
            owned.forEach((topicId, partitions) -> partitions.forEach(partition ->
                inverted.computeIfAbsent(topicId, id -> new HashMap<>()).put(partition, memberId)));
            specs.put(memberId, new MemberSubscriptionAndAssignmentImpl(
                Optional.empty(),
                fields[2].equals("-") ? Optional.empty() : Optional.of(fields[2]),
                topics(fields[3]),
                new Assignment(owned)));
        });
        ConsumerGroupPartitionAssignor assignor =
            head[1].equals("range") ? new RangeAssignor() : new UniformAssignor();
        var spec = new GroupSpecImpl(specs, SubscriptionType.valueOf(head[2]), inverted);
        Map<String, MemberAssignment> result =
            assignor.assign(spec, new Describer(counts)).members();
        new TreeMap<>(result).forEach((memberId, given) ->
            System.out.println(memberId + "\t" + text(given.partitions())));
        System.out.println("end");
    }

    static Set<Uuid> topics(String text) {
        Set<Uuid> topics = new HashSet<>();
        if (!text.equals("-")) {
            for (String id : text.split(",")) {
                topics.add(Uuid.fromString(id));
            }
        }
        return topics;
    }

    static Map<Uuid, Set<Integer>> assignment(String text) {
        Map<Uuid, Set<Integer>> assignment = new HashMap<>();
        if (!text.equals("-")) {
            for (String entry : text.split(";")) {
                List<Integer> partitions = new ArrayList<>();
                for (String one : entry.substring(23).split(",")) {
                    partitions.add(Integer.valueOf(one));
                }
                assignment.put(Uuid.fromString(entry.substring(0, 22)), new HashSet<>(partitions));
            }
        }
        return assignment;
    }

    static String text(Map<Uuid, Set<Integer>> assignment) {
        List<String> entries = new ArrayList<>();
        assignment.forEach((topicId, partitions) -> {
            List<String> ones = new ArrayList<>();
            partitions.forEach(partition -> ones.add(partition.toString()));
            entries.add(topicId + ":" + String.join(",", ones));
        });
        return entries.isEmpty() ? "-" : String.join(";", entries);
    }
}
