import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.kerberos.KerberosName;
import org.apache.kafka.common.security.kerberos.KerberosShortNamer;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;

/**
 * Reads questions, a line each: what is asked, and texts in Base64. Answers with a line each: texts
 * in Base64, or `refused`.
 *
 *     ssl RULES SUBJECT...            the name of each subject
 *     kerberos REALM PRINCIPAL RULE...
 *     jaas TEXT                       the class, then names and values of options, by name
 */
public class JudgeNames {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        var answers = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            List<String> given = Arrays.stream(words).skip(1).map(JudgeNames::decoded).toList();
            answers.append(answer(words[0], given)).append('\n');
        }
        System.out.print(answers);
    }

    private static String answer(String asked, List<String> given) {
        try {
            return switch (asked) {
                case "ssl" -> encoded(SslPrincipalMapper.fromRules(given.get(0)).getName(given.get(1)));
                case "kerberos" -> encoded(
                    KerberosShortNamer.fromUnparsedRules(given.get(0), given.subList(2, given.size()))
                        .shortName(KerberosName.parse(given.get(1))));
                default -> login(given.get(0));
            };
        } catch (Exception refused) {
            return "refused";
        }
    }

    private static String login(String text) {
        var settings = Map.of("sasl.jaas.config", new Password(text));
        var entry = JaasContext.loadClientContext(settings).configurationEntries().get(0);
        var words = new StringBuilder(encoded(entry.getLoginModuleName()));
        new TreeMap<String, Object>(entry.getOptions()).forEach((name, value) ->
            words.append(' ').append(encoded(name)).append(' ').append(encoded((String) value)));
        return words.toString();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
