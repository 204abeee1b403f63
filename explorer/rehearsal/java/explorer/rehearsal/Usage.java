package explorer.rehearsal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.function.Predicate;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * Uses what an operator restored: records of the saved keys, timers up to a limit, a checkpoint.
 *
 * <p>All of it runs in the operator's task thread, where its state backends may be called. A failure is compared with
 * a second operator that did the same without restored state.
 */
final class Usage implements ThrowingRunnable<RuntimeException> {
    private static final int MAX_KEYS = 100;
    private static final int MAX_WINDOWS = 1000;

    private final OperatorRecord record;
    private final Object task;
    private final StreamOperator<?> operator;
    private final StreamConfig config;
    private final ClassLoader loader;
    private final KeyedStateBackend<Object> keyed;
    private final boolean onlyRead;
    private final int keyGroups;
    private final boolean isClaimed;
    private final List<JsonNode> given;
    private final List<String> constants;
    private final int attempt;
    private final Set<Object> fedKeys = new HashSet<>();
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final Set<String> askedBefore = new HashSet<>();
    private List<Step> steps = new ArrayList<>();
    private String phase = "read";
    private boolean exact = true;
    private volatile boolean ended;
    private volatile Throwable failure;

    /** One record of one input. */
    static final class Step {
        final int input;
        final Object value;
        final Object key;
        final boolean exact;

        /** {@code key}: of a record that the program would give another key; {@code exact}: whether it would not. */
        Step(int input, Object value, Object key, boolean exact) {
            this.input = input;
            this.value = value;
            this.key = key;
            this.exact = exact;
        }
    }

    /**
     * {@code onlyRead}: whether user code is left alone, and only the backend is read; {@code keyGroups}: of the task that
     * will restore the operator, 0 for as many as it was saved with; {@code isClaimed}: whether the first checkpoint after
     * the restore may build on the savepoint.
     */
    Usage(OperatorRecord record, boolean onlyRead, int keyGroups, boolean isClaimed, List<JsonNode> given) throws Exception {
        this(record, onlyRead, keyGroups, isClaimed, given, 0);
    }

    @SuppressWarnings("unchecked")
    private Usage(OperatorRecord record, boolean onlyRead, int keyGroups, boolean isClaimed, List<JsonNode> given, int attempt)
            throws Exception {
        this.attempt = attempt;
        this.record = record;
        this.onlyRead = onlyRead;
        this.keyGroups = keyGroups;
        this.isClaimed = isClaimed;
        this.given = given;
        this.task = record.task();
        this.operator = (StreamOperator<?>) Reflection.get(task, "mainOperator");
        this.config = (StreamConfig) Reflection.call(task, "getConfiguration");
        this.loader = userLoader();
        this.constants = Constants.of(operator);
        this.keyed = record.keyed instanceof KeyedStateBackend ? (KeyedStateBackend<Object>) record.keyed : null;
    }

    private ClassLoader userLoader() throws Exception {
        return (ClassLoader) Reflection.call(Reflection.call(record.environment, "getUserCodeClassLoader"), "asClassLoader");
    }

    /** Repeats the records of another operator, which restored state. */
    static Usage repeating(OperatorRecord control, Usage other) throws Exception {
        Usage usage = new Usage(control, false, 0, true, other.given, other.attempt);
        usage.steps = other.steps;
        return usage;
    }

    /** Whether other records may show more: these were refused without restored state too, or did not use all of it. */
    boolean isOpen(boolean hasControlFailed, int attempt) {
        if (!ended || onlyRead || !given.isEmpty() || attempt >= Variation.count(constants)) return false;
        return failure != null ? phase.equals("record") && hasControlFailed : !record.asked.containsAll(record.restored);
    }

    /** Another attempt, with other records. */
    Usage retrying(int attempt) throws Exception {
        Usage usage = new Usage(record, false, keyGroups, isClaimed, given, attempt);
        usage.facts.putAll(facts);
        usage.facts.keySet().removeAll(Arrays.asList("failure", "exact"));
        usage.askedBefore.addAll(record.asked);
        return usage;
    }

    void start() throws Exception {
        Reflection.call(Reflection.get(task, "mainMailboxExecutor"), "execute", this, "rehearsal");
    }

    boolean isEnded() {
        return ended;
    }

    Throwable failure() {
        return failure;
    }

    /** What was done: keys by state, records, timers, checkpoint, windows that were left, the failure. */
    Map<String, Object> facts() {
        if (failure != null) {
            facts.put("failure", Failure.of(phase, null, failure));
            facts.put("exact", exact);
        }
        return facts;
    }

