package explorer.rehearsal;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** Restores a savepoint into a program without its sources and sinks, and describes what became of each operator. */
public final class Rehearsal {
    private static final long POLL_MILLIS = 20;
    private static final long FOREVER_SECONDS = 365L * 24 * 3600;
    /** The option of 1.16 on, and that of 1.14 and 1.15, which later releases still read. */
    private static final String[] CHANGELOG = {"state.changelog.enabled", "state.backend.changelog.enabled"};
    /** The option of 1.20 on, and that of all releases. */
    private static final String[] RESTORE_PATHS = {"execution.state-recovery.path", "execution.savepoint.path"};

    private final StreamGraph graph;
    private final Configuration options;
    private final ClassLoader loader;
    private final String savepoint;
    private final Set<String> saved;
    private final Set<String> stateful;
    private final JsonNode keyGroups;
    private final boolean onlyOpen;
    private final GivenRecords given;
    private final long deadline;
    private final Map<String, Object> members = new LinkedHashMap<>();
    private final Map<String, Throwable> failed = new HashMap<>();
    private final Map<String, String> savedIds = new HashMap<>();
    private final TreeSet<String> running = new TreeSet<>();
    private final Map<String, Usage> usages = new LinkedHashMap<>();
    private final Map<String, Usage> controls = new HashMap<>();
    private boolean isClaimed;

    private Rehearsal(
            StreamGraph graph, Configuration options, ClassLoader loader, String savepoint, JsonNode request) throws Exception {
        this.graph = graph;
        this.options = options;
        this.loader = loader;
        this.savepoint = savepoint;
        this.saved = texts(request.get("operator_ids"));
        this.stateful = texts(request.get("stateful_ids"));
        this.keyGroups = request.get("key_groups");
        this.onlyOpen = request.get("only_open").asBoolean();
        this.given = new GivenRecords(request.get("records"));
        this.deadline = System.currentTimeMillis() + request.get("millis").asLong();
    }

