import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Submits a job to a real cluster, as a client does, and says what the cluster made of it. A question is
 * a line of words: task managers, slots of each, a job ("keyed", "forward", "groups" or "batch") and the
 * parallelism of its two operators, then "cluster:key=value", "job:key=value", "max=N" (the maximum
 * parallelism of the second operator) and "rescale=N" (asked of the second operator once the job runs).
 * An answer is JSON: the state or the root cause, tasks by name with parallelism and maximum parallelism,
 * before and after the rescale, the records that each subtask of the second task read, and the keys that
 * counted on and that started anew.
 */
public class AskSchedulers {
    static final long PATIENCE = TimeUnit.SECONDS.toMillis(60);
    static final int KEYS = 64;
    static final Map<Long, Long> COUNTS = new ConcurrentHashMap<>();
    static final Set<Long> RESTARTED = ConcurrentHashMap.newKeySet();
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + answer(line.trim().split(" ")));
        }
        System.exit(0);
    }

    static String answer(String[] words) throws Exception {
        Configuration cluster = new Configuration();
        cluster.setString("rest.bind-port", "0");
        cluster.setString("rest.address", "127.0.0.1");
        cluster.setString("restart-strategy", "none");
        cluster.setString("restart-strategy.type", "none");
        cluster.setString("slot.request.timeout", "3000");
        cluster.setString("jobmanager.adaptive-scheduler.resource-wait-timeout", "3 s");
        cluster.setString("jobmanager.adaptive-scheduler.submission.resource-wait-timeout", "3 s");
        cluster.setString("jobmanager.adaptive-scheduler.resource-stabilization-timeout", "1 s");
        cluster.setString("jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout", "1 s");
        cluster.setString("jobmanager.adaptive-scheduler.scaling-interval.min", "0 s");
        cluster.setString("jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "0 s");
        cluster.setString("jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "1 s");
        cluster.setString("web.refresh-interval", "200");
        Configuration job = new Configuration();
        int most = 0;
        int rescale = 0;
        for (int i = 5; i < words.length; i++) {
            String[] pair = words[i].split("[:=]", 2);
            if (pair[0].equals("max")) most = Integer.parseInt(pair[1]);
            else if (pair[0].equals("rescale")) rescale = Integer.parseInt(pair[1]);
            else {
                String[] option = pair[1].split("=", 2);
                (pair[0].equals("cluster") ? cluster : job).setString(option[0], option[1].replace('~', ' '));
            }
        }
        MiniClusterConfiguration.Builder builder = new MiniClusterConfiguration.Builder()
                .setConfiguration(cluster)
                .setNumTaskManagers(Integer.parseInt(words[0]))
                .setNumSlotsPerTaskManager(Integer.parseInt(words[1]));
        COUNTS.clear();
        RESTARTED.clear();
        try (MiniCluster running = new MiniCluster(builder.build())) {
            running.start();
            URI address = running.getRestAddress().get();
            StreamExecutionEnvironment program =
                    StreamExecutionEnvironment.createRemoteEnvironment(address.getHost(), address.getPort(), job);
            build(program, words[2], Integer.parseInt(words[3]), Integer.parseInt(words[4]), most);
            JobClient client = program.executeAsync();
            return report(client, "http://127.0.0.1:" + address.getPort() + "/jobs/" + client.getJobID(), words[2], rescale);
        } catch (Exception failed) {
            return "{\"refused\":" + quoted(root(failed)) + "}";
        }
    }

    static void build(StreamExecutionEnvironment program, String kind, int first, int second, int most) {
        boolean batch = kind.startsWith("batch");
        if (batch) program.setRuntimeMode(RuntimeExecutionMode.BATCH);
        DataStream<Long> numbers = program.fromSequence(0, batch ? 1000 : Long.MAX_VALUE / 2)
                .setParallelism(first).uid("numbers").name("numbers");
        if (!batch) {
            numbers = numbers.map(new Slow()).setParallelism(first).uid("slow").name("slow");
        }
        SingleOutputStreamOperator<Long> last;
        if (kind.equals("forward")) {
            last = numbers.forward().map(new Same()).startNewChain();
        } else {
            last = numbers.keyBy(new Key()).reduce(new Count());
        }
        last.setParallelism(second).uid("last").name("last");
        if (most > 0) last.setMaxParallelism(most);
        if (kind.equals("groups")) last.slotSharingGroup("other");
    }

    static String report(JobClient client, String job, String kind, int rescale) throws Exception {
        String first = await(job, kind.equals("batch"));
        if (first.startsWith("!")) return "{\"failed\":" + quoted(first.substring(1)) + "}";
        StringBuilder told = new StringBuilder("{\"tasks\":" + tasks(first));
        String figures = first;
        String counts = "[]";
        long end = System.currentTimeMillis() + PATIENCE / 3;
        while (first.contains("\"state\":\"RUNNING\"") && System.currentTimeMillis() < end && sum(counts) < 200) {
            Thread.sleep(500);
            counts = read(job, figures);
        }
        told.append(",\"read\":").append(counts);
        if (rescale > 0) {
            StringBuilder wanted = new StringBuilder();
            for (String one : figures.split("\\{\"id\":\"")) {
                if (!isVertex(one)) continue;
                int width = number(one, "\"parallelism\":");
                boolean last = one.contains("\"name\":\"last");
                wanted.append(wanted.length() > 0 ? "," : "").append("\"").append(one, 0, 32)
                        .append("\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":")
                        .append(last ? rescale : width).append("}}");
            }
            HttpResponse<String> put = CLIENT.send(
                    HttpRequest.newBuilder(URI.create(job + "/resource-requirements"))
                            .header("Content-Type", "application/json")
                            .PUT(HttpRequest.BodyPublishers.ofString("{" + wanted + "}")).build(),
                    HttpResponse.BodyHandlers.ofString());
            if (put.statusCode() != 200) {
                told.append(",\"rescale\":").append(quoted(put.body()));
            } else {
                end = System.currentTimeMillis() + PATIENCE;
                while (System.currentTimeMillis() < end) {
                    String now = get(job);
                    if (now.contains("\"state\":\"RUNNING\"") && tasks(now).contains("\"parallelism\":" + rescale + ",")
                            && !now.contains("\"SCHEDULED\":" + rescale)) break;
                    Thread.sleep(300);
                }
                Thread.sleep(2500);
                told.append(",\"after\":").append(tasks(get(job)));
                told.append(",\"restarted_keys\":").append(RESTARTED.size());
            }
        }
        if (get(job).contains("\"state\":\"RUNNING\"")) client.cancel().get(30, TimeUnit.SECONDS);
        return told + "}";
    }

    /** The job once all its tasks run, or it has ended; its failure after an exclamation mark. */
    static String await(String job, boolean toEnd) throws Exception {
        long end = System.currentTimeMillis() + PATIENCE;
        while (System.currentTimeMillis() < end) {
            String now = get(job);
            if (now.contains("\"state\":\"FAILED\"")) return "!" + failure(job);
            if (now.contains("\"state\":\"FINISHED\"")) return now;
            boolean waits = now.contains("\"status\":\"CREATED\"") || now.contains("\"status\":\"SCHEDULED\"")
                    || now.contains("\"status\":\"DEPLOYING\"") || now.contains("\"status\":\"INITIALIZING\"");
            if (!toEnd && now.contains("\"state\":\"RUNNING\"") && now.contains("\"vertices\":[{") && !waits) return now;
            Thread.sleep(200);
        }
        return "!it does not start";
    }

    static String failure(String job) throws Exception {
        String text = get(job + "/exceptions?maxExceptions=1");
        int cause = text.lastIndexOf("Caused by: ");
        int from = cause >= 0 ? cause + 11 : Math.max(0, text.indexOf("\"root-exception\":\"") + 18);
        int to = text.indexOf("\\n", from);
        return text.substring(from, to < 0 ? Math.min(text.length(), from + 900) : to);
    }

    static String tasks(String job) {
        StringBuilder found = new StringBuilder("[");
        int end = job.indexOf("\"status-counts\"");
        for (String one : job.substring(0, end < 0 ? job.length() : end).split("\\{\"id\":\"")) {
            if (!isVertex(one)) continue;
            found.append(found.length() > 1 ? "," : "").append("{\"id\":\"").append(one, 0, 32)
                    .append("\",\"name\":").append(quoted(text(one, "\"name\":\"")))
                    .append(",\"parallelism\":").append(number(one, "\"parallelism\":"))
                    .append(",\"max_parallelism\":").append(number(one, "\"maxParallelism\":")).append("}");
        }
        return found + "]";
    }

    /** The records that each subtask of the last task read. */
    static String read(String job, String details) throws Exception {
        for (String one : details.split("\\{\"id\":\"")) {
            if (!isVertex(one) || !one.contains("\"name\":\"last")) continue;
            StringBuilder found = new StringBuilder("[");
            String vertex = get(job + "/vertices/" + one.substring(0, 32));
            for (String subtask : vertex.split("\"read-records\":")) {
                if (subtask.startsWith("{")) continue;
                found.append(found.length() > 1 ? "," : "").append(subtask.split("[,}]")[0]);
            }
            return found + "]";
        }
        return "[]";
    }

    static long sum(String counts) {
        long sum = 0;
        for (String one : counts.split("[^0-9]+")) sum += one.isEmpty() ? 0 : Long.parseLong(one);
        return sum;
    }

    static boolean isVertex(String part) {
        return part.indexOf('"') == 32 && part.contains("\"maxParallelism\"");
    }

    static int number(String text, String key) {
        String rest = text.substring(text.indexOf(key) + key.length());
        return Integer.parseInt(rest.split("[^0-9-]")[0]);
    }

    static String text(String text, String key) {
        String rest = text.substring(text.indexOf(key) + key.length());
        return rest.substring(0, rest.indexOf('"'));
    }

    static String get(String address) throws Exception {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    static String root(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) cause = cause.getCause();
        String text = String.valueOf(cause.getMessage());
        int server = text.indexOf("<Exception on server side:\n");
        if (server >= 0) text = text.substring(server + 27);
        int inner = text.lastIndexOf("Caused by: ");
        if (server >= 0 && inner < 0) return text.split("\n")[0];
        return (cause.getClass().getName() + ": " + (inner < 0 ? text : text.substring(inner + 11))).split("\n")[0];
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", " ") + "\"";
    }

    public static class Slow implements MapFunction<Long, Long> {
        public Long map(Long number) throws Exception {
            Thread.sleep(1);
            return number % KEYS;
        }
    }

    public static class Same implements MapFunction<Long, Long> {
        public Long map(Long number) {
            return number;
        }
    }

    public static class Key implements KeySelector<Long, Long> {
        public Long getKey(Long number) {
            return number % KEYS;
        }
    }

    /** Counts the records of a key, which it holds in its lowest six bits; the first one counts nothing. */
    public static class Count implements ReduceFunction<Long> {
        public Long reduce(Long before, Long number) {
            long next = before + KEYS;
            Long last = COUNTS.put(next % KEYS, next);
            if (next < 2 * KEYS && last != null && last > 4 * KEYS) RESTARTED.add(next % KEYS);
            return next;
        }
    }
}