    @Override
    public void run() {
        try {
            if (attempt == 0) read();
            if (!onlyRead) use();
            boolean isWritten = facts.containsKey("checkpoint") && askedBefore.containsAll(record.asked);
            if (onlyRead || isWritten) {
                ended = true;
                return;
            }
            phase = "checkpoint";
            write(snapshot());
        } catch (Throwable thrown) {
            failure = thrown;
            ended = true;
        }
    }

    private void read() throws Exception {
        if (keyed != null) countKeys();
        List<String> missing = Stages.missing(operator, keyed);
        if (missing != null) facts.put("missing_stages", missing);
    }

    private void use() throws Exception {
        if (attempt == 0) fireFirst();
        feed();
        fire();
    }

    /** Fires the timers that come before records. */
    private void fireFirst() throws Exception {
        List<Object> windows = windows();
        for (TimerQueue queue : record.timers) queue.open();
        // A window is cleared by its own timer, so that it must fire before records open new windows.
        if (!windows.isEmpty() && fire()) leftWindows(windows);
        // A task fires due timers before its first record; a state's type is checked only where the state is asked for first.
        fire(false, System.currentTimeMillis());
    }

    private void countKeys() throws Exception {
        int written = (Integer) Reflection.get(WatchedStates.holder(keyed), "numberOfKeyGroups");
        facts.put("keys", SavedKeys.count(keyed, stateNames(), key -> true));
        if (keyGroups == 0 || keyGroups == written) return;
        facts.put("written", written);
        facts.put("found_keys", SavedKeys.count(keyed, stateNames(), SavedKeys.foundWith(keyGroups, written)));
    }

    private Collection<String> stateNames() {
        List<String> names = new ArrayList<>(record.restored);
        names.removeIf(name -> name.startsWith(WatchedStates.TIMERS));
        return names;
    }

    /** Processes the records; those of keys first whose states are restored. */
    private void feed() throws Exception {
        if (steps.isEmpty()) steps = given.isEmpty() ? madeSteps() : givenSteps();
        phase = "record";
        int done = 0;
        for (Step step : steps) {
            exact = step.exact;
            facts.put("records", ++done);
            Inputs.process(operator, step.input, copy(step), step.key, earliest());
            if (keyed != null && keyed.getCurrentKey() != null) fedKeys.add(keyed.getCurrentKey());
        }
        facts.put("fed_keys", fedKeys.size());
    }

    private Object copy(Step step) {
        return config.<Object>getTypeSerializerIn(step.input, loader).copy(step.value);
    }

    private List<Step> givenSteps() throws Exception {
        facts.put("given", true);
        List<Step> read = new ArrayList<>();
        for (JsonNode line : given) {
            int input = line.get("input").asInt();
            Object value = Shape.of(config.getTypeSerializerIn(input, loader)).read(line.get("record"));
            read.add(new Step(input, value, null, true));
        }
        return read;
    }

    private List<Step> madeSteps() throws Exception {
        List<Step> made = new ArrayList<>();
        List<Object> keys = keyed == null ? new ArrayList<>() : SavedKeys.sample(keyed, stateNames(), MAX_KEYS);
        for (int input = 0; input < Inputs.count(operator); input++) {
            TypeSerializer<?> type = config.getTypeSerializerIn(input, loader);
            KeySelector<Object, Object> selector = selector(input);
            TypeSerializer<?> keyType = selector == null || keyed == null ? null : keyed.getKeySerializer();
            RecordMaker maker = new RecordMaker(type, selector, keyType, new Variation(attempt, constants));
            Object any = maker.any();
            if (any == null) continue;
            if (selector == null || keyed == null) made.add(new Step(input, any, null, true));
            else for (Object key : keys) made.add(step(input, maker, key, any));
        }
        return made;
    }

    private static Step step(int input, RecordMaker maker, Object key, Object any) throws Exception {
        Object value = maker.withKey(key);
        return value == null ? new Step(input, any, key, false) : new Step(input, value, null, true);
    }

    @SuppressWarnings("unchecked")
    private KeySelector<Object, Object> selector(int input) {
        return (KeySelector<Object, Object>) (KeySelector<?, ?>) config.getStatePartitioner(input, loader);
    }

    /** The time of the earliest timer of event time, which no watermark has passed; else now. */
    private long earliest() throws Exception {
        Long next = next(queue -> queue.ofEventTime);
        return next == null ? System.currentTimeMillis() : next;
    }

