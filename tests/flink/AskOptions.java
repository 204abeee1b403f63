import java.io.File;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Prints every ConfigOption that the jars of some folders declare, tabs between: key, type, default,
 * deprecated keys, fallback keys, constants of an enum.
 */
public class AskOptions {
    static final TreeMap<String, Declared> DECLARED = new TreeMap<>();

    /** The declarations of one key: several classes may declare it, with other types and old keys. */
    static class Declared {
        String type = "", fallback = "null", constants = "";
        final TreeSet<String> deprecated = new TreeSet<>(), alternative = new TreeSet<>();
    }

    public static void main(String[] args) throws Exception {
        List<File> jars = new ArrayList<>();
        for (String folder : args) jars.addAll(Arrays.asList(new File(folder).listFiles()));
        Collections.sort(jars);
        List<URL> urls = new ArrayList<>();
        for (File jar : jars) urls.add(jar.toURI().toURL());
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]));
        Class<?> option = loader.loadClass("org.apache.flink.configuration.ConfigOption");
        for (File jar : jars) {
            if (!jar.getName().startsWith("flink-")) continue;
            try (JarFile file = new JarFile(jar)) {
                TreeSet<String> names = new TreeSet<>();
                for (JarEntry entry : Collections.list(file.entries())) names.add(entry.getName());
                for (String name : names) {
                    if (!name.startsWith("org/apache/flink/") || !name.endsWith(".class") || !declares(file, name)) continue;
                    collect(loader, option, name.replace('/', '.').substring(0, name.length() - 6));
                }
            }
        }
        DECLARED.forEach((key, one) -> System.out.println(String.join("\t", key, one.type, one.fallback,
                String.join(" ", one.deprecated), String.join(" ", one.alternative), one.constants)));
    }

    /** Whether a class has a field of an option: not all of them have a name that says so. */
    static boolean declares(JarFile file, String name) throws Exception {
        try (InputStream content = file.getInputStream(file.getEntry(name))) {
            return new String(content.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .contains("Lorg/apache/flink/configuration/ConfigOption;");
        }
    }

    /** A default as text that is the same in every release: durations in ms, sizes in bytes. */
    static String spell(Object value) throws Exception {
        if (value instanceof java.time.Duration) return ((java.time.Duration) value).toMillis() + " ms";
        if (value != null && value.getClass().getSimpleName().equals("MemorySize"))
            return value.getClass().getMethod("getBytes").invoke(value) + " bytes";
        return String.valueOf(value).replace('\n', ' ').replace('\t', ' ');
    }

    static void collect(ClassLoader loader, Class<?> option, String name) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || !option.isAssignableFrom(field.getType())) continue;
                field.setAccessible(true);
                Object value = field.get(null);
                if (value != null) add(option, value);
            }
        } catch (Throwable unusable) {
            System.err.println(name + " " + unusable);
        }
    }

    static void add(Class<?> option, Object value) throws Exception {
        String key = (String) option.getMethod("key").invoke(value);
        Declared one = DECLARED.computeIfAbsent(key, any -> new Declared());
        Object fallback = option.getMethod("defaultValue").invoke(value);
        Class<?> type = type(option, value, fallback);
        if (type != null) {
            String word = isList(option, value) ? "List<" + word(type) + ">" : word(type);
            // A key that is declared twice is a String in the place that no longer reads it.
            if (one.type.isEmpty() || (one.type.equals("String") && !word.equals("String"))) {
                one.type = word;
                one.fallback = "null";
                List<String> constants = new ArrayList<>();
                if (type.isEnum()) for (Object each : type.getEnumConstants()) constants.add(each.toString());
                one.constants = String.join("|", constants);
            }
        }
        if (one.fallback.equals("null")) one.fallback = spell(fallback);
        try {
            for (Object each : (Iterable<?>) option.getMethod("fallbackKeys").invoke(value)) {
                boolean deprecated = (Boolean) each.getClass().getMethod("isDeprecated").invoke(each);
                (deprecated ? one.deprecated : one.alternative).add((String) each.getClass().getMethod("getKey").invoke(each));
            }
        } catch (NoSuchMethodException before) {
            for (Object each : (Iterable<?>) option.getMethod("deprecatedKeys").invoke(value)) one.deprecated.add((String) each);
        }
    }

    static String word(Class<?> type) {
        return type.isEnum() ? "enum " + type.getName() : type.getSimpleName();
    }

    /** The class of the values; before 1.10 an option does not know it, so that only a default shows it. */
    static Class<?> type(Class<?> option, Object value, Object fallback) throws Exception {
        try {
            Method clazz = option.getDeclaredMethod("getClazz");
            clazz.setAccessible(true);
            return (Class<?>) clazz.invoke(value);
        } catch (NoSuchMethodException before) {
            return fallback == null ? null : fallback.getClass();
        }
    }

    static boolean isList(Class<?> option, Object value) throws Exception {
        try {
            Method list = option.getDeclaredMethod("isList");
            list.setAccessible(true);
            return (Boolean) list.invoke(value);
        } catch (NoSuchMethodException before) {
            return false;
        }
    }
}
