import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/**
 * Answers what Kafka's Java client makes of bytes. Each question on standard input is: verb ('c' or 'd'),
 * codec, magic, level (int32; MIN_VALUE for the default), length (int32), bytes. Each answer on standard
 * output is: 1 and the result, or 0 and the name of the error; with an int32 length before it.
 */
public class JudgeCompression {
    static final int DEFAULT_LEVEL = Integer.MIN_VALUE;
    static final int OUTPUT_BYTES_MAX = 64 << 20;

    public static void main(String[] arguments) throws Exception {
        DataInputStream questions = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
        while (true) {
            int verb = questions.read();
            if (verb < 0) {
                break;
            }
            byte id = questions.readByte();
            byte magic = questions.readByte();
            Compression codec = codec(id, questions.readInt());
            byte[] bytes = new byte[questions.readInt()];
            questions.readFully(bytes);
            byte[] result;
            boolean good = true;
            try {
                result = verb == 'c' ? compress(codec, magic, bytes) : decompress(codec, magic, bytes);
            } catch (Throwable error) {  // snappy-java throws an Error for some lengths
                good = false;
                result = error.toString().getBytes(StandardCharsets.UTF_8);
            }
            answers.writeByte(good ? 1 : 0);
            answers.writeInt(result.length);
            answers.write(result);
        }
        answers.flush();
    }

    static Compression codec(byte id, int level) {
        CompressionType type = CompressionType.forId(id);
        if (level == DEFAULT_LEVEL) {
            return Compression.of(type).build();
        }
        switch (type) {
            case GZIP:
                return Compression.gzip().level(level).build();
            case LZ4:
                return Compression.lz4().level(level).build();
            case ZSTD:
                return Compression.zstd().level(level).build();
            default:
                return Compression.of(type).build();
        }
    }

    static byte[] compress(Compression codec, byte magic, byte[] bytes) throws Exception {
        ByteBufferOutputStream output = new ByteBufferOutputStream(bytes.length + 64);
        try (OutputStream stream = codec.wrapForOutput(output, magic)) {
            stream.write(bytes);
        }
        ByteBuffer written = output.buffer();
        written.flip();
        byte[] result = new byte[written.remaining()];
        written.get(result);
        return result;
    }

    static byte[] decompress(Compression codec, byte magic, byte[] bytes) throws Exception {
        try (InputStream stream = codec.wrapForInput(ByteBuffer.wrap(bytes), magic, BufferSupplier.NO_CACHING)) {
            byte[] result = stream.readNBytes(OUTPUT_BYTES_MAX + 1);
            if (result.length > OUTPUT_BYTES_MAX) {
                throw new EOFException("more than the judge wants to hold");
            }
            return result;
        }
    }
}
