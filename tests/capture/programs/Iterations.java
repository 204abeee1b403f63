import org.apache.flink.api.common.functions.FlatJoinFunction;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.java.DataSet;
import org.apache.flink.api.java.ExecutionEnvironment;
import org.apache.flink.api.java.io.DiscardingOutputFormat;
import org.apache.flink.api.java.operators.DeltaIteration;
import org.apache.flink.api.java.operators.IterativeDataSet;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.Collector;

/** A DataSet program with a bulk iteration and a delta iteration. */
public class Iterations {
    public static void main(String[] args) throws Exception {
        ExecutionEnvironment env = ExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        IterativeDataSet<Long> loop = env.generateSequence(1, 10).iterate(5);
        DataSet<Long> next = loop.map(n -> n + 1).name("step").returns(Long.class);
        DataSet<Long> open = next.filter(n -> n < 100).name("open");
        loop.closeWith(next, open)
                .output(new DiscardingOutputFormat<>())
                .name("bulk out");
        DataSet<Tuple2<Long, Long>> solution =
                env.fromElements(Tuple2.of(1L, 1L), Tuple2.of(2L, 2L));
        DataSet<Tuple2<Long, Long>> edges = env.fromElements(Tuple2.of(1L, 2L));
        DeltaIteration<Tuple2<Long, Long>, Tuple2<Long, Long>> delta =
                solution.iterateDelta(solution, 3, 0);
        DataSet<Tuple2<Long, Long>> changes =
                delta.getWorkset().join(edges).where(0).equalTo(0).with(new ToTarget()).name("send");
        DataSet<Tuple2<Long, Long>> smaller =
                changes.join(delta.getSolutionSet()).where(0).equalTo(0).with(new Smaller());
        delta.closeWith(smaller, smaller)
                .output(new DiscardingOutputFormat<>())
                .name("delta out");
        env.execute("iterations");
    }

    static class ToTarget
            implements JoinFunction<
                    Tuple2<Long, Long>, Tuple2<Long, Long>, Tuple2<Long, Long>> {
        @Override
        public Tuple2<Long, Long> join(Tuple2<Long, Long> vertex, Tuple2<Long, Long> edge) {
            return Tuple2.of(edge.f1, vertex.f1);
        }
    }

    static class Smaller
            implements FlatJoinFunction<
                    Tuple2<Long, Long>, Tuple2<Long, Long>, Tuple2<Long, Long>> {
        @Override
        public void join(
                Tuple2<Long, Long> change,
                Tuple2<Long, Long> old,
                Collector<Tuple2<Long, Long>> out) {
            if (change.f1 < old.f1) {
                out.collect(change);
            }
        }
    }
}
