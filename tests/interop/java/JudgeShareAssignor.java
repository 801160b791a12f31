import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.SimpleAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/**
 * Lets Kafka's assignor of share groups assign. In, line by line, fields between tabs:
 *
 *   group SUBSCRIPTION_TYPE
 *   topic ID PARTITIONS                      (those that can be assigned, with commas; - for none)
 *   member ID TOPICS ASSIGNMENT              (lists with commas; `topic:1,2;topic:`; - for none)
 *   end
 *
 * Out, for each group: `MEMBER ASSIGNMENT` by member id, or `failed`; then `end`.
 */
public class JudgeShareAssignor {
    record Describer(Map<Uuid, Set<Integer>> assignable) implements SubscribedTopicDescriber {
        public int numPartitions(Uuid topicId) {
            int last = -1;
            for (int partition : assignable.getOrDefault(topicId, Set.of())) {
                last = Math.max(last, partition);
            }
            return last + 1;
        }

        public Set<String> racksForPartition(Uuid topicId, int partition) {
            return Set.of();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        SubscriptionType type = null;
        Map<Uuid, Set<Integer>> assignable = new HashMap<>();
        Map<String, MemberSubscriptionAndAssignmentImpl> members = new HashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t");
            switch (fields[0]) {
                case "group" -> type = SubscriptionType.valueOf(fields[1]);
                case "topic" -> assignable.put(Uuid.fromString(fields[1]), numbers(fields[2]));
                case "member" -> members.put(fields[1], new MemberSubscriptionAndAssignmentImpl(
                    Optional.empty(), Optional.empty(), topics(fields[2]),
                    new Assignment(assignment(fields[3]))));
                default -> {
                    answer(type, assignable, members);
                    assignable = new HashMap<>();
                    members = new HashMap<>();
                }
            }
        }
    }

    static void answer(SubscriptionType type, Map<Uuid, Set<Integer>> assignable,
            Map<String, MemberSubscriptionAndAssignmentImpl> members) {
        var spec = new GroupSpecImpl(members, type, Map.of(), Optional.of(assignable));
        try {
            Map<String, MemberAssignment> result =
                new SimpleAssignor().assign(spec, new Describer(assignable)).members();
            new TreeMap<>(result).forEach((memberId, given) ->
                System.out.println(memberId + "\t" + text(given.partitions())));
        } catch (NoSuchElementException failure) {
            System.out.println("failed");
        }
        System.out.println("end");
    }

    static Set<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        if (!text.equals("-") && !text.isEmpty()) {
            for (String one : text.split(",")) {
                numbers.add(Integer.valueOf(one));
            }
        }
        return new HashSet<>(numbers);
    }

    static Set<Uuid> topics(String text) {
        Set<Uuid> topics = new LinkedHashSet<>();
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
                assignment.put(
                    Uuid.fromString(entry.substring(0, 22)), numbers(entry.substring(23)));
            }
        }
        return assignment;
    }

    static String text(Map<Uuid, Set<Integer>> assignment) {
        List<String> entries = new ArrayList<>();
        assignment.forEach((topicId, partitions) -> {
            List<String> ones = new ArrayList<>();
            new TreeSet<>(partitions).forEach(partition -> ones.add(partition.toString()));
            entries.add(topicId + ":" + String.join(",", ones));
        });
        return entries.isEmpty() ? "-" : String.join(";", entries);
    }
}
