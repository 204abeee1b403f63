import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.flink.api.common.operators.ResourceSpec;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.event.AbstractEvent;
import org.apache.flink.runtime.io.network.api.CheckpointBarrier;
import org.apache.flink.runtime.state.*;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.TimeCharacteristic; // -1.11
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.*;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.co.*;
import org.apache.flink.streaming.api.functions.source.ParallelSourceFunction; // -1.20
import org.apache.flink.streaming.api.functions.source.legacy.ParallelSourceFunction; // 2.0-
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.*;
import org.apache.flink.streaming.api.transformations.*; // 1.12-
import org.apache.flink.api.common.eventtime.WatermarkStrategy; // 1.12-
import org.apache.flink.api.connector.source.lib.NumberSequenceSource; // 1.12-
import org.apache.flink.api.common.serialization.SimpleStringEncoder; // 1.15-
import org.apache.flink.connector.file.sink.FileSink; // 1.15-
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.io.RecordWriterOutput;
import org.apache.flink.streaming.runtime.streamrecord.*;
import org.apache.flink.streaming.runtime.streamstatus.StreamStatus; // -1.13
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus; // 1.14-
import org.apache.flink.streaming.runtime.tasks.*;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Asks real tasks what they hold and how they are called. A line of standard input is a pipeline
 * document; it runs on a local cluster. "inside": every StreamTask that runs is read by reflection.
 * "life": operators that log stand in the places of the document's own, and the job ends; a line
 * for each first call tells the operator, the call, and the classes between it and its caller.
 * A line that ends in a comment such as "1.12-" or "-1.13" is for those releases alone.
 */
