import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RefreshRetriableException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/** Prints Kafka's error codes, one a line: code, name, and what a client may do about it. */
public class ListErrors {
    public static void main(String[] arguments) {
        for (Errors error : Errors.values()) {
            System.out.println(error.code() + " " + error.name() + " " + remedy(error.exception()));
        }
    }

    static String remedy(ApiException exception) {
        if (exception instanceof InvalidMetadataException) {
            return "REFRESH";
        }
        if (exception instanceof RefreshRetriableException) {
            return "REFIND";
        }
        return exception instanceof RetriableException ? "RETRY" : "GIVE_UP";
    }
}
