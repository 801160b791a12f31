import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.kafka.common.utils.Exit;

/**
 * Runs Kafka's own tools, as they are, one after the other in one virtual machine.
 *
 * <p>Each line of standard input is a call: class, standard input, arguments, every word in
 * Base64. Each answer is a line too: exit status, and what the tool printed, in Base64. A tool
 * leaves through Kafka's {@code Exit}, which lets us stay; what it wants done at the end of the
 * process is done when it has left.
 */
public final class RunTools {
    private static final List<Runnable> HOOKS = new ArrayList<>();
    private static final PrintStream SILENCE = new PrintStream(OutputStream.nullOutputStream());
    private static Integer status;

    /** Unwinds the tool that has left. */
    private static final class Left extends Error {
        Left() {
            super("the tool has left", null, false, false);
        }
    }

    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        Exit.setExitProcedure((code, message) -> leave(code));
        Exit.setHaltProcedure((code, message) -> leave(code));
        Exit.setShutdownHookAdder((name, hook) -> HOOKS.add(hook));
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in));
        for (String call = calls.readLine(); call != null; call = calls.readLine()) {
            String[] words = Arrays.stream(call.split(" ", -1)).map(RunTools::decoded)
                .toArray(String[]::new);
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            int code = run(words, printed);
            String text = Base64.getEncoder().encodeToString(printed.toByteArray());
            answers.println(code + " " + text);
            answers.flush();
        }
    }

    private static int run(String[] words, ByteArrayOutputStream printed) throws Exception {
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(stream);
        System.setErr(stream);
        System.setIn(new ByteArrayInputStream(words[1].getBytes(StandardCharsets.UTF_8)));
        status = null;
        HOOKS.clear();
        String[] arguments = Arrays.copyOfRange(words, 2, words.length);
        try {
            Class.forName(words[0]).getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
        } catch (InvocationTargetException left) {
            if (status == null) {
                left.getCause().printStackTrace(stream);
                status = 1;
            }
        }
        System.setOut(stream);
        HOOKS.forEach(Runnable::run);
        stream.flush();
        return status == null ? 0 : status;
    }

    private static void leave(int code) {
        if (status == null) {
            status = code;
            System.out.flush();
            System.setOut(SILENCE);
            System.setErr(SILENCE);
        }
        throw new Left();
    }

    private static String decoded(String word) {
        return new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
    }
}
