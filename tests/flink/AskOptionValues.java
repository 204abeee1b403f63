import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads texts as options of each type, as Configuration.get does. A line of the file: type, tab,
 * text. Prints for each line the value, or after an exclamation mark the messages of the exception
 * and of its causes with tabs between.
 */
public class AskOptionValues {
    public static void main(String[] args) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (File jar : new File(args[0]).listFiles()) urls.add(jar.toURI().toURL());
        ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]));
        Class<?> options = loader.loadClass("org.apache.flink.configuration.ConfigOptions");
        Class<?> option = loader.loadClass("org.apache.flink.configuration.ConfigOption");
        Class<?> configuration = loader.loadClass("org.apache.flink.configuration.Configuration");
        Method get = configuration.getMethod("get", option);
        Method set = configuration.getMethod("setString", String.class, String.class);
        for (String line : Files.readAllLines(new File(args[1]).toPath())) {
            String[] parts = line.split("\t", -1);
            Object conf = configuration.getConstructor().newInstance();
            set.invoke(conf, "the.key", parts[1]);
            Object builder = options.getMethod("key", String.class).invoke(null, "the.key");
            Object typed = type(builder, parts[0]);
            Method none = typed.getClass().getMethod("noDefaultValue");
            none.setAccessible(true);
            try {
                System.out.println(String.valueOf(get.invoke(conf, none.invoke(typed))).replace("\n", "\\n"));
            } catch (java.lang.reflect.InvocationTargetException e) {
                StringBuilder text = new StringBuilder("!");
                for (Throwable one = e.getCause(); one != null; one = one.getCause())
                    text.append(text.length() > 1 ? "\t" : "").append(one.getClass().getSimpleName()).append(": ").append(one.getMessage());
                System.out.println(text.toString().replace("\n", "\\n"));
            }
        }
    }

    static Object type(Object builder, String name) throws Exception {
        if (name.startsWith("List<")) {
            Object typed = type(builder, name.substring(5, name.length() - 1));
            return call(typed, "asList");
        }
        switch (name) {
            case "enum": return builder.getClass().getMethod("enumType", Class.class).invoke(builder, TimeUnit.class);
            case "Boolean": return call(builder, "booleanType");
            case "Integer": return call(builder, "intType");
            case "Long": return call(builder, "longType");
            case "Float": return call(builder, "floatType");
            case "Double": return call(builder, "doubleType");
            case "Duration": return call(builder, "durationType");
            case "MemorySize": return call(builder, "memoryType");
            case "Map": return call(builder, "mapType");
            default: return call(builder, "stringType");
        }
    }

    static Object call(Object target, String name) throws Exception {
        Method method = target.getClass().getMethod(name);
        method.setAccessible(true);
        return method.invoke(target);
    }
}
