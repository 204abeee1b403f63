import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Prints every ConfigOption that the jars of a folder declare: key, tab, default, tab, older keys. */
public class AskOptions {
    public static void main(String[] args) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (File jar : new File(args[0]).listFiles()) urls.add(jar.toURI().toURL());
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]));
        Class<?> option = loader.loadClass("org.apache.flink.configuration.ConfigOption");
        TreeMap<String, String> found = new TreeMap<>();
        for (File jar : new File(args[0]).listFiles()) {
            if (!jar.getName().startsWith("flink-")) continue;
            try (JarFile file = new JarFile(jar)) {
                for (JarEntry entry : Collections.list(file.entries())) {
                    String name = entry.getName();
                    if (!name.startsWith("org/apache/flink/") || !name.matches(".*(Option|Config)[^/]*\\.class") ) continue;
                    collect(loader, option, name.replace('/', '.').substring(0, name.length() - 6), found);
                }
            }
        }
        found.values().forEach(System.out::println);
    }

    /** A default as text that is the same in every release: durations in ms, sizes in bytes. */
    static String spell(Object value) throws Exception {
        if (value instanceof java.time.Duration) return ((java.time.Duration) value).toMillis() + " ms";
        if (value != null && value.getClass().getSimpleName().equals("MemorySize"))
            return value.getClass().getMethod("getBytes").invoke(value) + " bytes";
        return String.valueOf(value);
    }

    static void collect(ClassLoader loader, Class<?> option, String name, TreeMap<String, String> found) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || !option.isAssignableFrom(field.getType())) continue;
                field.setAccessible(true);
                Object value = field.get(null);
                if (value == null) continue;
                Method key = option.getMethod("key"), fallback = option.getMethod("defaultValue");
                StringBuilder older = new StringBuilder();
                try {
                    for (Object one : (Iterable<?>) option.getMethod("fallbackKeys").invoke(value))
                        older.append(one.getClass().getMethod("getKey").invoke(one)).append(' ');
                } catch (NoSuchMethodException e) {
                    for (Object one : (Iterable<?>) option.getMethod("deprecatedKeys").invoke(value)) older.append(one).append(' ');
                }
                String spelled = spell(fallback.invoke(value)).replace('\n', ' ').replace('\t', ' ');
                String id = (String) key.invoke(value);
                found.put(id, id + "\t" + spelled + "\t" + older.toString().trim());
            }
        } catch (Throwable unusable) {
            System.err.println(name + " " + unusable);
        }
    }
}
