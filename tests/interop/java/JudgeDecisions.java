import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/**
 * In: `SUPER_USERS TRUE_OR_FALSE`, then a rule that comes, a rule that goes, or a question in each line.
 *
 *     add ID TYPE NAME PATTERN PRINCIPAL HOST OPERATION PERMISSION
 *     remove ID
 *     ask KIND NAME_OF_PRINCIPAL HOST OPERATION TYPE NAME
 *     any KIND NAME_OF_PRINCIPAL HOST OPERATION TYPE
 *
 * Fields stand between tabs, and kinds are Kafka's numbers. Out: a 0 or 1 for each question.
 */
public class JudgeDecisions {
    record Caller(KafkaPrincipal principal, InetAddress clientAddress) implements AuthorizableRequestContext {
        public String listenerName() { return "CLIENTS"; }
        public SecurityProtocol securityProtocol() { return SecurityProtocol.SASL_SSL; }
        public int requestType() { return 0; }
        public int requestVersion() { return 0; }
        public String clientId() { return "judge"; }
        public int correlationId() { return 0; }
    }

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        var authorizer = new StandardAuthorizer();
        String[] settings = lines.readLine().split("\t", -1);
        authorizer.configure(Map.of(
            "node.id", "1", "super.users", settings[0], "allow.everyone.if.no.acl.found", settings[1]));
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), Map.of()));
        authorizer.completeInitialLoad();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] field = line.split("\t", -1);
            switch (field[0]) {
                case "add" -> authorizer.addAcl(Uuid.fromString(field[1]), new StandardAcl(
                    ResourceType.fromCode(code(field[2])), field[3], PatternType.fromCode(code(field[4])),
                    field[5], field[6], AclOperation.fromCode(code(field[7])),
                    AclPermissionType.fromCode(code(field[8]))));
                case "remove" -> authorizer.removeAcl(Uuid.fromString(field[1]));
                default -> System.out.println(isAllowed(authorizer, field) ? "1" : "0");
            }
        }
    }

    static boolean isAllowed(StandardAuthorizer authorizer, String[] field) throws Exception {
        var caller = new Caller(new KafkaPrincipal(field[1], field[2]), InetAddress.getByName(field[3]));
        AclOperation operation = AclOperation.fromCode(code(field[4]));
        ResourceType type = ResourceType.fromCode(code(field[5]));
        if (field[0].equals("any")) {
            return authorizer.authorizeByResourceType(caller, operation, type) == AuthorizationResult.ALLOWED;
        }
        var pattern = new ResourcePattern(type, field[6], PatternType.LITERAL);
        var action = new Action(operation, pattern, 1, false, false);
        return authorizer.authorize(caller, List.of(action)).get(0) == AuthorizationResult.ALLOWED;
    }

    static byte code(String text) {
        return Byte.parseByte(text);
    }
}
