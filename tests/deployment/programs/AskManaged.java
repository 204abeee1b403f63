import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a release's own classes how a slot's managed memory is shared out. A question is a line: the
 * slot's bytes, the use cases of the slot parted by commas, then options as key=value. An answer is
 * for each use case its fraction and the bytes that a memory manager makes of it.
 */
public class AskManaged {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + answer(line.trim().split(" ")));
        }
    }

    static String answer(String[] words) throws Exception {
        Class<?> configuration = Class.forName("org.apache.flink.configuration.Configuration");
        Object options = configuration.getConstructor().newInstance();
        Method set = configuration.getMethod("setString", String.class, String.class);
        for (int i = 2; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            set.invoke(options, pair[0], pair[1]);
        }
        Set<Object> every = new LinkedHashSet<>();
        for (String name : words[1].split(",")) every.add(useCase(name));
        List<String> told = new ArrayList<>();
        for (Object one : every) {
            try {
                double fraction = fraction(one, every, options);
                told.add(one + "=" + fraction + "/" + (fraction > 0 ? bytes(Long.parseLong(words[0]), fraction) : 0));
            } catch (InvocationTargetException refused) {
                return "error " + refused.getCause().getMessage();
            }
        }
        return String.join(" ", told);
    }

    static Object useCase(String name) throws Exception {
        Class<?> type = Class.forName("org.apache.flink.core.memory.ManagedMemoryUseCase");
        return type.getMethod("valueOf", String.class).invoke(null, name);
    }

    static double fraction(Object one, Set<Object> every, Object options) throws Exception {
        Class<?> utils = Class.forName("org.apache.flink.runtime.util.config.memory.ManagedMemoryUtils");
        ClassLoader loader = AskManaged.class.getClassLoader();
        for (Method method : utils.getMethods()) {
            if (!method.getName().equals("convertToFractionOfSlot")) continue;
            return (Double) (method.getParameterCount() == 6
                    ? method.invoke(null, one, 1.0, every, options, Optional.empty(), loader)
                    : method.invoke(null, one, 1.0, every, options, options, Optional.empty(), loader));
        }
        throw new IllegalStateException("no convertToFractionOfSlot");
    }

    static long bytes(long slot, double fraction) throws Exception {
        Class<?> type = Class.forName("org.apache.flink.runtime.memory.MemoryManager");
        Object manager = type.getMethod("create", long.class, int.class).invoke(null, slot, 32768);
        return (Long) type.getMethod("computeMemorySize", double.class).invoke(manager, fraction);
    }
}
