// A template: ask_lazy.py takes the left or the right one of <<old|new>>, and the release's packages.
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.apache.flink.api.common.functions.*;
import org.apache.flink.api.common.state.*;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.java.tuple.*;
import org.apache.flink.runtime.state.*;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.*;
import org.apache.flink.streaming.api.functions.async.*;
import org.apache.flink.streaming.api.functions.co.*;
import org.apache.flink.streaming.api.functions.windowing.*;
import org.apache.flink.streaming.api.windowing.assigners.*;
import org.apache.flink.streaming.api.windowing.triggers.*;
import org.apache.flink.streaming.api.windowing.windows.*;
import org.apache.flink.util.Collector;

public class Program {
    static StreamExecutionEnvironment env;
    public static class Numbers implements SOURCES.SourceFunction<Long> {
        volatile boolean on = true;
        public void run(SourceContext<Long> c) throws Exception {
            long n = 0;
            while (on) { synchronized (c.getCheckpointLock()) { c.collectWithTimestamp(n, n * 100); if (n % 10 == 0) c.emitWatermark(new org.apache.flink.streaming.api.watermark.Watermark(n * 100 - 5000)); n++; } Thread.sleep(n < 200 ? 2 : 25); }
        }
        public void cancel() { on = false; }
    }
    static int sources;
    static DataStream<Long> numbers() { return env.addSource(new Numbers(), "Numbers " + sources++, Types.LONG); }
    static KeyedStream<Long, String> keyed() { return numbers().keyBy(v -> "k" + v % 50, Types.STRING); }
    static void end(SingleOutputStreamOperator<?> s, String uid) { s.uid(uid).name(uid).sinkTo(new SINKS.DiscardingSink()).uid("sink-" + uid); }
    static <I, O> void process(String uid, KeyedProcessFunction<String, Long, String> f) { end(keyed().process(f), uid); }

    public static class Order { public String user; public <<long|long>> n; <<|public String note = "x";>> public Order() {} public static Order of(long v) { Order o = new Order(); o.user = "u" + v % 7; o.n = v; return o; } }
    public static class Retyped { public String user; public <<long|String>> n; public Retyped() {} public static Retyped of(long v) { Retyped o = new Retyped(); o.user = "u" + v % 7; o.n = <<v|"" + v>>; return o; } }
    public static class Listed { public List<<<String|Long>>> l; public Listed() {} static Listed of(long v) { Listed o = new Listed(); o.l = new ArrayList<>(Arrays.asList(<<"" + v|v>>)); return o; } }
    public static class ListedSame { public List<String> l; public ListedSame() {} static ListedSame of(long v) { ListedSame o = new ListedSame(); o.l = new ArrayList<>(Arrays.asList("" + v)); return o; } }
    public static class Generic { final Object x; Generic(Object x) { this.x = x; } } // no default constructor: Kryo
    public enum Kind { A, B<<|, C>> }
    public enum Shrunk { A, B<<, C|>> }

