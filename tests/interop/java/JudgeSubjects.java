import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;

/**
 * The subjects of certificates as Java writes them, and what Kafka's rules make of them.
 *
 * <p>Arguments: a folder of certificates in DER, and a file with one rule a line. For every
 * certificate, by name, a line with its subject; for every rule and certificate one with the
 * principal, or `-` where no rule applies, or `!` where the rule is refused. All in base64.
 */
public final class JudgeSubjects {
    public static void main(String[] arguments) throws Exception {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        try (var files = Files.list(Path.of(arguments[0]))) {
            for (Path path : files.sorted().toList()) {
                var certificate = (X509Certificate) factory.generateCertificate(new FileInputStream(path.toFile()));
                String subject = certificate.getSubjectX500Principal().getName();
                print(subject);
                for (String rules : Files.readAllLines(Path.of(arguments[1]))) {
                    print(mapped(rules, subject));
                }
            }
        }
    }

    private static String mapped(String rules, String subject) {
        SslPrincipalMapper mapper;
        try {
            mapper = SslPrincipalMapper.fromRules(rules);
        } catch (RuntimeException refused) {
            return "!";
        }
        try {
            return mapper.getName(subject);
        } catch (java.io.IOException none) {
            return "-";
        }
    }

    private static void print(String text) throws Exception {
        System.out.println(Base64.getEncoder().encodeToString(text.getBytes("UTF-8")));
    }
}
