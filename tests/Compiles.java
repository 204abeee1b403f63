import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Runs javac for one line of arguments after another, separated by tabs; answers each with its errors in Base64.
 *
 * <p>One file manager keeps all jars open: listing those of a Flink takes longer than compiling a program. It also
 * keeps the class path, so every line names one.
 */
public class Compiles {
    public static void main(String[] none) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> options = new ArrayList<>();
            List<String> sources = new ArrayList<>();
            for (String word : line.split("\t")) {
                (word.endsWith(".java") ? sources : options).add(word);
            }
            StringWriter errors = new StringWriter();
            boolean compiles =
                    compiler.getTask(errors, files, null, options, null, files.getJavaFileObjectsFromStrings(sources))
                            .call();
            byte[] bytes = errors.toString().getBytes("UTF-8");
            answers.println((compiles ? 0 : 1) + " " + Base64.getEncoder().encodeToString(bytes));
        }
    }
}
