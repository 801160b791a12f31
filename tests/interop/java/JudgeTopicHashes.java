import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.coordinator.common.runtime.KRaftCoordinatorMetadataImage;
import org.apache.kafka.coordinator.group.Utils;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;

/** Arguments: `broker:RACK` for brokers 1, 2 and so on; `NAME:ID:REPLICAS/REPLICAS` for topics. */
public class JudgeTopicHashes {
    public static void main(String[] arguments) {
        var delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        List<String> names = new ArrayList<>();
        int brokers = 0;
        for (String argument : arguments) {
            String[] parts = argument.split(":", -1);
            if (parts[0].equals("broker")) {
                brokers++;
                delta.replay(new RegisterBrokerRecord().setBrokerId(brokers)
                    .setRack(parts[1].isEmpty() ? null : parts[1]));
                continue;
            }
            Uuid id = Uuid.fromString(parts[1]);
            names.add(parts[0]);
            delta.replay(new TopicRecord().setName(parts[0]).setTopicId(id));
            int index = 0;
            for (String replicas : parts[2].split("/")) {
                List<Integer> ids = new ArrayList<>();
                for (String one : replicas.split(",")) {
                    ids.add(Integer.valueOf(one));
                }
                delta.replay(new PartitionRecord().setTopicId(id).setPartitionId(index++)
                    .setReplicas(ids).setIsr(ids).setLeader(ids.get(0)));
            }
        }
        var image = new KRaftCoordinatorMetadataImage(delta.apply(MetadataProvenance.EMPTY));
        Map<String, Long> hashes = new HashMap<>();
        for (String name : names) {
            hashes.put(name, Utils.computeTopicHash(name, image));
            System.out.println(hashes.get(name));
        }
        System.out.println(Utils.computeGroupHash(hashes));
    }
}
