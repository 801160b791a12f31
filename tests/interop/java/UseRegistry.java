import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.avro.AvroSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import org.apache.flink.avro.shaded.org.apache.avro.Schema;
import org.apache.flink.avro.shaded.org.apache.avro.generic.GenericDatumReader;
import org.apache.flink.avro.shaded.org.apache.avro.generic.GenericDatumWriter;
import org.apache.flink.avro.shaded.org.apache.avro.generic.GenericRecord;
import org.apache.flink.avro.shaded.org.apache.avro.io.BinaryDecoder;
import org.apache.flink.avro.shaded.org.apache.avro.io.BinaryEncoder;
import org.apache.flink.avro.shaded.org.apache.avro.io.DecoderFactory;
import org.apache.flink.avro.shaded.org.apache.avro.io.EncoderFactory;
import org.apache.flink.formats.avro.registry.confluent.ConfluentSchemaRegistryCoder;

/**
 * What a program does with Confluent's client for Java, as Apache Flink brings it along: it looks at
 * what is registered, reads a value that another client has written, writes it again, and lets a
 * subject go. Each line of the output is one answer.
 */
public class UseRegistry {
    public static void main(String[] given) throws Exception {
        CachedSchemaRegistryClient client = new CachedSchemaRegistryClient(given[0], 100);
        String subject = given[1];
        ConfluentSchemaRegistryCoder coder = new ConfluentSchemaRegistryCoder(subject, client);

        ByteArrayInputStream in = new ByteArrayInputStream(HexFormat.of().parseHex(given[2]));
        Schema schema = coder.readSchema(in);
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(in, null);
        GenericRecord value = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
        say("read", value);

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        coder.writeSchema(schema, out);
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(value, encoder);
        encoder.flush();
        say("written", HexFormat.of().formatHex(out.toByteArray()));

        AvroSchema first = new AvroSchema(schema);
        AvroSchema wider = new AvroSchema(given[3]);
        AvroSchema other = new AvroSchema(given[4]);
        say("id", client.getId(subject, first));
        say("fits", client.testCompatibility(subject, wider));
        say("clashes", client.testCompatibility(subject, other));
        say("reasons", !client.testCompatibilityVerbose(subject, other).isEmpty());
        try {
            client.register(subject, other);
        } catch (RestClientException refusal) {
            say("refused", refusal.getStatus());
        }
        client.register(subject, wider);
        say("versions", client.getAllVersions(subject));
        say("latest", client.getLatestSchemaMetadata(subject).getVersion());
        say("subjects", client.getAllSubjectsById(client.getId(subject, first)));
        say("level", client.updateCompatibility(subject, "FULL"));
        say("level", client.getCompatibility(subject));
        say("mode", client.getMode());
        say("deleted", client.deleteSubject(subject));
        say("gone", client.deleteSubject(subject, true));
        try {
            client.getLatestSchemaMetadata(subject);
        } catch (RestClientException refusal) {
            say("code", refusal.getErrorCode());
        }
    }

    private static void say(String what, Object answer) {
        System.out.println(what + " " + answer);
    }
}
