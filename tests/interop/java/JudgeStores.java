import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;

/**
 * Reads lines, and answers each that makes or opens a store with what Java finds in it: the subject of
 * the RSA key and of the EC key that it shows, and the subjects that it trusts; or `refused`.
 *
 *     key KIND KEY CERTIFICATE            held for the next stores; both in Base64
 *     make TYPE PATH PASSWORD ALIAS...    a store of the held keys, as many as there are aliases
 *     open TYPE PATH PASSWORD
 */
public class JudgeStores {
    private record Held(PrivateKey key, Certificate certificate) {}

    private static final List<Held> HELD = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "key" -> HELD.add(held(words[1], decoded(words[2]), decoded(words[3])));
                case "make" -> {
                    make(words);
                    System.out.println(found(words[1], Path.of(words[2]), words[3].toCharArray()));
                }
                default -> System.out.println(found(words[1], Path.of(words[2]), words[3].toCharArray()));
            }
        }
    }

    private static Held held(String kind, byte[] key, byte[] certificate) throws Exception {
        return new Held(
            KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(key)),
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate)));
    }

    private static void make(String[] words) throws Exception {
        var store = KeyStore.getInstance(words[1]);
        char[] password = words[3].toCharArray();
        store.load(null, password);
        for (int index = 4; index < words.length; index++) {
            Held held = HELD.get(index - 4);
            store.setKeyEntry(words[index], held.key(), password, new Certificate[] {held.certificate()});
        }
        try (var file = Files.newOutputStream(Path.of(words[2]))) {
            store.store(file, password);
        }
    }

    private static String found(String type, Path path, char[] password) {
        try (InputStream file = Files.newInputStream(path)) {
            var store = KeyStore.getInstance(type);
            store.load(file, password);
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            var shown = (X509KeyManager) keys.getKeyManagers()[0];
            return "RSA " + chosen(shown, "RSA") + " EC " + chosen(shown, "EC") + " trusts " + trusted(store);
        } catch (Exception refused) {
            return "refused";
        }
    }

    private static String chosen(X509KeyManager keys, String kind) {
        String alias = keys.chooseServerAlias(kind, null, null);
        return alias == null ? "-" : keys.getCertificateChain(alias)[0].getSubjectX500Principal().getName();
    }

    private static String trusted(KeyStore store) throws Exception {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        X509Certificate[] issuers = ((X509TrustManager) trust.getTrustManagers()[0]).getAcceptedIssuers();
        return Arrays.stream(issuers)
            .map(issuer -> issuer.getSubjectX500Principal().getName())
            .sorted().collect(Collectors.joining(" "));
    }

    private static byte[] decoded(String text) {
        return Base64.getDecoder().decode(text);
    }
}
