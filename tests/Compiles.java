import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Base64;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** javac for one line of arguments after another, separated by tabs; answers with its errors in Base64. */
public class Compiles {
    public static void main(String[] none) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            int code = compiler.run(null, said, said, line.split("\t"));
            answers.println(code + " " + Base64.getEncoder().encodeToString(said.toByteArray()));
        }
    }
}