    /**
     * Rehearses the restore of one job.
     *
     * @param pipeline a {@code StreamGraph}; it is changed
     * @param savepoint the savepoint's folder as a URI
     * @param request JSON: {@code operator_ids} of the savepoint, {@code stateful_ids} of those with state, {@code folder} where
     *     the cluster may write, {@code key_groups} of the new tasks by operator ID, {@code millis} to wait for the operators, {@code only_open} whether no restored state is used,
     *     {@code records} to use it with
     * @return JSON: {@code backend}, {@code changelog}, {@code operators}, {@code timeout}, {@code job_failure}
     */
    public static String rehearse(
            Object pipeline, Configuration options, ClassLoader loader, String savepoint, String request) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            JsonNode asked = new ObjectMapper().readTree(request);
            return new Rehearsal((StreamGraph) pipeline, options, loader, savepoint, asked).run(new File(asked.get("folder").asText()));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private String run(File folder) throws Exception {
        OperatorRecord.clear();
        List<CutGraph.Part> parts = prepared();
        JobGraph job = CutGraph.translated(graph, loader);
        job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, true));
        job.setClasspaths(userUrls());
        // The watched backend has the program's changelog inside: tasks are not to wrap it once more.
        for (String key : CHANGELOG) job.getJobConfiguration().setString(key, "false");
        SavedHandles.hide(job);
        for (JobVertex vertex : job.getVertices()) savedIds.put(vertex.getID().toString(), savedId(vertex));
        Map<String, OperatorRecord> records = records(job);
        if (job.getNumberOfVertices() > 0) {
            MiniCluster cluster = new MiniCluster(clusterOptions(folder));
            cluster.start(); // never closed: closing takes ten seconds, and the JVM ends soon
            watch(cluster, job);
        }
        use(parts, records);
        List<Object> described = new ArrayList<>();
        for (CutGraph.Part part : parts) described.add(described(part, records));
        members.put("operators", described);
        return Json.of(members);
    }

    /** Sets everything that the first translation fixes, then cuts the graph. */
    private List<CutGraph.Part> prepared() throws Exception {
        StateBackend own = ownBackend();
        Object delegated = Reflection.callIfPresent(own, "getDelegatedStateBackend"); // of a changelog
        members.put("backend", (delegated == null ? own : delegated).getClass().getName());
        members.put("changelog", delegated != null);
        isClaimed = !Reflection.call(graph.getCheckpointConfig(), "isCheckpointingEnabled").equals(true) || !isNoClaim();
        graph.setStateBackend(WatchedBackend.of(own));
        Object memory = Class.forName("org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage").getConstructor().newInstance();
        Reflection.call(graph, "setCheckpointStorage", memory);
        Reflection.call(graph.getCheckpointConfig(), "disableCheckpointing");
        Reflection.set(graph, "checkpointingSettings", null); // 2.x keeps those of an earlier translation
        Reflection.set(graph, "changelogStateBackendEnabled", null);
        restartSlowly();
        return new CutGraph(graph, loader, saved, stateful, onlyOpen).cut();
    }

    private static Set<String> texts(JsonNode values) {
        Set<String> found = new HashSet<>();
        for (JsonNode value : values) found.add(value.asText());
        return found;
    }

    /** Uses the restored state of every running operator; a failure is repeated without restored state. */
    private void use(List<CutGraph.Part> parts, Map<String, OperatorRecord> records) throws Exception {
        for (CutGraph.Part part : parts) {
            if (part.isProbe || !part.role.equals("operator") || !stateful.contains(part.id) || !running.contains(part.id)) continue;
            Usage usage = new Usage(records.get(part.id), onlyOpen, keyGroups.path(part.id).asInt(), isClaimed, given.of(part));
            usages.put(part.id, usage);
            usage.start();
        }
        await(usages.values());
        repeat(usages, records);
        for (int attempt = 1; retry(attempt, records); attempt++) {}
    }

    /** Uses the state of operators with other records, where the last ones decided nothing; whether there were any. */
    private boolean retry(int attempt, Map<String, OperatorRecord> records) throws Exception {
        Map<String, Usage> retries = new LinkedHashMap<>();
        for (Map.Entry<String, Usage> used : usages.entrySet()) {
            if (left() > 1 && used.getValue().isOpen(hasFailed(controls.get(used.getKey())), attempt)) {
                retries.put(used.getKey(), used.getValue().retrying(attempt));
            }
        }
        for (Usage usage : retries.values()) usage.start();
        await(retries.values());
        Map<String, Usage> before = new HashMap<>(controls);
        repeat(retries, records);
        for (Map.Entry<String, Usage> retried : retries.entrySet()) {
            String id = retried.getKey();
            if (retried.getValue().isEnded() && (retried.getValue().failure() == null || !hasFailed(controls.get(id)))) {
                usages.put(id, retried.getValue());
                if (retried.getValue().failure() == null) controls.remove(id);
            } else if (before.containsKey(id)) {
                controls.put(id, before.get(id));
            } else {
                controls.remove(id);
            }
        }
        return !retries.isEmpty();
    }

    private static boolean hasFailed(Usage control) {
        return control != null && control.isEnded() && control.failure() != null;
    }

    /** Repeats what failed without restored state. */
    private void repeat(Map<String, Usage> used, Map<String, OperatorRecord> records) throws Exception {
        List<Usage> started = new ArrayList<>();
        for (Map.Entry<String, Usage> one : used.entrySet()) {
            String control = CutGraph.controlId(one.getKey());
            if (one.getValue().failure() == null || !running.contains(control)) continue;
            Usage repeated = Usage.repeating(records.get(control), one.getValue());
            controls.put(one.getKey(), repeated);
            started.add(repeated);
            repeated.start();
        }
        await(started);
    }

    private void await(Collection<Usage> waiting) throws Exception {
        while (left() > 1 && !waiting.stream().allMatch(Usage::isEnded)) Thread.sleep(POLL_MILLIS);
    }

    /** A failed operator waits instead of failing the job, so that every operator gets an answer. */
    private void restartSlowly() throws Exception {
        Object config = graph.getExecutionConfig();
        Object jobOptions = Reflection.callIfPresent(graph, "getJobConfiguration");
        if (jobOptions != null) slowRestarts((Configuration) jobOptions);
        try {
            Class<?> strategies = Class.forName("org.apache.flink.api.common.restartstrategy.RestartStrategies");
            Method fixed = strategies.getMethod("fixedDelayRestart", int.class, long.class);
            Reflection.call(config, "setRestartStrategy", fixed.invoke(null, Integer.MAX_VALUE, FOREVER_SECONDS * 1000));
        } catch (ClassNotFoundException since20) {
            slowRestarts(options);
        }
    }

    private static void slowRestarts(Configuration options) {
        options.setString("restart-strategy", "fixed-delay");
        options.setString("restart-strategy.type", "fixed-delay");
        options.setString("restart-strategy.fixed-delay.attempts", String.valueOf(Integer.MAX_VALUE));
        options.setString("restart-strategy.fixed-delay.delay", FOREVER_SECONDS + " s");
    }

    /** The backend of the program's code, else of its options; the loader's parameters differ by release. */
    private StateBackend ownBackend() throws Exception {
        StateBackend inCode = graph.getStateBackend();
        for (Method method : StateBackendLoader.class.getMethods()) {
            if (!method.getName().equals("fromApplicationOrConfigOrDefault")) continue;
            Object[] arguments = new Object[method.getParameterCount()];
            boolean first = true;
            for (int at = 0; at < arguments.length; at++) {
                Class<?> kind = method.getParameterTypes()[at];
                if (kind == StateBackend.class) arguments[at] = inCode;
                else if (kind.getSimpleName().equals("TernaryBoolean")) arguments[at] = changelogInCode(kind);
                else if (kind == ClassLoader.class) arguments[at] = loader;
                else if (kind.isAssignableFrom(Configuration.class)) {
                    arguments[at] = first ? options : new Configuration();
                    first = false;
                }
            }
            return (StateBackend) Reflection.invoke(method, null, arguments);
        }
        throw new NoSuchMethodException("StateBackendLoader.fromApplicationOrConfigOrDefault");
    }

    private Object changelogInCode(Class<?> ternary) throws Exception {
        Object inCode = Reflection.get(graph, "changelogStateBackendEnabled");
        return inCode == null ? ternary.getField("UNDEFINED").get(null) : inCode;
    }

    /** Whether the first checkpoint after the restore must not build on the savepoint: the claim mode, since 1.15. */
    private boolean isNoClaim() throws Exception {
        Configuration restoring = new Configuration(options);
        for (String path : RESTORE_PATHS) restoring.setString(path, savepoint);
        Object settings = SavepointRestoreSettings.fromConfiguration(restoring);
        Object mode = Reflection.callIfPresent(settings, "getRestoreMode");
        if (mode == null) mode = Reflection.callIfPresent(settings, "getRecoveryClaimMode");
        return mode != null && mode.toString().equals("NO_CLAIM");
    }

    private static MiniClusterConfiguration clusterOptions(File folder) {
        Configuration cluster = new Configuration();
        cluster.setString("taskmanager.memory.network.min", "64mb");
        cluster.setString("taskmanager.memory.network.max", "64mb");
        cluster.setString("taskmanager.memory.managed.size", "128mb");
        cluster.setString("rest.port", "0");
        cluster.setString("rest.bind-port", "0");
        cluster.setString("rest.bind-address", "127.0.0.1");
        cluster.setString("rest.address", "127.0.0.1");
        cluster.setString("jobmanager.execution.failover-strategy", "region");
        cluster.setString("io.tmp.dirs", folder.getPath());
        cluster.setString("state.changelog.storage", "filesystem");
        cluster.setString("dstl.dfs.base-path", new File(folder, "changelog").toURI().toString());
        slowRestarts(cluster);
        return new MiniClusterConfiguration.Builder().setConfiguration(cluster).setNumTaskManagers(1).setNumSlotsPerTaskManager(1).build();
    }

    /** The jars and folders of the program's own class loader; none where its classes are on the class path. */
    private List<URL> userUrls() throws Exception {
        Object one = loader;
        for (Object inner = one; inner != null; inner = Reflection.get(one, "inner")) one = inner;
        if (!(one instanceof URLClassLoader) || one == ClassLoader.getSystemClassLoader()) return Collections.emptyList();
        Map<String, URL> distinct = new LinkedHashMap<>(); // Flink counts a repeated one as another set
        for (URL url : ((URLClassLoader) one).getURLs()) distinct.put(url.toString(), url);
        return new ArrayList<>(distinct.values());
    }

    /** The operator ID that the savepoint has for a vertex; empty for an idle source. */
    private static String savedId(JobVertex vertex) throws Exception {
        Object pair = vertex.getOperatorIDs().get(0);
        Object user = ((java.util.Optional<?>) Reflection.call(pair, "getUserDefinedOperatorID")).orElse(null);
        return user == null ? "" : user.toString();
    }

    private static Map<String, OperatorRecord> records(JobGraph job) throws Exception {
        Map<String, OperatorRecord> records = new HashMap<>();
        for (JobVertex vertex : job.getVertices()) {
            String made = Reflection.call(vertex.getOperatorIDs().get(0), "getGeneratedOperatorID").toString();
            String id = savedId(vertex);
            records.put(id, OperatorRecord.of(made));
            OperatorRecord.register(id, records.get(id));
        }
        return records;
    }

    private void watch(MiniCluster cluster, JobGraph job) throws Exception {
        try {
            ((Future<?>) Reflection.call(cluster, "submitJob", job)).get(left(), TimeUnit.MILLISECONDS);
            boolean done = false;
            while (!done && left() > 1) {
                Thread.sleep(POLL_MILLIS);
                done = isDecided(cluster, job);
            }
            if (!done) members.put("timeout", true);
        } catch (ExecutionException thrown) {
            members.put("job_failure", Failure.of("submission", null, thrown.getCause()));
        } catch (java.util.concurrent.TimeoutException thrown) {
            members.put("timeout", true);
        }
    }

    private long left() {
        return Math.max(1, deadline - System.currentTimeMillis());
    }

    private boolean isDecided(MiniCluster cluster, JobGraph job) throws Exception {
        AccessExecutionGraph graph;
        try {
            graph = cluster.getExecutionGraph(job.getJobID()).get(left(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException notThereYet) {
            return false;
        }
        switch (graph.getState().name()) {
            case "FAILED":
            case "FAILING":
                if (graph.getFailureInfo() == null) return false;
                members.put("job_failure", Failure.of("job", null, thrown(graph.getFailureInfo())));
                return true;
            case "INITIALIZING":
            case "CREATED":
                return false;
            default:
                return areDecided(graph);
        }
    }

    private boolean areDecided(AccessExecutionGraph graph) {
        failed.clear();
        running.clear();
        boolean decided = true;
        for (AccessExecutionJobVertex vertex : graph.getVerticesTopologically()) {
            String id = savedIds.get(vertex.getJobVertexId().toString());
            for (AccessExecutionVertex task : vertex.getTaskVertices()) {
                ExecutionState state = task.getExecutionState();
                if (state == ExecutionState.RUNNING) running.add(id);
                else if (state == ExecutionState.FAILED) failed.put(id, task.getFailureInfo().map(this::thrown).orElse(null));
                else if (state != ExecutionState.CANCELED && state != ExecutionState.FINISHED) decided = false;
            }
        }
        return decided;
    }

    private Throwable thrown(ErrorInfo info) {
        return info.getException().deserializeError(loader);
    }

    private static Map<String, Object> reader(OperatorRecord record) {
        Map<String, Object> facts = new LinkedHashMap<>();
        if (record.readerFailure != null) facts.put("failure", Failure.of("reader", null, record.readerFailure));
        return facts;
    }

    private Map<String, Object> usage(String id) {
        Map<String, Object> facts = usages.get(id).facts();
        facts.put("ended", usages.get(id).isEnded());
        Usage control = controls.get(id);
        if (control != null) facts.put("control", control.isEnded() ? control.failure() == null ? "passed" : "failed" : "unfinished");
        return facts;
    }

    private Map<String, Object> described(CutGraph.Part part, Map<String, OperatorRecord> records) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("node", part.node);
        facts.put("operator_id", part.id);
        facts.put("name", part.name);
        facts.put("uid", part.uid);
        facts.put("role", part.role);
        OperatorRecord record = records.get(part.id);
        if (!part.role.equals("operator") || record == null) return facts;
        synchronized (record) {
            facts.put("task", failed.containsKey(part.id) ? "failed" : running.contains(part.id) ? "running" : "unknown");
            if (part.isProbe) facts.put("reader", reader(record));
            facts.put("restored", new ArrayList<>(record.restored));
            facts.put("asked", new ArrayList<>(record.asked));
            facts.put("migrated", new ArrayList<>(record.migrated));
            facts.put("entries", new LinkedHashMap<>(record.entries));
            if (usages.containsKey(part.id)) facts.put("usage", usage(part.id));
            if (record.error != null) facts.put("failure", Failure.of(record.phase, record.state, record.error));
            else if (failed.containsKey(part.id)) facts.put("failure", Failure.of("task", null, failed.get(part.id)));
        }
        return facts;
    }
}
