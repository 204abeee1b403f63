import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parses command lines of "flink run" as CliFrontend does: a line of the file has the words after
 * "flink run" with tabs between. Prints for each line what the parser hands on, tabs between: jar,
 * class, parallelism, savepoint, whether state may be left, class path, dynamic properties, YARN's
 * options, then the program's arguments; or after an exclamation mark the exception's message.
 *
 * FlinkYarnSessionCli needs Hadoop's classes, which these jars lack: its options are added here by
 * hand, as Flink's documentation lists them.
 */
public class AskFlinkRun {
    static final String[][] YARN = {
        {"yid", "yarnapplicationId", "1"}, {"yqu", "yarnqueue", "1"}, {"yt", "yarnship", "1"},
        {"yj", "yarnjar", "1"}, {"yjm", "yarnjobManagerMemory", "1"}, {"ytm", "yarntaskManagerMemory", "1"},
        {"ys", "yarnslots", "1"}, {"ynm", "yarnname", "1"}, {"yat", "yarnapplicationType", "1"},
        {"yz", "yarnzookeeperNamespace", "1"}, {"ynl", "yarnnodeLabel", "1"}, {"yq", "yarnquery", ""},
        {"yh", "yarnhelp", ""}, {"yd", "yarndetached", ""},
    };

    static Class<?> options, option, line;

    public static void main(String[] args) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (File jar : new File(args[0]).listFiles()) urls.add(jar.toURI().toURL());
        ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]));
        Class<?> parser = loader.loadClass("org.apache.flink.client.cli.CliFrontendParser");
        options = loader.loadClass("org.apache.commons.cli.Options");
        option = loader.loadClass("org.apache.commons.cli.Option");
        line = loader.loadClass("org.apache.commons.cli.CommandLine");
        boolean old = args[1].equals("1.9");
        java.io.PrintStream out = System.out;
        System.setOut(System.err);
        Method parse = parser.getMethod("parse", options, String[].class, boolean.class);
        for (String text : Files.readAllLines(new File(args[2]).toPath())) {
            String[] words = text.isEmpty() ? new String[0] : text.split("\t", -1);
            String answer;
            try {
                Object known = parser.getMethod("getRunCommandOptions").invoke(null);
                Object all = parser.getMethod("mergeOptions", options, options).invoke(null, known, custom(loader, old));
                answer = spell(loader, parse.invoke(null, all, words, true), old);
            } catch (InvocationTargetException e) {
                answer = "!" + e.getCause().getMessage();
            }
            out.println(answer.replace("\n", "\\n"));
        }
    }

    /** The options of GenericCLI (ExecutorCLI in 1.10), FlinkYarnSessionCli and DefaultCLI. */
    static Object custom(ClassLoader loader, boolean old) throws Exception {
        Object all = options.getConstructor().newInstance();
        Class<?> configuration = loader.loadClass("org.apache.flink.configuration.Configuration");
        Object empty = configuration.getConstructor().newInstance();
        for (String name : new String[] {"GenericCLI", "ExecutorCLI", "DefaultCLI"}) {
            Class<?> type;
            try {
                type = loader.loadClass("org.apache.flink.client.cli." + name);
            } catch (ClassNotFoundException absent) {
                continue;
            }
            Constructor<?> constructor = type.getConstructors()[0];
            Object[] given = new Object[constructor.getParameterCount()];
            for (int i = 0; i < given.length; i++)
                given[i] = constructor.getParameterTypes()[i] == configuration ? empty : "/";
            Object line = constructor.newInstance(given);
            type.getMethod("addGeneralOptions", options).invoke(line, all);
            type.getMethod("addRunOptions", options).invoke(line, all);
        }
        for (String[] one : YARN) add(all, make(one[0], one[1], !one[2].isEmpty()));
        if (old) add(all, make("yn", "yarncontainer", true));
        Object dynamic = make("yD", null, true);
        option.getMethod("setArgs", int.class).invoke(dynamic, 2);
        option.getMethod("setValueSeparator", char.class).invoke(dynamic, '=');
        add(all, dynamic);
        return all;
    }

    static Object make(String key, String name, boolean value) throws Exception {
        return option.getConstructor(String.class, String.class, boolean.class, String.class).newInstance(key, name, value, "");
    }

    static void add(Object all, Object one) throws Exception {
        options.getMethod("addOption", option).invoke(all, one);
    }

    static String spell(ClassLoader loader, Object parsed, boolean old) throws Exception {
        Class<?> type = loader.loadClass("org.apache.flink.client.cli." + (old ? "RunOptions" : "ProgramOptions"));
        Object run;
        boolean python = false;
        for (String name : new String[] {"py", "pym"}) python |= (Boolean) line.getMethod("hasOption", String.class).invoke(parsed, name);
        if (old) {
            run = type.getConstructor(line).newInstance(parsed);
        } else {
            // ProgramOptions.create loads flink-python for a script: the constructor reads the rest.
            Constructor<?> constructor = type.getDeclaredConstructor(line);
            constructor.setAccessible(true);
            run = constructor.newInstance(parsed);
        }
        Object savepoint = type.getMethod("getSavepointRestoreSettings").invoke(run);
        List<String> parts = new ArrayList<>();
        parts.add(python ? "python" : String.valueOf(type.getMethod("getJarFilePath").invoke(run)));
        parts.add(String.valueOf(type.getMethod("getEntryPointClassName").invoke(run)));
        parts.add(String.valueOf(type.getMethod("getParallelism").invoke(run)));
        parts.add(String.valueOf(savepoint.getClass().getMethod("getRestorePath").invoke(savepoint)));
        parts.add(String.valueOf(savepoint.getClass().getMethod("allowNonRestoredState").invoke(savepoint)));
        parts.add(String.valueOf(type.getMethod("getClasspaths").invoke(run)));
        parts.add(properties(parsed, "D") + properties(parsed, "yD"));
        StringBuilder yarn = new StringBuilder();
        for (String key : new String[] {"m", "yjm", "ytm", "ys", "yn", "py", "pym"}) {
            Object value = line.getMethod("getOptionValue", String.class).invoke(parsed, key);
            if (value != null) yarn.append(key).append('=').append(value).append(' ');
        }
        parts.add(yarn.toString().trim());
        parts.add(String.join("\u0001", (String[]) type.getMethod("getProgramArgs").invoke(run)));
        return String.join("\t", parts);
    }

    static String properties(Object parsed, String key) throws Exception {
        return new java.util.TreeMap<>((java.util.Properties) line.getMethod("getOptionProperties", String.class).invoke(parsed, key)).toString();
    }
}
