import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobType;

/**
 * Asks a release which scheduler it chooses for a job, and which cluster accepts a configuration. A question
 * is a line: "job STREAMING|BATCH static|dynamic" or "cluster CLASS", then options as key=value. An answer is
 * the scheduler's type, "accepted", or the refusal.
 */
public class AskSchedulerChoices {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split(" ");
            Configuration options = new Configuration();
            for (String word : words) {
                String[] pair = word.split("=", 2);
                if (pair.length == 2) options.setString(pair[0], pair[1]);
            }
            System.out.println("= " + (words[0].equals("job") ? job(words, options) : cluster(words[1], options)));
        }
        System.exit(0);
    }

    static String job(String[] words, Configuration options) throws Exception {
        Class<?> type = Class.forName("org.apache.flink.runtime.jobmaster.DefaultSlotPoolServiceSchedulerFactory");
        for (Method method : type.getMethods()) {
            if (!method.getName().equals("fromConfiguration")) continue;
            boolean three = method.getParameterCount() == 3;
            try {
                Object made = three
                        ? method.invoke(null, options, JobType.valueOf(words[1]), words[2].equals("dynamic"))
                        : method.invoke(null, options, JobType.valueOf(words[1]));
                return String.valueOf(type.getMethod("getSchedulerType").invoke(made));
            } catch (InvocationTargetException refused) {
                return words(refused.getCause());
            }
        }
        return "no such method";
    }

    static String cluster(String name, Configuration options) throws Exception {
        options.setString("io.tmp.dirs", System.getProperty("java.io.tmpdir"));
        Constructor<?> constructor = Class.forName(name).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Object[] values = new Object[constructor.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            if (constructor.getParameterTypes()[i] == Configuration.class) values[i] = options;
        }
        try {
            constructor.newInstance(values);
            return "accepted";
        } catch (InvocationTargetException refused) {
            // No program was given: what comes after the cluster's own check is not asked about.
            return refused.getCause() instanceof NullPointerException ? "accepted" : words(refused.getCause());
        }
    }

    static String words(Throwable refused) {
        return refused.getClass().getName() + ": " + refused.getMessage();
    }
}
