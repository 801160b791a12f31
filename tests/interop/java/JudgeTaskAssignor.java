import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.coordinator.group.streams.assignor.AssignmentMemberSpec;
import org.apache.kafka.coordinator.group.streams.assignor.GroupSpecImpl;
import org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor;
import org.apache.kafka.coordinator.group.streams.assignor.TopologyDescriber;

/**
 * Lets Kafka's assignor of Streams tasks assign. In, fields between tabs:
 *
 *   group STANDBY_COUNT
 *   subtopology ID TASK_COUNT IS_STATEFUL
 *   member ID PROCESS ACTIVE STANDBY         (`subtopology:1,2;…`, - for none)
 *   end
 *
 * Out, for each group: `MEMBER ACTIVE STANDBY` by member id, then `end`.
 */
public class JudgeTaskAssignor {
    record Topology(Map<String, String[]> parts) implements TopologyDescriber {
        public List<String> subtopologies() {
            return parts.keySet().stream().toList();
        }

        public int maxNumInputPartitions(String id) {
            return Integer.parseInt(parts.get(id)[2]);
        }

        public boolean isStateful(String id) {
            return parts.get(id)[3].equals("true");
        }
    }

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        String standbys = "0";
        Map<String, String[]> parts = new TreeMap<>();
        Map<String, String[]> members = new LinkedHashMap<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t");
            switch (fields[0]) {
                case "group" -> standbys = fields[1];
                case "subtopology" -> parts.put(fields[1], fields);
                case "member" -> members.put(fields[1], fields);
                default -> {
                    answer(standbys, parts, members);
                    parts.clear();
                    members.clear();
                }
            }
        }
    }

    static void answer(
        String standbys, Map<String, String[]> parts, Map<String, String[]> members
    ) {
        Map<String, AssignmentMemberSpec> specs = new HashMap<>();
        members.forEach((memberId, fields) -> specs.put(memberId, new AssignmentMemberSpec(
            Optional.empty(), Optional.empty(), tasks(fields[3]), tasks(fields[4]), Map.of(),
            fields[2], Map.of(), Map.of(), Map.of())));
        var result = new StickyTaskAssignor().assign(
            new GroupSpecImpl(specs, Map.of("num.standby.replicas", standbys)),
            new Topology(new TreeMap<>(parts)));
        new TreeMap<>(result.members()).forEach((memberId, given) -> System.out.println(
            memberId + "\t" + text(given.activeTasks()) + "\t" + text(given.standbyTasks())));
        System.out.println("end");
    }

    static Map<String, Set<Integer>> tasks(String text) {
        Map<String, Set<Integer>> tasks = new HashMap<>();
        if (!text.equals("-")) {
            for (String entry : text.split(";")) {
                String[] parts = entry.split(":");
                Set<Integer> partitions = new HashSet<>();
                for (String one : parts[1].split(",")) {
                    partitions.add(Integer.valueOf(one));
                }
                tasks.put(parts[0], partitions);
            }
        }
        return tasks;
    }

    static String text(Map<String, Set<Integer>> tasks) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(tasks).forEach((id, partitions) -> {
            text.append(text.length() == 0 ? "" : ";").append(id).append(":");
            text.append(String.join(",",
                new TreeSet<>(partitions).stream().map(String::valueOf).toList()));
        });
        return text.length() == 0 ? "-" : text.toString();
    }
}
