import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;

/**
 * Splits the memory of both processes by options, legacy ones among them, as Flink's scripts do and
 * as YARN and Kubernetes do. An argument: KEY=VALUE pairs with semicolons between. Prints for each
 * argument four lines, tabs between: the process, where it runs, then Flink's memory and the whole
 * process's in bytes, or after an exclamation mark the exception's message.
 */
public class AskLegacyHeap {
    public static void main(String[] args) {
        for (String options : args) {
            print("task manager", "standalone", () -> taskManager(options, TaskManagerOptions.TOTAL_FLINK_MEMORY));
            print("task manager", "containers", () -> taskManager(options, TaskManagerOptions.TOTAL_PROCESS_MEMORY));
            print("job manager", "standalone", () -> jobManager(options, JobManagerOptions.JVM_HEAP_MEMORY));
            print("job manager", "containers", () -> jobManager(options, JobManagerOptions.TOTAL_PROCESS_MEMORY));
        }
    }

    interface Answer { String get() throws Exception; }

    static void print(String process, String place, Answer answer) {
        String text;
        try {
            text = answer.get();
        } catch (Exception e) {
            text = "!" + e.getMessage();
        }
        System.out.println(process + "\t" + place + "\t" + text);
    }

    static String taskManager(String options, ConfigOption<MemorySize> target) {
        var spec = TaskExecutorProcessUtils.processSpecFromConfig(
                TaskExecutorProcessUtils.getConfigurationMapLegacyTaskManagerHeapSizeToConfigOption(read(options), target));
        return spec.getTotalFlinkMemorySize().getBytes() + " " + spec.getTotalProcessMemorySize().getBytes();
    }

    static String jobManager(String options, ConfigOption<MemorySize> target) {
        var spec = JobManagerProcessUtils.processSpecFromConfigWithNewOptionToInterpretLegacyHeap(read(options), target);
        return spec.getTotalFlinkMemorySize().getBytes() + " " + spec.getTotalProcessMemorySize().getBytes();
    }

    static Configuration read(String options) {
        Configuration configuration = new Configuration();
        for (String pair : options.split(";"))
            if (!pair.isEmpty()) configuration.setString(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        return configuration;
    }
}
