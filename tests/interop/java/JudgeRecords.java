import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * Answers what Kafka's own classes make of record batches. A question on standard input is a verb and its
 * details: 'w' writes a batch from a recipe, 'm' a transaction marker, 'r' reads batches, 'v' validates one
 * as a broker does. An answer on standard output is 1 and the result, or 0 and the name of the error, each
 * with an int32 length before it. Byte strings have an int32 length, -1 for null.
 */
public class JudgeRecords {
    public static void main(String[] arguments) throws Exception {
        DataInputStream questions = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
        for (int verb = questions.read(); verb >= 0; verb = questions.read()) {
            byte[] question = bytes(questions);
            boolean good = true;
            byte[] result;
            try {
                result = answer(verb, new DataInputStream(new java.io.ByteArrayInputStream(question)));
            } catch (Throwable error) {
                good = false;
                result = describe(error).getBytes(StandardCharsets.UTF_8);
            }
            answers.writeByte(good ? 1 : 0);
            put(answers, result);
        }
        answers.flush();
    }

    static byte[] answer(int verb, DataInputStream question) throws IOException {
        switch (verb) {
            case 'w': return write(question);
            case 'm': return marker(question);
            case 'r': return read(question);
            default: return validate(question);
        }
    }

    static String describe(Throwable error) {
        String name = error.getClass().getSimpleName();
        if (error instanceof RecordValidationException) {
            RecordValidationException refusal = (RecordValidationException) error;
            name += ":" + refusal.invalidException().getClass().getSimpleName() + ":" + refusal.recordErrors()
                .stream().map(one -> String.valueOf(one.batchIndex)).collect(Collectors.joining(","));
        }
        return name;
    }

    static MemoryRecordsBuilder builder(DataInputStream in, boolean control) throws IOException {
        byte magic = in.readByte();
        CompressionType codec = CompressionType.forId(in.readByte());
        TimestampType type = in.readByte() == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
        return new MemoryRecordsBuilder(new ByteBufferOutputStream(512), magic, Compression.of(codec).build(),
            type, in.readLong(), in.readLong(), in.readLong(), in.readShort(), in.readInt(), in.readBoolean(),
            control, in.readInt(), Integer.MAX_VALUE);
    }

    static byte[] write(DataInputStream in) throws IOException {
        MemoryRecordsBuilder builder = builder(in, false);
        for (int left = in.readInt(); left > 0; left--) {
            long offset = in.readLong();
            long timestamp = in.readLong();
            byte[] key = bytes(in);
            byte[] value = bytes(in);
            Header[] headers = new Header[in.readInt()];
            for (int i = 0; i < headers.length; i++) {
                headers[i] = new RecordHeader(new String(bytes(in), StandardCharsets.UTF_8), bytes(in));
            }
            builder.appendWithOffset(offset, timestamp, key, value, headers);
        }
        return bytes(builder.build().buffer());
    }

    static byte[] marker(DataInputStream in) throws IOException {
        MemoryRecordsBuilder builder = builder(in, true);
        long timestamp = in.readLong();
        ControlRecordType type = in.readBoolean() ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        builder.appendEndTxnMarker(timestamp, new EndTransactionMarker(type, in.readInt()));
        return bytes(builder.build().buffer());
    }

    static byte[] read(DataInputStream in) throws IOException {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(result);
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(bytes(in))).batches()) {
            ByteArrayOutputStream records = new ByteArrayOutputStream();
            int count = 0;
            for (Record record : batch) {
                put(new DataOutputStream(records), record);
                count++;
            }
            put(out, batch);
            out.writeInt(count);
            out.write(records.toByteArray());
        }
        return result.toByteArray();
    }

    static void put(DataOutputStream out, MutableRecordBatch batch) throws IOException {
        boolean isModern = batch.magic() > 1;
        out.writeLong(batch.baseOffset());
        out.writeLong(batch.lastOffset());
        out.writeInt(batch.partitionLeaderEpoch());
        out.writeLong(batch.maxTimestamp());
        out.writeLong(batch.producerId());
        out.writeShort(batch.producerEpoch());
        out.writeInt(batch.baseSequence());
        out.writeBoolean(batch.isTransactional());
        out.writeBoolean(isModern && batch.isControlBatch());
        out.writeBoolean(batch.isValid());
        out.writeByte(batch.timestampType().id);
        out.writeLong(isModern ? batch.deleteHorizonMs().orElse(-1) : -1);
    }

    static void put(DataOutputStream out, Record record) throws IOException {
        out.writeLong(record.offset());
        out.writeLong(record.timestamp());
        out.writeInt(record.sequence());
        put(out, record.key() == null ? null : bytes(record.key()));
        put(out, record.value() == null ? null : bytes(record.value()));
        out.writeInt(record.headers().length);
        for (Header header : record.headers()) {
            put(out, header.key().getBytes(StandardCharsets.UTF_8));
            put(out, header.value());
        }
    }

    static byte[] validate(DataInputStream in) throws IOException {
        long now = in.readLong();
        PrimitiveRef.LongRef offset = PrimitiveRef.ofLong(in.readLong());
        int leaderEpoch = in.readInt();
        boolean compacted = in.readBoolean();
        int target = in.readByte();
        TimestampType type = in.readByte() == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
        long beforeMax = in.readLong();
        long afterMax = in.readLong();
        MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes(in)));
        CompressionType source = records.batches().iterator().next().compressionType();
        Compression codec = Compression.of(target < 0 ? source : CompressionType.forId(target)).build();
        LogValidator.ValidationResult result = new LogValidator(records, new TopicPartition("t", 0), at(now),
            source, codec, compacted, (byte) 2, type, beforeMax, afterMax, leaderEpoch, AppendOrigin.CLIENT)
            .validateMessagesAndAssignOffsets(offset, metrics(), BufferSupplier.NO_CACHING);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(answer);
        out.writeLong(type == TimestampType.LOG_APPEND_TIME ? result.logAppendTimeMs() : -1);
        out.writeLong(result.maxTimestampMs());
        out.write(bytes(result.validatedRecords().buffer()));
        return answer.toByteArray();
    }

    static Time at(long now) {
        return (Time) Proxy.newProxyInstance(Time.class.getClassLoader(), new Class<?>[] {Time.class},
            (proxy, method, details) -> {
                if (method.getReturnType() != long.class) {
                    throw new UnsupportedOperationException(method.getName());
                }
                return now;
            });
    }

    static LogValidator.MetricsRecorder metrics() {
        Class<?> recorder = LogValidator.MetricsRecorder.class;
        return (LogValidator.MetricsRecorder) Proxy.newProxyInstance(recorder.getClassLoader(),
            new Class<?>[] {recorder}, (proxy, method, details) -> null);
    }

    static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = length < 0 ? null : new byte[length];
        if (bytes != null) {
            in.readFully(bytes);
        }
        return bytes;
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    static void put(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }
}
