// A template: ask_used.py replaces the words in capitals.
import java.util.*;
import org.apache.flink.api.common.state.*;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.*;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.SourceFunction;
import org.apache.flink.util.Collector;

public class Program {
    public static class Order { public String user; public long n; public Object extra; }

    public static class Numbers implements SourceFunction<Long>, CheckpointedFunction {
        volatile boolean on = true;
        long n;
        transient ListState<POSITION> position;
        public void initializeState(FunctionInitializationContext c) throws Exception {
            position = c.getOperatorStateStore().getListState(new ListStateDescriptor<>("pos", POSITION.class));
            for (POSITION x : position.get()) n = Long.parseLong("" + x);
        }
        public void snapshotState(FunctionSnapshotContext c) throws Exception {
            position.clear();
            position.add(POSITION.valueOf("" + n));
        }
        public void run(SourceContext<Long> c) throws Exception {
            while (on) {
                synchronized (c.getCheckpointLock()) { c.collect(n++); }
                Thread.sleep(5);
            }
        }
        public void cancel() { on = false; }
    }

    public static class Keep extends KeyedProcessFunction<String, INPUT, String> {
        transient ValueState<STATE> state;
        ValueState<STATE> asked() { return getRuntimeContext().getState(new ValueStateDescriptor<>("v", STATE.class)); }
        @Override public void open(Configuration c) throws Exception { OPEN }
        @Override public void processElement(INPUT v, Context c, Collector<String> out) throws Exception { PROCESS }
        @Override public void onTimer(long t, OnTimerContext c, Collector<String> out) throws Exception { TIMER }
    }

    static Order order(long v) {
        Order o = new Order();
        o.user = "u" + v % 20;
        o.n = v;
        return o;
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        env.addSource(new Numbers(), Types.LONG).uid("numbers").map(v -> MAP).returns(INPUT.class).uid("map")
            .keyBy(v -> KEY, Types.STRING).process(new Keep()).uid("keep").name("Keep").addSink(new DiscardingSink<>()).uid("sink");
        env.execute("job");
    }
}
