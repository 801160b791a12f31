import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.BufferedReader;
import java.io.InputStreamReader;

/** In: lines of `PATTERN TAB NAME,NAME...`. Out: a 0 or 1 for each name, or `bad`. */
public class JudgePatterns {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            try {
                Pattern pattern = Pattern.compile(fields[0]);
                StringBuilder answer = new StringBuilder();
                for (String name : fields[1].split(",", -1)) {
                    answer.append(pattern.matcher(name).matches() ? '1' : '0');
                }
                System.out.println(answer);
            } catch (PatternSyntaxException error) {
                System.out.println("bad");
            }
        }
    }
}
