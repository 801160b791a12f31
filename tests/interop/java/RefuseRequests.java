import java.io.BufferedReader;
import java.io.FileReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/**
 * Reads lines "key version error body", the body in hex, and prints for each the body of the
 * response with which Kafka's own request class refuses it; "-" where it gives none.
 */
public class RefuseRequests {
    public static void main(String[] arguments) throws Exception {
        try (BufferedReader lines = new BufferedReader(new FileReader(arguments[0]))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                System.out.println(refuse(words));
            }
        }
    }

    private static String refuse(String[] words) {
        ApiKeys key = ApiKeys.forId(Integer.parseInt(words[0]));
        short version = Short.parseShort(words[1]);
        Errors error = Errors.forCode(Short.parseShort(words[2]));
        ByteBuffer body = ByteBuffer.wrap(HexFormat.of().parseHex(words[3]));
        try {
            AbstractRequest request =
                AbstractRequest.parseRequest(key, version, new ByteBufferAccessor(body)).request;
            AbstractResponse response = request.getErrorResponse(0, error.exception());
            if (response == null) {
                return "-";
            }
            ByteBuffer written =
                MessageUtil.toByteBufferAccessor(response.data(), version).buffer();
            byte[] bytes = new byte[written.remaining()];
            written.get(bytes);
            return HexFormat.of().formatHex(bytes);
        } catch (RuntimeException refusal) {
            return "! " + refusal.getClass().getSimpleName();
        }
    }
}