    private Long next(Predicate<TimerQueue> chosen) throws Exception {
        Long earliest = null;
        for (TimerQueue queue : record.timers) {
            Long time = chosen.test(queue) ? queue.next() : null;
            if (time != null && (earliest == null || time < earliest)) earliest = time;
        }
        return earliest;
    }

    /** Fires timers, the earliest first; whether none is left. */
    private boolean fire() throws Exception {
        return fire(true, Long.MAX_VALUE) & fire(false, Long.MAX_VALUE);
    }

    /** Fires the timers of one kind up to a time. */
    private boolean fire(boolean ofEventTime, long last) throws Exception {
        phase = "timer";
        Predicate<TimerQueue> chosen = queue -> queue.ofEventTime == ofEventTime;
        for (Long time = next(chosen), before = null; time != null && time <= last && !time.equals(before); before = time, time = next(chosen)) {
            exact = true;
            try {
                if (ofEventTime) Inputs.advance(operator, new Watermark(time));
                else for (Object service : services()) Reflection.invokeDeclared(service, "onProcessingTime", time);
            } finally {
                exact = keyed == null || !fedKeys.contains(keyed.getCurrentKey());
                facts.put("timers", record.timers.stream().mapToInt(TimerQueue::fired).sum());
            }
        }
        for (TimerQueue queue : record.timers) if (chosen.test(queue) && queue.isExhausted()) return false;
        return true;
    }

    private Collection<?> services() throws Exception {
        Object manager = Reflection.get(operator, "timeServiceManager");
        Object services = manager == null ? null : Reflection.get(manager, "timerServices");
        return services instanceof Map ? new ArrayList<>(((Map<?, ?>) services).values()) : new ArrayList<>();
    }

    /** The keys and windows of restored states that a window's end should clear. */
    private List<Object> windows() {
        List<Object> found = new ArrayList<>();
        if (keyed == null || !record.restored.contains(Stages.WINDOWS)) return found;
        for (Tuple2<Object, Object> place : SavedKeys.places(keyed, Stages.WINDOWS, MAX_WINDOWS)) {
            if (place.f1.getClass().getSimpleName().equals("TimeWindow")) found.add(place);
        }
        return found;
    }

    private void leftWindows(List<Object> before) {
        Set<Object> left = new HashSet<>(SavedKeys.places(keyed, Stages.WINDOWS, Integer.MAX_VALUE));
        left.retainAll(before);
        facts.put("windows", before.size());
        facts.put("left_windows", left.size());
    }

    /** The parts of a checkpoint that are still to be written, as futures or null. */
    private List<Object> snapshot() throws Exception {
        if (!isClaimed) Reflection.invokeDeclared(task, "checkForcedFullSnapshotSupport", fullCheckpoint());
        long checkpoint = attempt + 1;
        operator.prepareSnapshotPreBarrier(checkpoint);
        CheckpointOptions options = CheckpointOptions.forCheckpointWithDefaultLocation();
        CheckpointStreamFactory storage = new MemCheckpointStreamFactory(Integer.MAX_VALUE);
        Object futures = operator.snapshotState(checkpoint, System.currentTimeMillis(), options, storage);
        List<Object> parts = new ArrayList<>();
        for (String kind : Arrays.asList("KeyedStateManaged", "KeyedStateRaw", "OperatorStateManaged", "OperatorStateRaw")) {
            parts.add(Reflection.call(futures, "get" + kind + "Future"));
        }
        // A changelog's checkpoint has the changes; its task writes the whole state from time to time.
        Optional<?> whole = keyed == null ? null : (Optional<?>) Reflection.callIfPresent(keyed, "initMaterialization");
        if (whole != null && whole.isPresent()) parts.add(Reflection.invokeDeclared(whole.get(), "getMaterializationRunnable"));
        return parts;
    }

    /** Writes them in a thread of its own, as {@code AsyncCheckpointRunnable}: uploads of a changelog end in the task's thread. */
    private void write(List<Object> parts) {
        Thread writer = new Thread(() -> {
            try {
                for (Object part : parts) {
                    if (part instanceof RunnableFuture && !((Future<?>) part).isDone()) ((RunnableFuture<?>) part).run();
                    if (part != null) ((Future<?>) part).get();
                }
                facts.put("checkpoint", true);
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                ended = true;
            }
        }, "rehearsal checkpoint");
        writer.setContextClassLoader(loader);
        writer.setDaemon(true);
        writer.start();
    }

    private static CheckpointOptions fullCheckpoint() {
        return CheckpointOptions.alignedNoTimeout(CheckpointType.FULL_CHECKPOINT, CheckpointStorageLocationReference.getDefault());
    }
}