public class AskTasks {
    static final ObjectMapper JSON = new ObjectMapper();
    static final TypeInformation<Long> LONG = Types.LONG;
    static final KeySelector<Long, Long> KEY = new KeySelector<Long, Long>() {
        public Long getKey(Long n) { return n; }
    };
    static final Map<String, List<Object>> LOG = new ConcurrentHashMap<>();
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
    static volatile boolean checkpointed;
    static boolean life;

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(new PrintStream(new OutputStream() { public void write(int b) { } }));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> asked = JSON.readValue(line, Map.class);
            life = asked.get("ask").equals("life");
            LOG.clear(); SEEN.clear(); TASK.clear();
            Object told;
            try {
                told = new Job((Map<String, Object>) asked.get("pipeline")).told();
            } catch (Throwable e) {
                Throwable root = e;
                while (root.getCause() != null) root = root.getCause();
                boolean refused = root instanceof UnsupportedOperationException;
                told = Collections.singletonMap(refused ? "refused" : "failed", root.toString());
            }
            out.println("= " + JSON.writeValueAsString(told));
            out.flush();
        }
        System.exit(0);
    }

    static class Job {
        final StreamExecutionEnvironment env;
        final Map<String, Object> streams = new HashMap<>();
        final List<Map<String, Object>> steps;

        @SuppressWarnings("unchecked")
        Job(Map<String, Object> pipeline) throws Exception {
            numberAnew();
            Configuration options = new Configuration();
            options.setString("rest.bind-port", "0");
            Map<String, Object> of = (Map<String, Object>) pipeline.getOrDefault("environment", new HashMap<>());
            env = StreamExecutionEnvironment.createLocalEnvironment((Integer) of.getOrDefault("parallelism", 1), options);
            env.setBufferTimeout(10);
            env.setStreamTimeCharacteristic(TimeCharacteristic.EventTime); // -1.11
            if (life) env.getConfig().setLatencyTrackingInterval(40);
            checkpointed = !of.containsKey("checkpoint_interval");
            if (!checkpointed) env.enableCheckpointing((Integer) of.get("checkpoint_interval"));
            Map<String, Object> given = (Map<String, Object>) of.getOrDefault("configuration", new HashMap<>());
            if ("true".equals(String.valueOf(given.get("pipeline.object-reuse")))) env.getConfig().enableObjectReuse();
            steps = (List<Map<String, Object>>) pipeline.get("transformations");
            for (Map<String, Object> step : steps) streams.put((String) step.get("id"), made(step));
        }

        /** Transformations, which name the ends of an iteration, are numbered from 1 in a new JVM. */
        static void numberAnew() throws Exception {
            Class<?> type = org.apache.flink.api.dag.Transformation.class;
            Field counter = find(type, find(type, "idCounter") == null ? "ID_COUNTER" : "idCounter");
            counter.setAccessible(true);
            if (counter.get(null) instanceof java.util.concurrent.atomic.AtomicInteger) ((java.util.concurrent.atomic.AtomicInteger) counter.get(null)).set(0);
            else counter.set(null, 0);
        }

        @SuppressWarnings("unchecked")
        DataStream<Long> input(Map<String, Object> step, int n) {
            return (DataStream<Long>) streams.get(((List<String>) step.get("inputs")).get(n));
        }

        @SuppressWarnings("unchecked")
        Object made(Map<String, Object> step) {
            String id = (String) step.get("id");
            List<String> inputs = (List<String>) step.getOrDefault("inputs", new ArrayList<>());
            DataStream<Long> first = inputs.isEmpty() ? null : input(step, 0);
            switch ((String) step.get("type")) {
                case "key_by": return first.keyBy(KEY, LONG);
                case "rebalance": return first.rebalance();
                case "broadcast": return first.broadcast();
                case "side_output": return ((SingleOutputStreamOperator<Long>) first).getSideOutput(tag((String) step.get("tag")));
                case "union": return first.union(input(step, 1));
                case "sink": return set(((DataStream<Long>) first).print(), step);
                case "iterate": return first.iterate(60000); // -1.20
                case "close_iteration": return ((IterativeStream<Long>) streams.get(step.get("iteration"))).closeWith(first); // -1.20
            }
            SingleOutputStreamOperator<Long> made = life ? logged(step, first) : plain(step, first);
            made.name((String) step.get("name"));
            if ("HEAD".equals(step.get("chaining_strategy"))) made.startNewChain();
            if ("NEVER".equals(step.get("chaining_strategy"))) made.disableChaining();
            resources(made.getTransformation(), step);
            Integer weight = (Integer) step.get("managed_memory_weight");
            if (weight != null) made.getTransformation().setManagedMemoryWeight(weight); // 1.10-1.11
            if (weight != null) made.getTransformation().declareManagedMemoryUseCaseAtOperatorScope(org.apache.flink.core.memory.ManagedMemoryUseCase.valueOf("BATCH_OP"), weight); // 1.12-1.12
            if (weight != null) made.getTransformation().declareManagedMemoryUseCaseAtOperatorScope(org.apache.flink.core.memory.ManagedMemoryUseCase.valueOf("OPERATOR"), weight); // 1.13-
            return made;
        }

        Object set(DataStreamSink<Long> sink, Map<String, Object> step) {
            resources(sink.getTransformation(), step);
            return sink.name((String) step.get("name"));
        }

        @SuppressWarnings("unchecked")
        static void resources(org.apache.flink.api.dag.Transformation<?> of, Map<String, Object> step) {
            Map<String, Object> given = (Map<String, Object>) step.get("resources");
            if (given == null) return;
            double cpu = ((Number) given.get("cpu")).doubleValue();
            int heap = (Integer) given.get("heap_mb");
            ResourceSpec spec = ResourceSpec.newBuilder().setCpuCores(cpu).setHeapMemoryInMB(heap).build(); // -1.9
            ResourceSpec spec = ResourceSpec.newBuilder(cpu, heap).build(); // 1.10-
            of.setResources(spec, spec);
        }

        SingleOutputStreamOperator<Long> plain(Map<String, Object> step, DataStream<Long> first) {
            String name = (String) step.get("name");
            switch ((String) step.get("type")) {
                case "legacy_source": return env.addSource(new Numbers(), LONG);
                case "map": return first.map(n -> slow(n)).returns(LONG);
                case "filter": return first.filter(n -> slow(n) >= 0);
                case "process": return first.process(new Sides());
                case "reduce": return ((KeyedStream<Long, Long>) first).reduce((a, b) -> slow(a + b));
                case "co_map": return first.connect(input(step, 1)).map(new Two());
                case "source": return env.fromSource(new NumberSequenceSource(0, Long.MAX_VALUE / 2), WatermarkStrategy.noWatermarks(), name); // 1.12-
                case "multiple_input": return multiple(step); // 1.12-
                case "sink_v2": return committed(first); // 1.15-
            }
            throw new IllegalArgumentException(step.toString());
        }

        SingleOutputStreamOperator<Long> logged(Map<String, Object> step, DataStream<Long> first) {
            String name = (String) step.get("name");
            switch ((String) step.get("type")) {
                case "legacy_source": return new DataStreamSource<>(env, LONG, new LoggedSource(name), true, name);
                case "map": case "process": return first.transform(name, LONG, new Logged(name));
                case "co_map": return first.connect(input(step, 1)).transform(name, LONG, new LoggedTwo(name));
                case "source": return env.fromSource(new NumberSequenceSource(0, 5), WatermarkStrategy.noWatermarks(), name); // 1.12-
                case "multiple_input": return multiple(step); // 1.12-
            }
            throw new IllegalArgumentException(step.toString());
        }

        @SuppressWarnings("unchecked") // 1.12-
        SingleOutputStreamOperator<Long> multiple(Map<String, Object> step) { // 1.12-
            int inputs = ((List<String>) step.get("inputs")).size(); // 1.12-
            MultipleInputTransformation<Long> made = new MultipleInputTransformation<>((String) step.get("name"), new MultiFactory((String) step.get("name"), inputs), LONG, env.getParallelism()); // 1.12-
            for (int i = 0; i < inputs; i++) made.addInput(input(step, i).getTransformation()); // 1.12-
            return new MultipleConnectedStreams(env).transform(made); // 1.12-
        } // 1.12-
        @SuppressWarnings("unchecked") // 1.15-
        SingleOutputStreamOperator<Long> committed(DataStream<Long> first) { // 1.15-
            DataStreamSink<Long> sink = first.sinkTo(FileSink.forRowFormat(new org.apache.flink.core.fs.Path(System.getProperty("java.io.tmpdir") + "/asked-rows"), new SimpleStringEncoder<Long>()).build()); // 1.15-
            return new SingleOutputStreamOperator<Long>(env, (org.apache.flink.api.dag.Transformation<Long>) (Object) sink.getTransformation()) { // 1.15-
                public SingleOutputStreamOperator<Long> name(String name) { sink.name(name); return this; } // 1.15-
            }; // 1.15-
        } // 1.15-

        Object told() throws Exception {
            int vertices = env.getStreamGraph().getJobGraph().getNumberOfVertices(); // -1.9
            int vertices = env.getStreamGraph("asked", false).getJobGraph().getNumberOfVertices(); // 1.10-1.13
            int vertices = env.getStreamGraph(false).getJobGraph().getNumberOfVertices(); // 1.14-
            FutureTask<Object> run = new FutureTask<>(() -> { env.execute("asked"); return null; });
            Thread thread = new Thread(run);
            thread.setDaemon(true);
            thread.start();
            if (life) {
                run.get(60, TimeUnit.SECONDS);
                return new TreeMap<>(LOG);
            }
            Map<String, Object> tasks = null;
            for (int i = 0; i < 300 && (tasks == null || tasks.size() < vertices); i++) {
                Thread.sleep(100);
                if (run.isDone()) run.get();
                tasks = Tasks.running();
            }
            if (tasks.size() < vertices) throw new IllegalStateException("only " + tasks.keySet());
            Tasks.end();
            try { run.get(10, TimeUnit.SECONDS); } catch (ExecutionException | TimeoutException ended) { }
            return tasks;
        }
    }

    static OutputTag<Long> tag(String name) { return new OutputTag<Long>(name, LONG); }

    static long slow(long n) throws InterruptedException { Thread.sleep(5); return n; }

    static class Numbers implements ParallelSourceFunction<Long> {
        volatile boolean running = true;
        public void run(SourceContext<Long> out) throws Exception {
            for (long n = 0; running; n++) synchronized (out.getCheckpointLock()) { out.collect(slow(n)); }
        }
        public void cancel() { running = false; }
    }
    static class Sides extends ProcessFunction<Long, Long> {
        public void processElement(Long n, Context context, Collector<Long> out) throws Exception {
            out.collect(slow(n));
            context.output(tag("late"), n);
            context.output(tag("odd"), n);
        }
    }
    static class Two implements CoMapFunction<Long, Long, Long> {
        public Long map1(Long n) throws Exception { return slow(n); }
        public Long map2(Long n) throws Exception { return slow(n); }
    }

    /** What the threads of running tasks hold. */
    static class Tasks {
        /** Jobs that were read: their threads may take a while to end. */
        static final Set<Object> PAST = new HashSet<>();

        static Map<String, Object> running() throws Exception {
            Map<String, Object> found = new TreeMap<>();
            for (Object task : threads()) {
                Object invokable = field(task, "invokable");
                if (!(invokable instanceof StreamTask) || !ready(invokable)) continue;
                String name = String.valueOf(call(task, "getTaskInfo") == null ? null : call(call(task, "getTaskInfo"), "getTaskName"));
                found.put(name, new Reader(invokable).told());
            }
            return found;
        }

        static boolean ready(Object task) throws Exception {
            Object input = field(task, "inputProcessor");
            boolean reads = input != null || task instanceof SourceStreamTask || task.getClass().getSimpleName().contains("Iteration");
            Object status = call(task, "isRunning");
            return field(task, "operatorChain") != null && reads && Boolean.TRUE.equals(status);
        }

        static List<Object> threads() throws Exception {
            List<Object> tasks = new ArrayList<>();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                Object target = field(thread, "target");
                boolean runs = target != null && target.getClass().getName().endsWith("taskmanager.Task");
                if (runs && !PAST.contains(call(target, "getJobID"))) tasks.add(target);
            }
            return tasks;
        }

        static void end() throws Exception {
            for (Object task : threads()) {
                PAST.add(call(task, "getJobID"));
                task.getClass().getMethod("failExternally", Throwable.class).invoke(task, new Exception("seen"));
            }
        }
    }

    static class Reader {
        final Object task, chain;
        final List<Object> streamOutputs;

        Reader(Object task) throws Exception {
            this.task = task;
            chain = field(task, "operatorChain");
            streamOutputs = Arrays.asList((Object[]) field(chain, "streamOutputs"));
        }

        Map<String, Object> told() throws Exception {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("invokable", name(task));
            told.put("chain", name(chain));
            told.put("network", streamOutputs.size());
            told.put("linked", linked(false));
            told.put("linked_back", linked(true));
            told.put("operators", operators());
            told.put("entry", entry());
            told.put("sources", sources());
            told.put("input", input(field(task, "inputProcessor"), new IdentityHashMap<>()));
            if (name(task).contains("Iteration")) told.put("end", end());
            return told;
        }

        /** What an end of an iteration holds beside its chain: a tail its own operator, both a queue. */
        Map<String, Object> end() throws Exception {
            Map<String, Object> told = new LinkedHashMap<>();
            Object operator = field(task, has(task, "headOperator") ? "headOperator" : "mainOperator");
            told.put("operator", operator == null ? null : name(operator));
            Object keeps = operator == null ? task : field(operator, "output");
            told.put("output", operator == null ? null : output(keeps));
            while (has(keeps, "output")) keeps = field(keeps, "output");
            told.put("queue", has(keeps, "dataChannel") ? name(field(keeps, "dataChannel")) : null);
            return told;
        }

        /** The wrappers as they are linked, from either end; null where an array holds the operators. */
        List<Object> linked(boolean back) throws Exception {
            String main = has(chain, "headOperatorWrapper") ? "headOperatorWrapper" : "firstOperatorWrapper";
            if (!has(chain, "tailOperatorWrapper")) return null;
            List<Object> names = new ArrayList<>();
            Object at = field(chain, back ? "tailOperatorWrapper" : main);
            for (; at != null; at = field(at, back ? "previous" : "next")) names.add(operatorName(field(at, "wrapped")));
            return names;
        }

        List<Object> operators() throws Exception {
            List<Object> told = new ArrayList<>();
            for (Object one : all()) {
                if (one == null) continue; // An array has a place for the head that an iteration's end lacks.
                Map<String, Object> operator = new LinkedHashMap<>();
                operator.put("name", operatorName(one));
                operator.put("class", name(one));
                operator.put("output", output(field(one, "output")));
                told.add(operator);
            }
            return told;
        }

        List<Object> all() throws Exception {
            if (has(chain, "allOperators")) return Arrays.asList((Object[]) field(chain, "allOperators"));
            List<Object> found = new ArrayList<>();
            String first = has(chain, "headOperatorWrapper") ? "headOperatorWrapper" : "firstOperatorWrapper";
            for (Object at = field(chain, first); at != null; at = field(at, "next")) found.add(field(at, "wrapped"));
            return found;
        }

        /** What the head's own output is, as the chain keeps it. */
        Object entry() throws Exception {
            return output(field(chain, has(chain, "chainEntryPoint") ? "chainEntryPoint" : "mainOperatorOutput"));
        }

        Object output(Object out) throws Exception {
            if (out == null) return null;
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("class", name(out));
            int place = streamOutputs.indexOf(out);
            if (place >= 0) told.put("network", place);
            for (String one : new String[] {"operator", "input"}) if (has(out, one) && !told.containsKey("to")) told.put("to", target(field(out, one)));
            Object tag = has(out, "outputTag") ? field(out, "outputTag") : null;
            if (tag != null) told.put("tag", ((OutputTag<?>) tag).getId());
            if (has(out, "outputs")) {
                List<Object> inner = new ArrayList<>();
                for (Object one : (Object[]) field(out, "outputs")) inner.add(output(one));
                told.put("outputs", inner);
            } else if (has(out, "output")) {
                told.put("outputs", Collections.singletonList(output(field(out, "output"))));
            }
            return told;
        }

        Object target(Object input) throws Exception {
            if (input instanceof StreamOperator) return operatorName(input);
            if (has(input, "owner")) return operatorName(field(input, "owner"));
            return name(input);
        }

        List<Object> sources() throws Exception {
            if (!has(chain, "chainedSources")) return Collections.emptyList();
            List<Object> told = new ArrayList<>();
            for (Object one : ((Map<?, ?>) field(chain, "chainedSources")).values()) {
                Map<String, Object> source = new LinkedHashMap<>();
                source.put("source", operatorName(field(field(one, "sourceTaskInput"), "operator")));
                source.put("output", output(field(one, "chainedSourceOutput")));
                source.put("input", name(field(one, "sourceTaskInput")));
                told.add(source);
            }
            return told;
        }

        Object input(Object at, IdentityHashMap<Object, Object> seen) throws Exception {
            if (at == null || seen.put(at, at) != null) return null;
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("class", name(at));
            List<Object> inner = new ArrayList<>();
            for (Class<?> type = at.getClass(); type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) || field.getName().startsWith("this$")) continue;
                    field.setAccessible(true);
                    Object value = field.get(at);
                    Object[] values = value instanceof Object[] ? (Object[]) value : new Object[] {value};
                    for (Object one : values) if (reads(one)) inner.add(input(one, seen));
                }
            }
            inner.removeIf(Objects::isNull);
            if (!inner.isEmpty()) told.put("holds", inner);
            return told;
        }

        static boolean reads(Object one) {
            if (one == null) return false;
            String name = one.getClass().getSimpleName();
            return name.matches("Stream.*(Input|InputProcessor)|InputProcessor|.*DataOutput.*|StreamTask(Network|Source)Output|ForwardingValveOutputHandler|StatusWatermarkValve|UnionInputGate|SingleInputGate|CheckpointedInputGate|InputGateWithMetrics");
        }
    }

    static String operatorName(Object operator) throws Exception {
        return ((StreamConfig) field(operator, "config")).getOperatorName();
    }

    static String name(Object one) {
        String name = one.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    static boolean has(Object at, String name) { return find(at.getClass(), name) != null; }

    static Field find(Class<?> type, String name) {
        for (; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) if (field.getName().equals(name)) return field;
        }
        return null;
    }

    static Object field(Object at, String name) throws Exception {
        Field field = find(at.getClass(), name);
        if (field == null) throw new NoSuchFieldException(name + " of " + at.getClass());
        field.setAccessible(true);
        return field.get(at);
    }

    static Object call(Object at, String name) throws Exception {
        for (Class<?> type = at.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.getParameterCount() > 0) continue;
                method.setAccessible(true);
                return method.invoke(at);
            }
        }
        throw new NoSuchMethodException(name + " of " + at.getClass());
    }

    /** Writes a call down when it comes for the first time, with the way from its caller. */
    static void log(String operator, String call) {
        if (!SEEN.add(operator + " " + call)) return;
        StackTraceElement[] stack = new Throwable().getStackTrace();
        List<String> way = new ArrayList<>();
        String caller = null;
        for (int i = 2; i < stack.length && caller == null; i++) {
            String type = stack[i].getClassName(), method = stack[i].getMethodName();
            String last = type.substring(type.lastIndexOf('.') + 1);
            if (type.startsWith("AskTasks$Logged") || type.startsWith("AskTasks$Multi")) caller = method;
            else if (type.startsWith("org.apache.flink") && !type.contains("Lambda") && !method.contains("lambda$")) way.add(last + "." + method);
        }
        String task = Thread.currentThread().getName();
        List<Object> entry = new ArrayList<>(Arrays.asList(operator, call, caller == null ? "" : caller, way.subList(0, Math.min(way.size(), 4))));
        LOG.computeIfAbsent(TASK.getOrDefault(operator, task), key -> Collections.synchronizedList(new ArrayList<>())).add(entry);
    }
    static final Map<String, String> TASK = new ConcurrentHashMap<>();

    /** Puts outputs that log in the places of the chain's network outputs. */
    static void watch(StreamTask<?, ?> task, String operator) {
        TASK.put(operator, task.getName().replaceAll(" \\(\\d+/\\d+\\).*", ""));
        try {
            if (!has(task, "operatorChain")) return;
            Object chain = field(task, "operatorChain");
            if (chain == null) return;
            Object[] outputs = (Object[]) field(chain, "streamOutputs");
            for (int i = 0; i < outputs.length; i++) {
                if (outputs[i] instanceof Watched) continue;
                outputs[i] = Watched.of(outputs[i], operator, i);
            }
        } catch (Exception e) { throw new IllegalStateException(e); }
    }

    static class Watched extends RecordWriterOutput<Long> {
        String operator;
        int number;
        Watched() { super(null, null, null, null); } // -1.10
        Watched() { super(null, null, null, null, false); } // 1.11-1.13
        Watched() { super(null, null, null, false); } // 1.14-
        static Watched of(Object output, String operator, int number) throws Exception {
            Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            Watched made = (Watched) ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(Watched.class);
            for (Field field : RecordWriterOutput.class.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                field.setAccessible(true);
                field.set(made, field.get(output));
            }
            made.operator = operator;
            made.number = number;
            return made;
        }
        public void broadcastEvent(AbstractEvent event) throws IOException { // -1.10
            said(event); super.broadcastEvent(event); // -1.10
        } // -1.10
        public void broadcastEvent(AbstractEvent event, boolean priority) throws IOException { // 1.11-
            said(event); super.broadcastEvent(event, priority); // 1.11-
        } // 1.11-
        void said(AbstractEvent event) {
            TASK.putIfAbsent("output " + number + " of " + operator, TASK.get(operator));
            if (event instanceof CheckpointBarrier) log("output " + number + " of " + operator, "broadcastEvent");
        }
    }

    static class Logged extends AbstractStreamOperator<Long> implements OneInputStreamOperator<Long, Long>, BoundedOneInput {
        final String name;
        Logged(String name) { this.name = name; }
        { chainingStrategy = ChainingStrategy.ALWAYS; } // -1.20
        public void setup(StreamTask<?, ?> task, StreamConfig config, Output<StreamRecord<Long>> output) { super.setup(task, config, output); watch(task, name); log(name, "setup"); }
        public void initializeState(StateInitializationContext context) throws Exception { log(name, "initializeState"); super.initializeState(context); }
        public void open() throws Exception { log(name, "open"); super.open(); }
        public void processElement(StreamRecord<Long> record) throws Exception {
            log(name, "processElement");
            output.collect(record);
            output.collect(tag("late"), record);
        }
        public void processWatermark(Watermark mark) throws Exception { if (mark.getTimestamp() == 5) log(name, "processWatermark"); super.processWatermark(mark); }
        public void processWatermarkStatus(WatermarkStatus status) throws Exception { log(name, "processWatermarkStatus"); super.processWatermarkStatus(status); } // 1.14-
        public void processLatencyMarker(LatencyMarker marker) throws Exception { log(name, "processLatencyMarker"); super.processLatencyMarker(marker); }
        public void prepareSnapshotPreBarrier(long id) throws Exception { watch(getContainingTask(), name); log(name, "prepareSnapshotPreBarrier"); super.prepareSnapshotPreBarrier(id); }
        public void snapshotState(StateSnapshotContext context) throws Exception { log(name, "snapshotState"); super.snapshotState(context); }
        public void notifyCheckpointComplete(long id) throws Exception { log(name, "notifyCheckpointComplete"); super.notifyCheckpointComplete(id); checkpointed = true; }
        public void endInput() throws Exception { log(name, "endInput"); }
        public void finish() throws Exception { log(name, "finish"); super.finish(); } // 1.14-
        public void close() throws Exception { log(name, "close"); super.close(); }
        public void dispose() throws Exception { log(name, "dispose"); super.dispose(); } // -1.13
    }

    static class LoggedTwo extends AbstractStreamOperator<Long> implements TwoInputStreamOperator<Long, Long, Long>, BoundedMultiInput {
        final String name;
        LoggedTwo(String name) { this.name = name; }
        public void setup(StreamTask<?, ?> task, StreamConfig config, Output<StreamRecord<Long>> output) { super.setup(task, config, output); watch(task, name); log(name, "setup"); }
        public void initializeState(StateInitializationContext context) throws Exception { log(name, "initializeState"); super.initializeState(context); }
        public void open() throws Exception { log(name, "open"); super.open(); }
        public void processElement1(StreamRecord<Long> record) throws Exception { log(name, "processElement"); output.collect(record); }
        public void processElement2(StreamRecord<Long> record) throws Exception { log(name, "processElement"); output.collect(record); }
        public void prepareSnapshotPreBarrier(long id) throws Exception { watch(getContainingTask(), name); log(name, "prepareSnapshotPreBarrier"); super.prepareSnapshotPreBarrier(id); }
        public void snapshotState(StateSnapshotContext context) throws Exception { log(name, "snapshotState"); super.snapshotState(context); }
        public void endInput(int input) throws Exception { log(name, "endInput"); }
        public void finish() throws Exception { log(name, "finish"); super.finish(); } // 1.14-
        public void close() throws Exception { log(name, "close"); super.close(); }
        public void dispose() throws Exception { log(name, "dispose"); super.dispose(); } // -1.13
    }

    static class LoggedSource extends StreamSource<Long, Few> {
        final String name;
        LoggedSource(String name) { super(new Few()); this.name = name; }
        public void setup(StreamTask<?, ?> task, StreamConfig config, Output<StreamRecord<Long>> output) { super.setup(task, config, output); watch(task, name); log(name, "setup"); }
        public void initializeState(StateInitializationContext context) throws Exception { log(name, "initializeState"); super.initializeState(context); }
        public void open() throws Exception { log(name, "open"); super.open(); }
        public void prepareSnapshotPreBarrier(long id) throws Exception { watch(getContainingTask(), name); log(name, "prepareSnapshotPreBarrier"); super.prepareSnapshotPreBarrier(id); }
        public void snapshotState(StateSnapshotContext context) throws Exception { log(name, "snapshotState"); super.snapshotState(context); }
        public void notifyCheckpointComplete(long id) throws Exception { log(name, "notifyCheckpointComplete"); super.notifyCheckpointComplete(id); checkpointed = true; }
        public void finish() throws Exception { log(name, "finish"); super.finish(); } // 1.14-
        public void close() throws Exception { log(name, "close"); super.close(); }
        public void dispose() throws Exception { log(name, "dispose"); super.dispose(); } // -1.13
    }

    static class Few implements ParallelSourceFunction<Long> {
        volatile boolean running = true;
        public void run(SourceContext<Long> out) throws Exception {
            synchronized (out.getCheckpointLock()) { out.collect(1L); }
            for (int i = 0; i < 200 && running && !checkpointed; i++) Thread.sleep(20);
            synchronized (out.getCheckpointLock()) { out.emitWatermark(new Watermark(5)); }
            Thread.sleep(150);
            out.markAsTemporarilyIdle();
            Thread.sleep(150);
        }
        public void cancel() { running = false; }
    }

    static class MultiFactory extends AbstractStreamOperatorFactory<Long> { // 1.12-
        final String name; final int inputs; // 1.12-
        MultiFactory(String name, int inputs) { this.name = name; this.inputs = inputs; chainingStrategy = ChainingStrategy.HEAD_WITH_SOURCES; } // 1.12-
        @SuppressWarnings("unchecked") public <T extends StreamOperator<Long>> T createStreamOperator(StreamOperatorParameters<Long> parameters) { return (T) new Multi(parameters, name, inputs); } // 1.12-
        @SuppressWarnings("rawtypes") public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) { return Multi.class; } // 1.12-
    } // 1.12-
    static class Multi extends AbstractStreamOperatorV2<Long> implements MultipleInputStreamOperator<Long>, BoundedMultiInput { // 1.12-
        final String name; final List<Input> all = new ArrayList<>(); // 1.12-
        Multi(StreamOperatorParameters<Long> parameters, String name, int inputs) { // 1.12-
            super(parameters, inputs); this.name = name; // 1.12-
            if (life) { watch(parameters.getContainingTask(), name); log(name, "setup"); } // 1.12-
            for (int i = 1; i <= inputs; i++) all.add(new MultiInput(this, i)); // 1.12-
        } // 1.12-
        public List<Input> getInputs() { return all; } // 1.12-
        void said(String call) { if (life) log(name, call); } // 1.12-
        public void initializeState(StateInitializationContext context) throws Exception { said("initializeState"); super.initializeState(context); } // 1.12-
        public void open() throws Exception { said("open"); super.open(); } // 1.12-
        public void prepareSnapshotPreBarrier(long id) throws Exception { said("prepareSnapshotPreBarrier"); super.prepareSnapshotPreBarrier(id); } // 1.12-
        public void snapshotState(StateSnapshotContext context) throws Exception { said("snapshotState"); super.snapshotState(context); } // 1.12-
        public void endInput(int input) throws Exception { said("endInput"); } // 1.12-
        public void finish() throws Exception { said("finish"); super.finish(); } // 1.14-
        public void close() throws Exception { said("close"); super.close(); } // 1.12-
        public void dispose() throws Exception { said("dispose"); super.dispose(); } // 1.12-1.13
    } // 1.12-
    static class MultiInput extends AbstractInput<Long, Long> { // 1.12-
        MultiInput(Multi owner, int number) { super(owner, number); } // 1.12-
        public void processElement(StreamRecord<Long> record) throws Exception { if (life) ((Multi) owner).said("processElement"); else slow(1); output.collect(record); } // 1.12-
    } // 1.12-
}
