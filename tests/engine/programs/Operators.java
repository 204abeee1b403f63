import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceReaderBase;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.NumberSequenceIterator;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.functions.RichCoGroupFunction;
import org.apache.flink.api.common.functions.RichJoinFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.IOMetrics;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.datastream.AllWindowedStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.IterativeStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraphGenerator;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.MultipleConnectedStreams;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.operators.AbstractInput;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.transformations.MultipleInputTransformation;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.functions.sink.SinkFunction;
import org.apache.flink.streaming.api.functions.source.RichParallelSourceFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessAllWindowFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.streaming.api.windowing.windows.Window;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs pipelines on a real cluster: a line is a document of ours as JSON, with functions of the
 * DataStream API that do what its fields say. The answer is what runs.jsonl holds of a run.
 */
public final class Operators {
    static final ObjectMapper JSON = new ObjectMapper();
    /** By sink, the rows that came. */
    static final Map<String, List<String>> ROWS = new ConcurrentHashMap<>();
    /** By the ID of a window's operator, its numLateRecordsDropped over all subtasks. */
    static final Map<String, Long> DROPPED = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        Configuration options = new Configuration();
        options.setString("rest.bind-port", "0");
        options.setString("taskmanager.memory.network.max", "256m");
        MiniClusterConfiguration configuration = new MiniClusterConfiguration.Builder()
                .setConfiguration(options).setNumTaskManagers(1).setNumSlotsPerTaskManager(8).build();
        BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (MiniCluster cluster = new MiniCluster(configuration)) {
            cluster.start();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, Object> answer = new Run(JSON.readTree(line)).on(cluster);
                System.out.println("= " + JSON.writeValueAsString(answer));
            }
        }
        System.exit(0);
    }

    /** The columns of a stream's rows. */
    static final class Columns implements Serializable {
        final List<String> names = new ArrayList<>();
        final List<String> types = new ArrayList<>();

        Columns with(String name, String type) {
            Columns more = new Columns();
            more.names.addAll(names);
            more.types.addAll(types);
            more.names.add(name);
            more.types.add(type);
            return more;
        }

        /** Those of both; a name that is taken gets the first free number, as in Flink SQL. */
        Columns joined(Columns other) {
            Columns all = this;
            for (int i = 0; i < other.names.size(); i++) {
                String name = other.names.get(i);
                for (int j = 0; all.names.contains(name); j++) name = other.names.get(i) + j;
                all = all.with(name, other.types.get(i));
            }
            return all;
        }

        int at(String name) {
            return names.indexOf(name);
        }

        RowTypeInfo info() {
            TypeInformation<?>[] kinds = types.stream().map(Operators::info)
                    .toArray(TypeInformation<?>[]::new);
            return new RowTypeInfo(kinds, names.toArray(new String[0]));
        }

        static Columns read(String schema) {
            Columns found = new Columns();
            for (String part : schema.split(",")) {
                String[] words = part.trim().split("\\s+");
                found = found.with(words[0], words[1]);
            }
            return found;
        }
    }

    static TypeInformation<?> info(String type) {
        switch (type) {
            case "LONG": return Types.LONG;
            case "DOUBLE": return Types.DOUBLE;
            case "BOOLEAN": return Types.BOOLEAN;
            default: return Types.STRING;
        }
    }

    /** A column, a number, a text in quotes, or two of them with + * % = > between. */
    static final class Expression implements Serializable {
        final String text;
        final Columns columns;
        final String[] parts;

        Expression(String text, Columns columns) {
            this.text = text.trim();
            this.columns = columns;
            this.parts = this.text.split("\\s+");
        }

        String type() {
            if (parts.length == 3) {
                if ("=<>".contains(parts[1])) return "BOOLEAN";
                return "DOUBLE".equals(typeOf(parts[0])) ? "DOUBLE" : "LONG";
            }
            return typeOf(parts[0]);
        }

        String typeOf(String part) {
            if (columns.at(part) >= 0) return columns.types.get(columns.at(part));
            return part.startsWith("'") ? "STRING" : "LONG";
        }

        Object of(Row row) {
            Object left = value(parts[0], row);
            if (parts.length == 1) return left;
            Object right = value(parts[2], row);
            if (left == null || right == null) return null;
            switch (parts[1]) {
                case "=": return left.equals(right);
                case ">": return ((Number) left).doubleValue() > ((Number) right).doubleValue();
                case "<": return ((Number) left).doubleValue() < ((Number) right).doubleValue();
                case "%": return (Long) left % (Long) right;
                case "*": return (Long) left * (Long) right;
                case "-": return (Long) left - (Long) right;
                default: return (Long) left + (Long) right;
            }
        }

        Object value(String part, Row row) {
            int at = columns.at(part);
            if (at >= 0) return row.getField(at);
            if (part.startsWith("'")) return part.substring(1, part.length() - 1);
            return Long.parseLong(part);
        }
    }

    /** The row that a select computes. */
    static final class Select implements Serializable {
        final List<Expression> columns = new ArrayList<>();
        Columns gives = new Columns();

        Select(JsonNode fields, Columns given) {
            fields.fields().forEachRemaining(one -> {
                Expression column = new Expression(one.getValue().asText(), given);
                columns.add(column);
                gives = gives.with(one.getKey(), column.type());
            });
        }

        Row of(Row row) {
            Row made = new Row(columns.size());
            for (int i = 0; i < columns.size(); i++) made.setField(i, columns.get(i).of(row));
            return made;
        }
    }

    static Row appended(Row row, Object value) {
        return Row.join(row, Row.of(value));
    }

    /** A row's timestamp must be there, as Flink's own operators want it. */
    static final class Numbers extends RichParallelSourceFunction<Row> {
        final List<Row> rows;
        final long wait;
        volatile boolean running = true;

        Numbers(List<Row> rows, long wait) {
            this.rows = rows;
            this.wait = wait;
        }

        @Override
        public void run(SourceContext<Row> context) throws Exception {
            Thread.sleep(wait);
            int mine = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            int all = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
            for (int i = mine; i < rows.size() && running; i += all) {
                synchronized (context.getCheckpointLock()) {
                    context.collect(rows.get(i));
                }
            }
        }

        @Override
        public void cancel() {
            running = false;
        }
    }

    /** The rows of a list, by their numbers. */
    static final class RowSource
            implements Source<Row, NumberSequenceSplit, Collection<NumberSequenceSplit>> {
        final List<Row> rows;
        final NumberSequenceSource numbers;

        RowSource(List<Row> rows) {
            this.rows = rows;
            this.numbers = new NumberSequenceSource(0, Math.max(rows.size() - 1, 0));
        }

        @Override
        public Boundedness getBoundedness() {
            return Boundedness.BOUNDED;
        }

        @Override
        public SourceReader<Row, NumberSequenceSplit> createReader(SourceReaderContext context) {
            return new IteratorSourceReaderBase<Long, Row, NumberSequenceIterator, NumberSequenceSplit>(
                    context) {
                @Override
                protected Row convert(Long number) {
                    return rows.get(number.intValue());
                }
            };
        }

        @Override
        public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
                SplitEnumeratorContext<NumberSequenceSplit> context) {
            return numbers.createEnumerator(context);
        }

        @Override
        public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
                SplitEnumeratorContext<NumberSequenceSplit> context,
                Collection<NumberSequenceSplit> splits) {
            return numbers.restoreEnumerator(context, splits);
        }

        @Override
        public SimpleVersionedSerializer<NumberSequenceSplit> getSplitSerializer() {
            return numbers.getSplitSerializer();
        }

        @Override
        public SimpleVersionedSerializer<Collection<NumberSequenceSplit>>
                getEnumeratorCheckpointSerializer() {
            return numbers.getEnumeratorCheckpointSerializer();
        }
    }

    static final class Collecting implements SinkFunction<Row> {
        final String id;

        Collecting(String id) {
            this.id = id;
        }

        @Override
        public void invoke(Row row, Context context) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < row.getArity(); i++) {
                text.append(i == 0 ? "" : "\t").append(row.getField(i));
            }
            ROWS.get(id).add(text.toString());
        }
    }

    /** A watermark after each record that raises it. */
    static final class Punctuated implements WatermarkGenerator<Row> {
        final long trails;
        long highest = Long.MIN_VALUE;

        Punctuated(long trails) {
            this.trails = trails;
        }

        @Override
        public void onEvent(Row row, long time, WatermarkOutput output) {
            if (time > highest) {
                highest = time;
                output.emitWatermark(new Watermark(time - trails - 1));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }

    static final class Key implements KeySelector<Row, Object> {
        final int[] places;

        Key(int[] places) {
            this.places = places;
        }

        @Override
        public Object getKey(Row row) {
            if (places.length == 1) return row.getField(places[0]);
            Tuple key = Tuple.newInstance(places.length);
            for (int i = 0; i < places.length; i++) key.setField(row.getField(places[i]), i);
            return key;
        }

        Row of(Row row) {
            Row key = new Row(places.length);
            for (int i = 0; i < places.length; i++) key.setField(i, row.getField(places[i]));
            return key;
        }
    }

    /** Keyed state of the shapes that a keyed_process may have. */
    static final class Keyed extends KeyedProcessFunction<Object, Row, Row> {
        final String shape;
        final int column;
        final String type;
        final int size;
        final long gap;
        transient ValueState<Long> count;
        transient ValueState<Object> value;
        transient MapState<String, Boolean> seen;
        transient ListState<Row> greatest;
        transient ValueState<Row> last;
        transient ValueState<Long> due;

        Keyed(JsonNode state, Columns columns) {
            shape = state.get("shape").asText();
            column = state.has("column") ? columns.at(state.get("column").asText()) : -1;
            type = column < 0 ? "LONG" : columns.types.get(column);
            size = state.path("size").asInt();
            gap = state.path("gap").asLong();
            info = columns.info();
        }

        final TypeInformation<Row> info;

        @Override
        @SuppressWarnings("unchecked")
        public void open(org.apache.flink.api.common.functions.OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
            value = getRuntimeContext().getState(
                    new ValueStateDescriptor<>("value", (TypeInformation<Object>) info(type)));
            seen = getRuntimeContext().getMapState(
                    new MapStateDescriptor<>("seen", Types.STRING, Types.BOOLEAN));
            greatest = getRuntimeContext().getListState(new ListStateDescriptor<>("top", info));
            last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", info));
            due = getRuntimeContext().getState(new ValueStateDescriptor<>("due", Types.LONG));
        }

        @Override
        public void processElement(Row row, Context context, Collector<Row> out) throws Exception {
            switch (shape) {
                case "count":
                    count.update(count.value() == null ? 1L : count.value() + 1);
                    out.collect(appended(row, count.value()));
                    return;
                case "last":
                    out.collect(appended(row, value.value()));
                    value.update(row.getField(column));
                    return;
                case "total":
                    value.update(sum(value.value(), row.getField(column)));
                    out.collect(appended(row, value.value()));
                    return;
                case "deduplicate":
                    String what = column < 0 ? "" : "=" + row.getField(column);
                    if (row.getArity() > 0 && !seen.contains(what)) {
                        seen.put(what, true);
                        out.collect(row);
                    }
                    return;
                case "top":
                    top(row, out);
                    return;
                default:
                    count.update(count.value() == null ? 1L : count.value() + 1);
                    last.update(row);
                    long time = context.timestamp() + gap;
                    if (due.value() != null && due.value() >= time) return;
                    if (due.value() != null) context.timerService().deleteEventTimeTimer(due.value());
                    due.update(time);
                    context.timerService().registerEventTimeTimer(time);
            }
        }

        Object sum(Object before, Object more) {
            if (more == null || before == null) return more == null ? before : more;
            if (more instanceof Double) return (Double) before + (Double) more;
            return (Long) before + (Long) more;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        void top(Row row, Collector<Row> out) throws Exception {
            Comparable mine = (Comparable) row.getField(column);
            if (mine == null) return;
            List<Row> kept = new ArrayList<>();
            for (Row one : greatest.get()) kept.add(one);
            int rank = 0;
            while (rank < kept.size() && mine.compareTo(kept.get(rank).getField(column)) <= 0) rank++;
            if (rank >= size) return;
            kept.add(rank, row);
            greatest.update(kept.size() > size ? kept.subList(0, size) : kept);
            out.collect(appended(row, rank + 1L));
        }

        @Override
        public void onTimer(long time, OnTimerContext context, Collector<Row> out) throws Exception {
            out.collect(appended(last.value(), count.value()));
            count.clear();
            last.clear();
            due.clear();
        }
    }

    /** Each tag whose condition holds gets the row, else the main output. */
    static final class Routed extends ProcessFunction<Row, Row> {
        final LinkedHashMap<String, Expression> conditions;
        final TypeInformation<Row> info;

        Routed(Map<String, Expression> conditions, TypeInformation<Row> info) {
            this.conditions = new LinkedHashMap<>(conditions);
            this.info = info;
        }

        @Override
        public void processElement(Row row, Context context, Collector<Row> out) {
            boolean met = false;
            for (Map.Entry<String, Expression> one : conditions.entrySet()) {
                if (!Boolean.TRUE.equals(one.getValue().of(row))) continue;
                context.output(new OutputTag<>(one.getKey(), info), row);
                met = true;
            }
            if (!met) out.collect(row);
        }
    }

    /** What an aggregate makes of a window's rows, one after the other. */
    static final class Aggregated implements Serializable {
        final List<String> names = new ArrayList<>();
        final List<String> types = new ArrayList<>();
        final List<String> functions = new ArrayList<>();
        final List<Integer> places = new ArrayList<>();
        final int[] keys;

        Aggregated(JsonNode aggregate, Columns in, int[] keys) {
            this.keys = keys;
            aggregate.fields().forEachRemaining(one -> {
                String[] parts = one.getValue().asText().split("[()]");
                int at = parts[1].equals("*") ? -1 : in.at(parts[1]);
                names.add(one.getKey());
                functions.add(parts[0]);
                places.add(at);
                types.add(at < 0 ? "LONG" : in.types.get(at));
            });
        }

        Row of(Iterable<Row> rows, Long start, Long end) {
            Object[] found = new Object[names.size()];
            Row first = null;
            for (Row row : rows) {
                if (first == null) first = row;
                for (int i = 0; i < found.length; i++) found[i] = folded(i, found[i], row);
            }
            int ends = start == null ? 0 : 2;
            Row made = new Row(keys.length + ends + found.length);
            for (int i = 0; i < keys.length; i++) made.setField(i, first.getField(keys[i]));
            if (start != null) {
                made.setField(keys.length, start);
                made.setField(keys.length + 1, end);
            }
            for (int i = 0; i < found.length; i++) made.setField(keys.length + ends + i, found[i]);
            return made;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        Object folded(int i, Object before, Row row) {
            if (places.get(i) < 0) return before == null ? 1L : (Long) before + 1;
            Object value = row.getField(places.get(i));
            if (value == null || before == null) return value == null ? before : value;
            int order = ((Comparable) value).compareTo(before);
            switch (functions.get(i)) {
                case "min": return order < 0 ? value : before;
                case "max": return order > 0 ? value : before;
                default: return value instanceof Double
                        ? (Object) ((Double) before + (Double) value) : (Object) ((Long) before + (Long) value);
            }
        }
    }

    /** Called by a window's function at its end: its operator has the count by then. */
    static void keepDropped(RuntimeContext context) {
        Object group = context.getMetricGroup();
        try {
            Field metrics = AbstractMetricGroup.class.getDeclaredField("metrics");
            metrics.setAccessible(true);
            Counter late = (Counter) ((Map<?, ?>) metrics.get(group)).get("numLateRecordsDropped");
            String operator = context.getMetricGroup().getAllVariables().get("<operator_id>");
            DROPPED.merge(operator, late.getCount(), Long::sum);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static final class OfKey extends ProcessWindowFunction<Row, Row, Object, Window> {
        final Aggregated function;

        OfKey(Aggregated function) {
            this.function = function;
        }

        @Override
        public void process(Object key, Context context, Iterable<Row> rows, Collector<Row> out) {
            boolean timed = context.window() instanceof TimeWindow;
            Long start = timed ? ((TimeWindow) context.window()).getStart() : null;
            Long end = timed ? ((TimeWindow) context.window()).getEnd() : null;
            out.collect(function.of(rows, start, end));
        }

        @Override
        public void close() {
            keepDropped(getRuntimeContext());
        }
    }

    static final class OfAll extends ProcessAllWindowFunction<Row, Row, Window> {
        final Aggregated function;

        OfAll(Aggregated function) {
            this.function = function;
        }

        @Override
        public void process(Context context, Iterable<Row> rows, Collector<Row> out) {
            boolean timed = context.window() instanceof TimeWindow;
            Long start = timed ? ((TimeWindow) context.window()).getStart() : null;
            Long end = timed ? ((TimeWindow) context.window()).getEnd() : null;
            out.collect(function.of(rows, start, end));
        }

        @Override
        public void close() {
            keepDropped(getRuntimeContext());
        }
    }

    /** The second input's newest row of a key, for each of the first's. */
    static final class Newest extends KeyedCoProcessFunction<Object, Row, Row, Row> {
        final Select select;
        final TypeInformation<Row> told;
        final int width;
        transient ValueState<Row> newest;

        Newest(Select select, Columns told) {
            this.select = select;
            this.told = told.info();
            this.width = told.names.size();
        }

        @Override
        public void open(org.apache.flink.api.common.functions.OpenContext context) {
            newest = getRuntimeContext().getState(new ValueStateDescriptor<>("newest", told));
        }

        @Override
        public void processElement1(Row row, Context context, Collector<Row> out) throws Exception {
            Row found = newest.value();
            out.collect(select.of(Row.join(row, found == null ? new Row(width) : found)));
        }

        @Override
        public void processElement2(Row row, Context context, Collector<Row> out) throws Exception {
            newest.update(row);
        }
    }

    static final class Told extends BroadcastProcessFunction<Row, Row, Row> {
        final Select select;
        final MapStateDescriptor<String, Row> state;
        final int asks;
        final int key;
        final int width;

        Told(Select select, MapStateDescriptor<String, Row> state, int asks, int key, int width) {
            this.select = select;
            this.state = state;
            this.asks = asks;
            this.key = key;
            this.width = width;
        }

        @Override
        public void processElement(Row row, ReadOnlyContext context, Collector<Row> out)
                throws Exception {
            Row found = context.getBroadcastState(state).get("=" + row.getField(asks));
            out.collect(select.of(Row.join(row, found == null ? new Row(width) : found)));
        }

        @Override
        public void processBroadcastElement(Row row, Context context, Collector<Row> out)
                throws Exception {
            context.getBroadcastState(state).put("=" + row.getField(key), row);
        }
    }

    static final class KeyedTold extends KeyedBroadcastProcessFunction<Object, Row, Row, Row> {
        final Select select;
        final MapStateDescriptor<String, Row> state;
        final int asks;
        final int key;
        final int width;

        KeyedTold(Select select, MapStateDescriptor<String, Row> state, int asks, int key, int width) {
            this.select = select;
            this.state = state;
            this.asks = asks;
            this.key = key;
            this.width = width;
        }

        @Override
        public void processElement(Row row, ReadOnlyContext context, Collector<Row> out)
                throws Exception {
            Row found = context.getBroadcastState(state).get("=" + row.getField(asks));
            out.collect(select.of(Row.join(row, found == null ? new Row(width) : found)));
        }

        @Override
        public void processBroadcastElement(Row row, Context context, Collector<Row> out)
                throws Exception {
            context.getBroadcastState(state).put("=" + row.getField(key), row);
        }
    }

    /** An answer that takes its time. */
    static final class Answer extends RichAsyncFunction<Row, Row> {
        final long delay;
        transient ScheduledExecutorService clock;

        Answer(long delay) {
            this.delay = delay;
        }

        @Override
        public void open(org.apache.flink.api.common.functions.OpenContext context) {
            clock = Executors.newSingleThreadScheduledExecutor();
        }

        @Override
        public void asyncInvoke(Row row, ResultFuture<Row> result) {
            clock.schedule(() -> result.complete(Collections.singleton(row)), delay, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            if (clock != null) clock.shutdownNow();
        }
    }

    static final class ManyInputs extends AbstractStreamOperatorV2<Row>
            implements MultipleInputStreamOperator<Row> {
        final List<Select> selects;

        ManyInputs(StreamOperatorParameters<Row> parameters, List<Select> selects) {
            super(parameters, selects.size());
            this.selects = selects;
        }

        @Override
        @SuppressWarnings("rawtypes")
        public List<Input> getInputs() {
            List<Input> inputs = new ArrayList<>();
            for (int i = 0; i < selects.size(); i++) {
                Select select = selects.get(i);
                inputs.add(new AbstractInput<Row, Row>(this, i + 1) {
                    @Override
                    public void processElement(StreamRecord<Row> element) {
                        output.collect(element.replace(select.of(element.getValue())));
                    }
                });
            }
            return inputs;
        }
    }

    static final class ManyInputsFactory extends AbstractStreamOperatorFactory<Row> {
        final List<Select> selects;

        ManyInputsFactory(List<Select> selects) {
            this.selects = selects;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T extends StreamOperator<Row>> T createStreamOperator(
                StreamOperatorParameters<Row> parameters) {
            return (T) new ManyInputs(parameters, selects);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
            return ManyInputs.class;
        }
    }

    static final class Pairs extends ProcessJoinFunction<Row, Row, Row> {
        final Select select;

        Pairs(Select select) {
            this.select = select;
        }

        @Override
        public void processElement(Row left, Row right, Context context, Collector<Row> out) {
            out.collect(select.of(Row.join(left, right)));
        }
    }

    static final class Paired extends RichJoinFunction<Row, Row, Row> {
        final Select select;

        Paired(Select select) {
            this.select = select;
        }

        @Override
        public Row join(Row left, Row right) {
            return select.of(Row.join(left, right));
        }

        @Override
        public void close() {
            keepDropped(getRuntimeContext());
        }
    }

    /** Pairs with NULLs for the rows that are missing, or how many rows there are. */
    static final class Grouped extends RichCoGroupFunction<Row, Row, Row> {
        final String group;
        final Select select;
        final Key[] keys;
        final int[] widths;

        Grouped(String group, Select select, Key[] keys, int[] widths) {
            this.group = group;
            this.select = select;
            this.keys = keys;
            this.widths = widths;
        }

        @Override
        public void coGroup(Iterable<Row> left, Iterable<Row> right, Collector<Row> out) {
            List<Row> first = new ArrayList<>();
            List<Row> second = new ArrayList<>();
            left.forEach(first::add);
            right.forEach(second::add);
            if (group.equals("count")) {
                Row row = first.isEmpty() ? keys[1].of(second.get(0)) : keys[0].of(first.get(0));
                out.collect(Row.join(row, Row.of((long) first.size(), (long) second.size())));
                return;
            }
            if (first.isEmpty() && !group.equals("left_outer")) first.add(new Row(widths[0]));
            if (second.isEmpty() && !group.equals("right_outer")) second.add(new Row(widths[1]));
            for (Row one : first) {
                for (Row other : second) out.collect(select.of(Row.join(one, other)));
            }
        }

        @Override
        public void close() {
            keepDropped(getRuntimeContext());
        }
    }

    /** One pipeline: its streams as they are declared. */
    static final class Run {
        final JsonNode document;
        final StreamExecutionEnvironment environment;
        final Map<String, DataStream<Row>> streams = new HashMap<>();
        final Map<String, Columns> columns = new HashMap<>();
        final Map<String, KeyedStream<Row, Object>> keyed = new HashMap<>();
        final Map<String, int[]> keyPlaces = new HashMap<>();
        final Map<String, Columns> lateColumns = new HashMap<>();
        final List<String> sinks = new ArrayList<>();

        Run(JsonNode document) throws ReflectiveOperationException {
            this.document = document;
            numberAnew();
            environment = StreamExecutionEnvironment.getExecutionEnvironment();
            JsonNode settings = document.path("environment");
            environment.setParallelism(settings.path("parallelism").asInt(1));
            if (!settings.path("chaining").asBoolean(true)) environment.disableOperatorChaining();
            ROWS.clear();
            DROPPED.clear();
            for (JsonNode one : document.get("transformations")) declare(one);
        }

        /** Transformations, which name the ends of an iteration, are numbered from 1 in a new JVM. */
        static void numberAnew() throws ReflectiveOperationException {
            Field transformations = Transformation.class.getDeclaredField("ID_COUNTER");
            transformations.setAccessible(true);
            ((AtomicInteger) transformations.get(null)).set(0);
            Field iterations = StreamGraphGenerator.class.getDeclaredField("iterationIdCounter");
            iterations.setAccessible(true);
            iterations.set(null, 0);
        }

        void declare(JsonNode t) {
            String id = t.get("id").asText();
            String type = t.get("type").asText();
            if (type.equals("sink")) {
                ROWS.put(id, Collections.synchronizedList(new ArrayList<>()));
                sinks.add(id);
                String in = t.get("inputs").get(0).asText();
                var sink = streams.get(in).addSink(new Collecting(id)).name("Print to Std. Out");
                if (t.has("parallelism")) sink.setParallelism(t.get("parallelism").asInt());
                return;
            }
            Columns in = t.has("inputs") ? columns.get(t.get("inputs").get(0).asText()) : null;
            columns.put(id, in);
            DataStream<Row> made = made(t, id, type, in);
            if (made instanceof SingleOutputStreamOperator) {
                var operator = (SingleOutputStreamOperator<Row>) made;
                if (t.has("parallelism")) operator.setParallelism(t.get("parallelism").asInt());
                if (t.has("name")) operator.name(t.get("name").asText());
            }
            streams.put(id, made);
        }

        DataStream<Row> input(JsonNode t, int number) {
            return streams.get(t.get("inputs").get(number).asText());
        }

        DataStream<Row> made(JsonNode t, String id, String type, Columns in) {
            switch (type) {
                case "legacy_source": return source(t, id);
                case "source": return newSource(t, id);
                case "key_by": return keyBy(t, id, in);
                case "union": return input(t, 0).union(input(t, 1));
                case "rebalance": return input(t, 0).rebalance();
                case "timestamps": return timestamps(t, in);
                case "map": {
                    Select select = new Select(t.get("select"), in);
                    columns.put(id, select.gives);
                    return input(t, 0).map(select::of).returns(select.gives.info());
                }
                case "filter": {
                    Expression where = new Expression(t.get("where").asText(), in);
                    return input(t, 0).filter(row -> Boolean.TRUE.equals(where.of(row)));
                }
                case "keyed_process": {
                    JsonNode state = t.get("state");
                    Keyed function = new Keyed(state, in);
                    boolean appends = !function.shape.equals("deduplicate");
                    String added = Arrays.asList("last", "total").contains(function.shape)
                            ? function.type : "LONG";
                    if (appends) columns.put(id, in.with(state.get("as").asText(), added));
                    return keyed.get(t.get("inputs").get(0).asText())
                            .process(function).returns(columns.get(id).info());
                }
                case "keyed_co_process":
                case "broadcast_connect": return lookedUp(t, id, in);
                case "multiple_input": return multiple(t, id);
                case "async": return async(t, in);
                case "window":
                case "window_all": return window(t, id, in);
                case "side_output": {
                    String from = t.get("inputs").get(0).asText();
                    Columns rows = lateColumns.get(from);
                    columns.put(id, rows);
                    return ((SingleOutputStreamOperator<Row>) streams.get(from)).getSideOutput(
                            new OutputTag<>(t.get("tag").asText(), rows.info()));
                }
                case "process": return process(t, id, in);
                case "iterate": return input(t, 0).iterate(t.path("max_wait").asLong(0));
                case "close_iteration": {
                    DataStream<Row> head = streams.get(t.get("iteration").asText());
                    return ((IterativeStream<Row>) head).closeWith(input(t, 0));
                }
                case "interval_join": {
                    String left = t.get("inputs").get(0).asText();
                    String right = t.get("inputs").get(1).asText();
                    Select select = new Select(t.get("select"), in.joined(columns.get(right)));
                    columns.put(id, select.gives);
                    return keyed.get(left).intervalJoin(keyed.get(right))
                            .between(Duration.ofMillis(t.get("between").get("lower").asLong()),
                                    Duration.ofMillis(t.get("between").get("upper").asLong()))
                            .process(new Pairs(select), select.gives.info());
                }
                case "join":
                case "co_group": return windowedJoin(t, id, type, in);
                default: throw new IllegalArgumentException(type);
            }
        }

        DataStream<Row> process(JsonNode t, String id, Columns in) {
            Map<String, Expression> conditions = new LinkedHashMap<>();
            t.path("side_outputs").fields().forEachRemaining(
                    one -> conditions.put(one.getKey(), new Expression(one.getValue().asText(), in)));
            lateColumns.put(id, in);
            return input(t, 0).process(new Routed(conditions, in.info())).returns(in.info());
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        DataStream<Row> windowedJoin(JsonNode t, String id, String type, Columns in) {
            Columns other = columns.get(t.get("inputs").get(1).asText());
            JsonNode equal = t.has("equal_to") ? t.get("equal_to") : t.get("keys");
            Key[] keys = {key(t.get("keys"), in), key(equal, other)};
            TypeInformation kind = kind(keys[0].places, in);
            long lateness = t.get("window").path("allowed_lateness").asLong(0);
            WindowAssigner assigner = assigner(t.get("window"));
            String group = t.path("group").asText();
            Select select = t.has("select") ? new Select(t.get("select"), in.joined(other)) : null;
            Columns made = select == null ? new Columns() : select.gives;
            if (group.equals("count")) {
                for (int key : keys[0].places) made = made.with(in.names.get(key), in.types.get(key));
                made = made.with("count1", "LONG").with("count2", "LONG");
            }
            columns.put(id, made);
            if (type.equals("join")) {
                return input(t, 0).join(input(t, 1)).where(keys[0], kind).equalTo(keys[1], kind)
                        .window(assigner).allowedLateness(Duration.ofMillis(lateness))
                        .apply((JoinFunction) new Paired(select), made.info());
            }
            int[] widths = {in.names.size(), other.names.size()};
            return input(t, 0).coGroup(input(t, 1)).where(keys[0], kind).equalTo(keys[1], kind)
                    .window(assigner).allowedLateness(Duration.ofMillis(lateness))
                    .apply(new Grouped(group, select, keys, widths), made.info());
        }

        static Key key(JsonNode names, Columns in) {
            int[] places = new int[names.size()];
            for (int i = 0; i < places.length; i++) places[i] = in.at(names.get(i).asText());
            return new Key(places);
        }

        @SuppressWarnings("rawtypes")
        static TypeInformation kind(int[] places, Columns in) {
            TypeInformation<?>[] types = Arrays.stream(places)
                    .mapToObj(place -> info(in.types.get(place))).toArray(TypeInformation[]::new);
            return places.length == 1 ? types[0] : new TupleTypeInfo(types);
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        DataStream<Row> lookedUp(JsonNode t, String id, Columns in) {
            String left = t.get("inputs").get(0).asText();
            String right = t.get("inputs").get(1).asText();
            Columns told = columns.get(right);
            Select select = new Select(t.get("select"), in.joined(told));
            columns.put(id, select.gives);
            TypeInformation<Row> info = select.gives.info();
            if (t.get("type").asText().equals("keyed_co_process")) {
                return keyed.get(left).connect(keyed.get(right)).process(new Newest(select, told), info);
            }
            int asks = in.at(t.get("lookup").get("column").asText());
            int key = told.at(t.get("lookup").get("key").asText());
            MapStateDescriptor<String, Row> state =
                    new MapStateDescriptor<>("told", Types.STRING, told.info());
            var all = streams.get(right).broadcast(state);
            if (keyed.containsKey(left)) {
                return keyed.get(left).connect(all).process(
                        new KeyedTold(select, state, asks, key, told.names.size()), info);
            }
            return streams.get(left).connect(all).process(
                    new Told(select, state, asks, key, told.names.size()), info);
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        DataStream<Row> multiple(JsonNode t, String id) {
            List<Select> selects = new ArrayList<>();
            for (JsonNode input : t.get("inputs")) {
                JsonNode fields = t.get("selects").get(input.asText());
                selects.add(new Select(fields, columns.get(input.asText())));
            }
            Columns gives = selects.get(0).gives;
            columns.put(id, gives);
            int width = t.has("parallelism") ? t.get("parallelism").asInt() : environment.getParallelism();
            var made = new MultipleInputTransformation<Row>(
                    "Multi", new ManyInputsFactory(selects), gives.info(), width);
            for (JsonNode input : t.get("inputs")) {
                made.addInput(streams.get(input.asText()).getTransformation());
            }
            environment.addOperator(made);
            return new MultipleConnectedStreams(environment).transform(made);
        }

        DataStream<Row> async(JsonNode t, Columns in) {
            JsonNode wait = t.get("wait");
            Answer answer = new Answer(wait.path("delay").asLong());
            int capacity = wait.path("capacity").asInt(100);
            var made = wait.path("ordered").asBoolean()
                    ? AsyncDataStream.orderedWait(input(t, 0), answer, 1, TimeUnit.HOURS, capacity)
                    : AsyncDataStream.unorderedWait(input(t, 0), answer, 1, TimeUnit.HOURS, capacity);
            return made.returns(in.info());
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        DataStream<Row> window(JsonNode t, String id, Columns in) {
            String from = t.get("inputs").get(0).asText();
            boolean all = t.get("type").asText().equals("window_all");
            JsonNode window = t.get("window");
            boolean counts = window.get("assigner").asText().equals("count");
            Columns made = new Columns();
            int[] keys = all ? new int[0] : keyPlaces.get(from);
            for (int key : keys) made = made.with(in.names.get(key), in.types.get(key));
            if (!counts) made = made.with("window_start", "LONG").with("window_end", "LONG");
            Aggregated function = new Aggregated(t.get("aggregate"), in, keys);
            for (int i = 0; i < function.names.size(); i++) {
                made = made.with(function.names.get(i), function.types.get(i));
            }
            columns.put(id, made);
            lateColumns.put(id, in);
            OutputTag<Row> late = window.has("late_output")
                    ? new OutputTag<>(window.get("late_output").asText(), in.info()) : null;
            long lateness = window.path("allowed_lateness").asLong(0);
            if (all) {
                var windowed = counts
                        ? (AllWindowedStream) (window.has("slide")
                                ? input(t, 0).countWindowAll(window.get("size").asLong(), window.get("slide").asLong())
                                : input(t, 0).countWindowAll(window.get("size").asLong()))
                        : (AllWindowedStream) input(t, 0).windowAll(assigner(window));
                if (lateness > 0) windowed.allowedLateness(Duration.ofMillis(lateness));
                if (late != null) windowed.sideOutputLateData(late);
                return windowed.process(new OfAll(function), made.info());
            }
            KeyedStream<Row, Object> stream = keyed.get(from);
            var windowed = counts
                    ? (WindowedStream) (window.has("slide")
                            ? stream.countWindow(window.get("size").asLong(), window.get("slide").asLong())
                            : stream.countWindow(window.get("size").asLong()))
                    : (WindowedStream) stream.window(assigner(window));
            if (lateness > 0) windowed.allowedLateness(Duration.ofMillis(lateness));
            if (late != null) windowed.sideOutputLateData(late);
            return windowed.process(new OfKey(function), made.info());
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        static WindowAssigner assigner(JsonNode window) {
            Duration size = Duration.ofMillis(window.path("size").asLong());
            Duration slide = Duration.ofMillis(window.path("slide").asLong());
            Duration gap = Duration.ofMillis(window.path("gap").asLong());
            Duration offset = Duration.ofMillis(window.path("offset").asLong());
            boolean event = window.path("time").asText("event").equals("event");
            switch (window.get("assigner").asText()) {
                case "tumbling": return event ? TumblingEventTimeWindows.of(size, offset)
                        : (WindowAssigner) TumblingProcessingTimeWindows.of(size, offset);
                case "sliding": return SlidingEventTimeWindows.of(size, slide, offset);
                default: return EventTimeSessionWindows.withGap(gap);
            }
        }

        DataStream<Row> source(JsonNode t, String id) {
            Columns schema = Columns.read(t.get("rows").get("schema").asText());
            columns.put(id, schema);
            List<Row> rows = rows(t.get("rows"), schema);
            // What the document's "description" names comes when all else has come.
            boolean late = document.path("late").toString().contains("\"" + id + "\"");
            return environment.addSource(new Numbers(rows, late ? 1500 : 0)).returns(schema.info());
        }

        static List<Row> rows(JsonNode described, Columns schema) {
            List<Row> rows = new ArrayList<>();
            for (JsonNode values : described.get("values")) {
                Row row = new Row(schema.names.size());
                for (int i = 0; i < row.getArity(); i++) {
                    row.setField(i, value(values.get(i), schema.types.get(i)));
                }
                rows.add(row);
            }
            return rows;
        }

        /** A FLIP-27 source with its own WatermarkStrategy. */
        DataStream<Row> newSource(JsonNode t, String id) {
            // A watermark before the end depends on how long a run takes: the last one counts.
            environment.getConfig().setAutoWatermarkInterval(3_600_000);
            Columns schema = Columns.read(t.get("rows").get("schema").asText());
            columns.put(id, schema);
            return environment.fromSource(
                    new RowSource(rows(t.get("rows"), schema)),
                    strategy(t.get("timestamps"), schema),
                    "Custom Source",
                    schema.info());
        }

        static Object value(JsonNode value, String type) {
            if (value.isNull()) return null;
            switch (type) {
                case "LONG": return value.asLong();
                case "DOUBLE": return value.asDouble();
                case "BOOLEAN": return value.asBoolean();
                default: return value.asText();
            }
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        DataStream<Row> keyBy(JsonNode t, String id, Columns in) {
            Key key = key(t.get("keys"), in);
            KeyedStream<Row, Object> made = input(t, 0).keyBy(key, kind(key.places, in));
            keyed.put(id, made);
            keyPlaces.put(id, key.places);
            return made;
        }

        DataStream<Row> timestamps(JsonNode t, Columns in) {
            return input(t, 0).assignTimestampsAndWatermarks(strategy(t.get("timestamps"), in));
        }

        static WatermarkStrategy<Row> strategy(JsonNode fields, Columns in) {
            int column = in.at(fields.get("column").asText());
            long trails = fields.path("out_of_orderness").asLong();
            WatermarkStrategy<Row> strategy = fields.path("watermarks").asText().equals("punctuated")
                    ? WatermarkStrategy.forGenerator(context -> new Punctuated(trails))
                    : WatermarkStrategy.forBoundedOutOfOrderness(Duration.ofMillis(trails));
            strategy = strategy.withTimestampAssigner((row, before) -> (Long) row.getField(column));
            if (fields.has("idleness")) {
                strategy = strategy.withIdleness(Duration.ofMillis(fields.get("idleness").asLong()));
            }
            JsonNode alignment = fields.path("alignment");
            return alignment.isMissingNode() ? strategy : strategy.withWatermarkAlignment(
                    alignment.get("group").asText(),
                    Duration.ofMillis(alignment.get("max_drift").asLong()),
                    Duration.ofMillis(alignment.path("update_interval").asLong(1000)));
        }

        Map<String, Object> on(MiniCluster cluster) throws Exception {
            JobGraph job = environment.getStreamGraph().getJobGraph();
            cluster.executeJobBlocking(job);
            AccessExecutionGraph graph = cluster.getExecutionGraph(job.getJobID()).get();
            List<Object> vertices = new ArrayList<>();
            for (AccessExecutionJobVertex vertex : graph.getVerticesTopologically()) {
                vertices.add(figures(vertex));
            }
            Map<String, Object> found = new LinkedHashMap<>();
            for (String sink : sinks) {
                List<String> rows = new ArrayList<>(ROWS.get(sink));
                Collections.sort(rows);
                found.put(sink, rows);
            }
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("vertices", vertices);
            answer.put("sinks", found);
            if (!DROPPED.isEmpty()) answer.put("late_dropped", new TreeMap<>(DROPPED));
            return answer;
        }

        static Map<String, Object> figures(AccessExecutionJobVertex vertex) {
            long in = 0, out = 0, bytes = 0;
            List<Long> each = new ArrayList<>();
            for (AccessExecutionVertex subtask : vertex.getTaskVertices()) {
                IOMetrics metrics = subtask.getCurrentExecutionAttempt().getIOMetrics();
                each.add(metrics.getNumRecordsIn());
                in += metrics.getNumRecordsIn();
                out += metrics.getNumRecordsOut();
                bytes += metrics.getNumBytesOut();
            }
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("id", vertex.getJobVertexId().toHexString());
            found.put("name", vertex.getName());
            found.put("parallelism", vertex.getParallelism());
            found.put("records_in", in);
            found.put("subtask_records_in", each);
            found.put("records_out", out);
            found.put("bytes_out", bytes);
            return found;
        }
    }
}