    // --- lazily asked keyed state -------------------------------------------------
    static abstract class Lazy extends KeyedProcessFunction<String, Long, String> {
        <T> ValueState<T> value(Class<T> t) { return getRuntimeContext().getState(new ValueStateDescriptor<>("v", t)); }
        <T> ListState<T> list(Class<T> t) { return getRuntimeContext().getListState(new ListStateDescriptor<>("v", t)); }
        <K, V> MapState<K, V> map(Class<K> k, Class<V> t) { return getRuntimeContext().getMapState(new MapStateDescriptor<>("v", k, t)); }
        void soon(Context c) { c.timerService().registerProcessingTimeTimer(c.timerService().currentProcessingTime() + 4000); }
        @Override public void processElement(Long v, Context c, Collector<String> out) throws Exception { element(v, c, out); }
        void element(Long v, Context c, Collector<String> out) throws Exception {}
    }
    public static class TimerValueSame extends Lazy {
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { value(Integer.class).update(v.intValue()); soon(c); }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { value(Integer.class).value(); }
    }
    public static class TimerOnlyOther extends Lazy { // processElement stops asking; the timer asks with another type
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { <<value(Integer.class).update(v.intValue()); soon(c);|>> }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { value(<<Integer|Long>>.class).value(); }
    }
    public static class TimerOnlySame extends Lazy {
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { <<value(Integer.class).update(v.intValue()); soon(c);|>> }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { value(Integer.class).value(); }
    }
    public static class RecordOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { value((Class) <<Integer|Long>>.class).update(<<v.intValue()|v>>); } }
    public static class RecordSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { value(Long.class).update(v); } }
    public static class ListOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ListState l = list((Class) <<String|Long>>.class); l.add(<<"" + v|v>>); for (Object o : (Iterable) l.get()) out.collect("" + o); } }
    public static class ListSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ListState<String> l = list(String.class); l.add("" + v); } }
    public static class MapKeyOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ((MapState) map((Class) <<String|Long>>.class, Long.class)).put(<<"" + v % 3|v % 3>>, v); } }
    public static class MapValueOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ((MapState) map(String.class, (Class) <<Long|String>>.class)).put("" + v % 3, <<v|"" + v>>); } }
    public static class MapSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { map(String.class, Long.class).put("" + v % 3, v); } }
    public static class KindChanged extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { <<value(Long.class).update(v);|list(Long.class).add(v);>> } }
    public static class ConditionOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { if (v % 7 == 0) value((Class) <<Integer|Long>>.class).update(<<v.intValue()|v>>); } }
    public static class ConditionSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { if (v % 7 == 0) value(Long.class).update(v); } }
    public static class BigOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { if (v <<>= 0|> 100>>) value((Class) <<Integer|Long>>.class).update(<<v.intValue()|v>>); } }
    public static class BigSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { if (v <<>= 0|> 100>>) value(Long.class).update(v); } }
    public static class PojoAdded extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Order> s = value(Order.class); s.value(); s.update(Order.of(v)); } }
    public static class PojoRetyped extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Retyped> s = value(Retyped.class); s.value(); s.update(Retyped.of(v)); } }
    public static class KryoListOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Listed> s = value(Listed.class); Listed o = s.value(); if (o != null) { <<String|Long>> x = o.l.get(0); out.collect("" + x); } s.update(Listed.of(v)); } }
    public static class KryoListSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<ListedSame> s = value(ListedSame.class); ListedSame o = s.value(); if (o != null) { String x = o.l.get(0); out.collect("" + x); } s.update(ListedSame.of(v)); } }
    public static class KryoStateOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Generic> s = value(Generic.class); Generic o = s.value(); if (o != null) { <<Long|String>> x = (<<Long|String>>) o.x; out.collect("" + x); } s.update(new Generic(<<v|"" + v>>)); } }
    public static class KryoStateSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Generic> s = value(Generic.class); Generic o = s.value(); if (o != null) { Long x = (Long) o.x; out.collect("" + x); } s.update(new Generic(v)); } }
    public static class KryoListStateOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ListState<List> s = list(List.class); for (List<<<String|Long>>> l : (Iterable<List<<<String|Long>>>>) (Iterable) s.get()) { <<String|Long>> x = l.get(0); out.collect("" + x); } List<<<String|Long>>> l = new ArrayList<>(); l.add(<<"" + v|v>>); s.update(Arrays.asList((List) l)); } }
    public static class KryoListStateSame extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ListState<List> s = list(List.class); for (List<String> l : (Iterable<List<String>>) (Iterable) s.get()) { String x = l.get(0); out.collect("" + x); } List<String> l = new ArrayList<>(); l.add("" + v); s.update(Arrays.asList((List) l)); } }
    public static class EnumAdded extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Kind> s = value(Kind.class); s.value(); s.update(Kind.values()[(int) (v % 2)]); } }
    public static class EnumRemoved extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueState<Shrunk> s = value(Shrunk.class); s.value(); s.update(Shrunk.values()[(int) (v % Shrunk.values().length)]); } }
    public static class TupleOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("v", Types.TUPLE(Types.STRING, Types.LONG<<|, Types.LONG>>))).update((Tuple) Tuple<<2|3>>.of("" + v, v<<|, v>>)); } }
    public static class TtlOn extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ValueStateDescriptor<Long> d = new ValueStateDescriptor<>("v", Long.class); <<|d.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofDays(1)).build());>> getRuntimeContext().getState(d).update(v); } }
    public static class Renamed extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("<<a|b>>", Long.class)).update(v); } }
    public static class ReducingOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ((ReducingState) getRuntimeContext().getReducingState(new ReducingStateDescriptor("v", (ReduceFunction) (a, b) -> b, <<Integer|Long>>.class))).add(<<v.intValue()|v>>); } }
    public static class AggregatingOther extends Lazy { @Override void element(Long v, Context c, Collector<String> out) throws Exception { ((AggregatingState) getRuntimeContext().getAggregatingState(new AggregatingStateDescriptor("v", new Count(), <<Integer|Long>>.class))).add(v); } }
    public static class Count implements AggregateFunction<Long, <<Integer|Long>>, String> { public <<Integer|Long>> createAccumulator() { return <<0|0L>>; } public <<Integer|Long>> add(Long v, <<Integer|Long>> a) { return a + 1; } public String getResult(<<Integer|Long>> a) { return "" + a; } public <<Integer|Long>> merge(<<Integer|Long>> a, <<Integer|Long>> b) { return a + b; } }
    public static class Parses extends KeyedProcessFunction<String, String, String> { // a made-up text cannot be parsed
        @Override public void processElement(String v, Context c, Collector<String> out) throws Exception { String[] p = v.split(","); long n = Long.parseLong(p[1]); getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(n); }
    }
    public static class ParsesOther extends KeyedProcessFunction<String, String, String> {
        @Override public void processElement(String v, Context c, Collector<String> out) throws Exception { String[] p = v.split(","); long n = Long.parseLong(p[1]); ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<(int) n|n>>); }
    }
    public static class JsonSame extends KeyedProcessFunction<String, String, String> {
        @Override public void processElement(String v, Context c, Collector<String> out) throws Exception { if (!v.startsWith("{")) throw new IllegalArgumentException("no JSON: " + v); getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(1L); }
    }
    public static class JsonOther extends KeyedProcessFunction<String, String, String> {
        @Override public void processElement(String v, Context c, Collector<String> out) throws Exception { if (!v.startsWith("{")) throw new IllegalArgumentException("no JSON: " + v); ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<1|1L>>); }
    }
    public static class EventTimerOther extends Lazy { // far event-time timers, which fire when the watermark comes
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { <<value(Integer.class).update(v.intValue());|>> c.timerService().registerEventTimeTimer(c.timestamp() + 3000); }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { value(<<Integer|Long>>.class).value(); }
    }
    public static class EventTimerSame extends Lazy {
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { <<value(Integer.class).update(v.intValue());|>> c.timerService().registerEventTimeTimer(c.timestamp() + 3000); }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { value(Integer.class).value(); }
    }
    public static class Two extends Lazy { // one state in the record, another in the timer
        @Override void element(Long v, Context c, Collector<String> out) throws Exception { value(Long.class).update(v); getRuntimeContext().getListState(new ListStateDescriptor<>("w", String.class)).add("" + v); soon(c); }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { getRuntimeContext().getListState(new ListStateDescriptor<>("w", (Class) <<String|Long>>.class)).get(); }
    }
    public static class RichMapLazy extends RichMapFunction<Long, Long> { @Override public Long map(Long v) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class)).update(<<v.intValue()|v>>); return v; } }
    public static class RichFlatLazySame extends RichFlatMapFunction<Long, Long> { @Override public void flatMap(Long v, Collector<Long> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(v); } }
    public static class RichFilterLazy extends RichFilterFunction<Long> { @Override public boolean filter(Long v) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class)).update(<<v.intValue()|v>>); return true; } }
    public static class PojoInput extends KeyedProcessFunction<String, ListedSame, String> {
        @Override public void processElement(ListedSame v, Context c, Collector<String> out) throws Exception { String x = v.l.get(0); getRuntimeContext().getState(new ValueStateDescriptor<>("v", String.class)).update(x); }
    }
    public static class PojoInputOther extends KeyedProcessFunction<String, ListedSame, String> {
        @Override public void processElement(ListedSame v, Context c, Collector<String> out) throws Exception { String x = v.l.get(0); ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<String|Long>>.class))).update(<<x|Long.valueOf(x)>>); }
    }
    public static class EnumInputOther extends KeyedProcessFunction<String, Tuple2<Event, Long>, String> {
        @Override public void processElement(Tuple2<Event, Long> v, Context c, Collector<String> out) throws Exception { if (v.f0 == Event.CLOSE) ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<v.f1.intValue()|v.f1>>); }
    }
    public enum Event { OPEN, CHANGE, CLOSE }
    public static class StringSwitchOther extends KeyedProcessFunction<String, Tuple3<String, String, Long>, String> {
        @Override public void processElement(Tuple3<String, String, Long> v, Context c, Collector<String> out) throws Exception { if (v.f1.equals("order")) ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<v.f2.intValue()|v.f2>>); }
    }
    public static class StringSwitchSame extends KeyedProcessFunction<String, Tuple3<String, String, Long>, String> {
        @Override public void processElement(Tuple3<String, String, Long> v, Context c, Collector<String> out) throws Exception { if (v.f1.equals("order")) getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(v.f2); }
    }
    public static class InstantInput extends KeyedProcessFunction<String, Tuple2<String, java.time.Instant>, String> {
        @Override public void processElement(Tuple2<String, java.time.Instant> v, Context c, Collector<String> out) throws Exception { ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<(int) v.f1.toEpochMilli()|v.f1.toEpochMilli()>>); }
    }
    public static class GenericInput extends KeyedProcessFunction<String, Generic, String> {
        @Override public void processElement(Generic v, Context c, Collector<String> out) throws Exception { ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<1|1L>>); }
    }
    public static class GenericInputSame extends KeyedProcessFunction<String, Generic, String> {
        @Override public void processElement(Generic v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(1L); }
    }
    public static class ByValue extends KeyedProcessFunction<Long, Long, String> {
        @Override public void processElement(Long v, Context c, Collector<String> out) throws Exception { ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("v", <<Integer|Long>>.class))).update(<<v.intValue()|v>>); }
    }

    // --- broadcast ------------------------------------------------------------------
    static MapStateDescriptor<String, Long> rules(Class<?> t) { return new MapStateDescriptor("rules", String.class, t); }
    public static class KeyedBroadcast extends KeyedBroadcastProcessFunction<String, Long, Long, String> {
        final boolean other; KeyedBroadcast(boolean other) { this.other = other; }
        @Override public void processElement(Long v, ReadOnlyContext c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("v", Long.class)).update(v); }
        @Override public void processBroadcastElement(Long v, Context c, Collector<String> out) throws Exception { ((BroadcastState) c.getBroadcastState(rules(other ? <<Integer|Long>>.class : Long.class))).put("" + v % 5, other ? (Object) <<v.intValue()|v>> : v); }
    }
    public static class KeyedBroadcastApply extends KeyedBroadcastProcessFunction<String, Long, Long, String> {
        @Override public void processElement(Long v, ReadOnlyContext c, Collector<String> out) throws Exception { <<getRuntimeContext().getState(new ValueStateDescriptor<>("v", Integer.class)).update(v.intValue());|>> }
        @Override public void processBroadcastElement(Long v, Context c, Collector<String> out) throws Exception { c.applyToKeyedState(new ValueStateDescriptor("v", <<Integer|Long>>.class), (k, s) -> ((ValueState) s).value()); }
    }
    public static class PlainBroadcast extends BroadcastProcessFunction<Long, Long, String> {
        final boolean other; PlainBroadcast(boolean other) { this.other = other; }
        @Override public void processElement(Long v, ReadOnlyContext c, Collector<String> out) throws Exception { c.getBroadcastState(rules(other ? <<Integer|Long>>.class : Long.class)).get("1"); }
        @Override public void processBroadcastElement(Long v, Context c, Collector<String> out) throws Exception { ((BroadcastState) c.getBroadcastState(rules(other ? <<Integer|Long>>.class : Long.class))).put("" + v % 5, other ? (Object) <<v.intValue()|v>> : v); }
    }
    // --- two inputs -----------------------------------------------------------------
    public static class CoSecondOther extends KeyedCoProcessFunction<String, Long, Long, String> {
        @Override public void processElement1(Long v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("one", Long.class)).update(v); }
        @Override public void processElement2(Long v, Context c, Collector<String> out) throws Exception { ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("two", <<Integer|Long>>.class))).update(<<v.intValue()|v>>); }
    }
    public static class CoSame extends KeyedCoProcessFunction<String, Long, Long, String> {
        @Override public void processElement1(Long v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("one", Long.class)).update(v); c.timerService().registerProcessingTimeTimer(c.timerService().currentProcessingTime() + 3000); }
        @Override public void processElement2(Long v, Context c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("two", Long.class)).update(v); }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("two", Long.class)).value(); }
    }
    public static class CoTimerOther extends KeyedCoProcessFunction<String, Long, Long, String> {
        @Override public void processElement1(Long v, Context c, Collector<String> out) throws Exception { <<getRuntimeContext().getState(new ValueStateDescriptor<>("one", Integer.class)).update(v.intValue()); c.timerService().registerProcessingTimeTimer(c.timerService().currentProcessingTime() + 4000);|>> }
        @Override public void processElement2(Long v, Context c, Collector<String> out) throws Exception { }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor("one", <<Integer|Long>>.class)).value(); }
    }
    public static class CoFlat extends RichCoFlatMapFunction<Long, Long, String> {
        @Override public void flatMap1(Long v, Collector<String> out) throws Exception { getRuntimeContext().getState(new ValueStateDescriptor<>("one", Long.class)).update(v); }
        @Override public void flatMap2(Long v, Collector<String> out) throws Exception { ((ValueState) getRuntimeContext().getState(new ValueStateDescriptor("two", <<Integer|Long>>.class))).update(<<v.intValue()|v>>); }
    }
    public static class Join<T> extends ProcessJoinFunction<T, Long, String> { @Override public void processElement(T l, Long r, Context c, Collector<String> out) { out.collect(l + " " + r); } }
    // --- operator state -------------------------------------------------------------
    public static class LazyOperator extends RichMapFunction<Long, Long> implements CheckpointedFunction { // asks at the first record
        transient OperatorStateStore store; transient ListState list; final boolean other; LazyOperator(boolean other) { this.other = other; }
        Class<?> type() { return other ? <<Integer|Long>>.class : Long.class; }
        @Override public void initializeState(FunctionInitializationContext c) throws Exception { store = c.getOperatorStateStore(); }
        @Override public void snapshotState(FunctionSnapshotContext c) throws Exception { }
        @Override public Long map(Long v) throws Exception { if (list == null) list = store.getListState(new ListStateDescriptor("l", type())); if (v % 50 == 0) list.add(other ? (Object) <<v.intValue()|v>> : v); return v; }
    }
    public static class EagerOperator extends RichMapFunction<Long, Long> implements CheckpointedFunction {
        transient ListState list; 
        @Override public void initializeState(FunctionInitializationContext c) throws Exception { list = c.getOperatorStateStore().getListState(new ListStateDescriptor("l", <<Integer|Long>>.class)); }
        @Override public void snapshotState(FunctionSnapshotContext c) throws Exception { list.clear(); list.add(<<1|1L>>); }
        @Override public Long map(Long v) throws Exception { return v; }
    }
    public static class Calls extends RichAsyncFunction<Long, String> {
        transient ScheduledExecutorService pool;
        @Override public void asyncInvoke(Long v, ResultFuture<String> f) { if (pool == null) pool = Executors.newSingleThreadScheduledExecutor(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; }); pool.schedule(() -> f.complete(Collections.singleton("" + v)), 300, TimeUnit.MILLISECONDS); }
    }
    // --- windows --------------------------------------------------------------------
    public static class CountOf extends Trigger<Long, TimeWindow> { // its state is asked for with each record
        final boolean other; CountOf(boolean other) { this.other = other; }
        ValueStateDescriptor d() { return new ValueStateDescriptor("count", other ? <<Integer|Long>>.class : Long.class); }
        public TriggerResult onElement(Long v, long t, TimeWindow w, TriggerContext c) throws Exception { ValueState s = (ValueState) c.getPartitionedState(d()); s.value(); s.update(other ? (Object) <<1|1L>> : 1L); c.registerEventTimeTimer(w.maxTimestamp()); return TriggerResult.CONTINUE; }
        public TriggerResult onEventTime(long t, TimeWindow w, TriggerContext c) { return TriggerResult.FIRE; }
        public TriggerResult onProcessingTime(long t, TimeWindow w, TriggerContext c) { return TriggerResult.CONTINUE; }
        public void clear(TimeWindow w, TriggerContext c) throws Exception { ((ValueState) c.getPartitionedState(d())).clear(); }
    }
    public static class OnTimeOther extends Trigger<Long, TimeWindow> { // its state is asked for only when a window ends
        ValueStateDescriptor d() { return new ValueStateDescriptor("count", <<Integer|Long>>.class); }
        public TriggerResult onElement(Long v, long t, TimeWindow w, TriggerContext c) throws Exception { <<((ValueState) c.getPartitionedState(d())).update(1);|>> c.registerEventTimeTimer(w.maxTimestamp()); return TriggerResult.CONTINUE; }
        public TriggerResult onEventTime(long t, TimeWindow w, TriggerContext c) throws Exception { ((ValueState) c.getPartitionedState(d())).value(); return TriggerResult.FIRE; }
        public TriggerResult onProcessingTime(long t, TimeWindow w, TriggerContext c) { return TriggerResult.CONTINUE; }
        public void clear(TimeWindow w, TriggerContext c) throws Exception { ((ValueState) c.getPartitionedState(d())).clear(); }
    }
    public static class InWindow extends ProcessWindowFunction<Long, String, String, TimeWindow> { // per-window and global state
        final boolean other; InWindow(boolean other) { this.other = other; }
        ValueStateDescriptor d() { return new ValueStateDescriptor("seen", other ? <<Integer|Long>>.class : Long.class); }
        @Override public void process(String k, Context c, Iterable<Long> in, Collector<String> out) throws Exception { ((ValueState) c.globalState().getState(d())).update(other ? (Object) <<1|1L>> : 1L); }
    }
    public static class Mean implements AggregateFunction<Long, Tuple2<Long, <<Integer|Long>>>, String> { public Tuple2<Long, <<Integer|Long>>> createAccumulator() { return Tuple2.of(0L, <<0|0L>>); } public Tuple2<Long, <<Integer|Long>>> add(Long v, Tuple2<Long, <<Integer|Long>>> a) { a.f0 += v; a.f1++; return a; } public String getResult(Tuple2<Long, <<Integer|Long>>> a) { return "" + a; } public Tuple2<Long, <<Integer|Long>>> merge(Tuple2<Long, <<Integer|Long>>> a, Tuple2<Long, <<Integer|Long>>> b) { return a; } }

    static WindowedStream<Long, String, TimeWindow> windows() { return keyed().window(TumblingEventTimeWindows.of(WINDOW(10))); }

    public static void main(String[] args) throws Exception {
        env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);

        process("timer_value_same", new TimerValueSame()); process("timer_only_other", new TimerOnlyOther()); process("timer_only_same", new TimerOnlySame());
        process("record_other", new RecordOther()); process("record_same", new RecordSame()); process("list_other", new ListOther()); process("list_same", new ListSame());
        process("map_key_other", new MapKeyOther()); process("map_value_other", new MapValueOther()); process("map_same", new MapSame()); process("kind_changed", new KindChanged());
        process("condition_other", new ConditionOther()); process("condition_same", new ConditionSame()); process("big_other", new BigOther()); process("big_same", new BigSame());
        process("pojo_added", new PojoAdded()); process("pojo_retyped", new PojoRetyped()); process("kryo_list_other", new KryoListOther()); process("kryo_list_same", new KryoListSame());
        process("kryo_state_other", new KryoStateOther()); process("kryo_state_same", new KryoStateSame()); process("kryo_list_state_other", new KryoListStateOther()); process("kryo_list_state_same", new KryoListStateSame());
        process("enum_added", new EnumAdded()); process("enum_removed", new EnumRemoved()); process("tuple_other", new TupleOther()); process("ttl_on", new TtlOn()); process("renamed", new Renamed());
        process("reducing_other", new ReducingOther()); process("aggregating_other", new AggregatingOther()); process("event_timer_other", new EventTimerOther()); process("event_timer_same", new EventTimerSame()); process("two", new Two());
        KeyedStream<String, String> texts = numbers().map(v -> "u" + v % 20 + "," + v).returns(Types.STRING).keyBy(v -> v.split(",")[0], Types.STRING);
        end(texts.process(new Parses()), "parses_same");
        end(numbers().map(v -> "u" + v % 20 + "," + v).returns(Types.STRING).keyBy(v -> v.split(",")[0], Types.STRING).process(new ParsesOther()), "parses_other");
        end(numbers().map(v -> "{\"a\":" + v % 20 + "}").returns(Types.STRING).keyBy(v -> v, Types.STRING).process(new JsonSame()), "json_same");
        end(numbers().map(v -> "{\"a\":" + v % 20 + "}").returns(Types.STRING).keyBy(v -> v, Types.STRING).process(new JsonOther()), "json_other");
        end(keyed().map(new RichMapLazy()).returns(Types.LONG), "rich_map_other"); end(keyed().flatMap(new RichFlatLazySame()).returns(Types.LONG), "rich_flat_same"); end(keyed().filter(new RichFilterLazy()), "rich_filter_other");
        end(numbers().map(v -> ListedSame.of(v % 20)).returns(ListedSame.class).keyBy(v -> v.l.get(0), Types.STRING).process(new PojoInput()), "pojo_input_same");
        end(numbers().map(v -> ListedSame.of(v % 20)).returns(ListedSame.class).keyBy(v -> v.l.get(0), Types.STRING).process(new PojoInputOther()), "pojo_input_other");
        end(numbers().map(v -> Tuple2.of(Event.values()[(int) (v % 3)], v)).returns(Types.TUPLE(Types.ENUM(Event.class), Types.LONG)).keyBy(v -> "k" + v.f1 % 20, Types.STRING).process(new EnumInputOther()), "enum_input_other");
        end(numbers().map(v -> Tuple3.of("u" + v % 20, v % 2 == 0 ? "order" : "payment", v)).returns(Types.TUPLE(Types.STRING, Types.STRING, Types.LONG)).keyBy(v -> v.f0, Types.STRING).process(new StringSwitchOther()), "string_switch_other");
        end(numbers().map(v -> Tuple3.of("u" + v % 20, v % 2 == 0 ? "order" : "payment", v)).returns(Types.TUPLE(Types.STRING, Types.STRING, Types.LONG)).keyBy(v -> v.f0, Types.STRING).process(new StringSwitchSame()), "string_switch_same");
        end(numbers().map(v -> Tuple2.of("u" + v % 20, java.time.Instant.ofEpochMilli(v))).returns(Types.TUPLE(Types.STRING, Types.INSTANT)).keyBy(v -> v.f0, Types.STRING).process(new InstantInput()), "instant_input_other");
        end(numbers().map(v -> new Generic("u" + v % 20)).returns(Generic.class).keyBy(v -> (String) v.x, Types.STRING).process(new GenericInput()), "generic_input_other");
        end(numbers().map(v -> new Generic("u" + v % 20)).returns(Generic.class).keyBy(v -> (String) v.x, Types.STRING).process(new GenericInputSame()), "generic_input_same");
        end(numbers().keyBy(v -> v % 30, Types.LONG).process(new ByValue()), "by_value_other");
        end(keyed().connect(numbers().broadcast(rules(Long.class))).process(new KeyedBroadcast(false)), "keyed_broadcast_same");
        end(keyed().connect(numbers().broadcast(rules(<<Integer|Long>>.class))).process(new KeyedBroadcast(true)), "keyed_broadcast_other");
        end(keyed().connect(numbers().broadcast(rules(Long.class))).process(new KeyedBroadcastApply()), "broadcast_apply_other");
        end(numbers().connect(numbers().broadcast(rules(Long.class))).process(new PlainBroadcast(false)), "plain_broadcast_same");
        end(numbers().connect(numbers().broadcast(rules(<<Integer|Long>>.class))).process(new PlainBroadcast(true)), "plain_broadcast_other");
        end(keyed().connect(keyed()).process(new CoSecondOther()), "co_second_other"); end(keyed().connect(keyed()).process(new CoSame()), "co_same"); end(keyed().connect(keyed()).process(new CoTimerOther()), "co_timer_other"); end(keyed().connect(keyed()).flatMap(new CoFlat()), "co_flat_other");
        end(keyed().intervalJoin(keyed()).between(INTERVAL(-2), INTERVAL(2)).process(new Join<Long>()), "join_same");
        end(numbers().map(v -> <<v.intValue()|v>>).returns(<<Integer|Long>>.class).keyBy(v -> "k" + v % 50, Types.STRING).intervalJoin(keyed()).between(INTERVAL(-2), INTERVAL(2)).process(new Join<<<Integer|Long>>>()), "join_other");
        end(numbers().map(new LazyOperator(false)).returns(Types.LONG), "lazy_operator_same"); end(numbers().map(new LazyOperator(true)).returns(Types.LONG), "lazy_operator_other"); end(numbers().map(new EagerOperator()).returns(Types.LONG), "eager_operator_other");
        end(AsyncDataStream.unorderedWait(numbers(), new Calls(), 10000, TimeUnit.MILLISECONDS).returns(Types.STRING), "async_same");
        end(windows().trigger(new CountOf(false)).reduce((a, b) -> b), "trigger_same"); end(windows().trigger(new CountOf(true)).reduce((a, b) -> b), "trigger_other"); end(windows().trigger(new OnTimeOther()).reduce((a, b) -> b), "trigger_on_time_other");
        end(windows().process(new InWindow(false)).returns(Types.STRING), "in_window_same"); end(windows().process(new InWindow(true)).returns(Types.STRING), "in_window_other"); end(windows().aggregate(new Mean()), "accumulator_other");
        end(windows().trigger(ContinuousEventTimeTrigger.of(WINDOW(2))).reduce((a, b) -> b), "continuous_same");
        end(keyed().countWindow(7).reduce((a, b) -> b), "count_window_same"); end(keyed().window(EventTimeSessionWindows.withGap(WINDOW(8))).reduce((a, b) -> b), "session_same");
        env.execute("lazy");
    }
}
