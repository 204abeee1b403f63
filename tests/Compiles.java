import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * javac for one line of arguments after another, separated by tabs; answers with its errors in Base64.
 *
 * <p>Jars stay open, since to list those of a Flink takes longer than to compile a program.
 */
public class Compiles {
    public static void main(String[] none) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, StandardJavaFileManager> filesByClassPath = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> options = new ArrayList<>();
            List<String> sources = new ArrayList<>();
            for (String word : line.split("\t")) {
                (word.endsWith(".java") ? sources : options).add(word);
            }
            int at = options.indexOf("-cp");
            StandardJavaFileManager files =
                    filesByClassPath.computeIfAbsent(
                            at < 0 ? "" : options.get(at + 1),
                            classPath -> compiler.getStandardFileManager(null, null, null));
            StringWriter errors = new StringWriter();
            boolean compiles =
                    compiler.getTask(
                                    errors,
                                    files,
                                    null,
                                    options,
                                    null,
                                    files.getJavaFileObjectsFromStrings(sources))
                            .call();
            byte[] said = errors.toString().getBytes("UTF-8");
            answers.println((compiles ? 0 : 1) + " " + Base64.getEncoder().encodeToString(said));
        }
    }
}
