import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.functions.PatternProcessFunction;
import org.apache.flink.cep.nfa.aftermatch.AfterMatchSkipStrategy;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.evictors.CountEvictor;
import org.apache.flink.streaming.api.windowing.evictors.TimeEvictor;
import org.apache.flink.util.Collector;

/** A pattern, and windows with evictors: state with contents that its type does not show. */
public class Contents {
    public static class Sizes extends PatternProcessFunction<Long, Integer> {
        public void processMatch(Map<String, List<Long>> match, Context c, Collector<Integer> out) { out.collect(match.size()); }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        KeyedStream<Long, Long> keyed = env.fromSequence(0, 9).keyBy(n -> n % 2);
        Pattern<Long, ?> pattern = Pattern.<Long>begin("a", AfterMatchSkipStrategy.skipPastLastEvent())
            .followedBy("b").oneOrMore().notFollowedBy("d").where(SimpleCondition.of(n -> n < 0)).followedBy("c").within(Duration.ofSeconds(1));
        CEP.pattern(keyed, pattern).process(new Sizes()).name("pattern").print();
        keyed.window(TumblingEventTimeWindows.of(Duration.ofSeconds(1))).evictor(CountEvictor.of(5, true))
            .reduce(Long::sum).name("count").print();
        keyed.window(TumblingEventTimeWindows.of(Duration.ofSeconds(1))).evictor(TimeEvictor.of(Duration.ofSeconds(3)))
            .reduce(Long::sum).name("time").print();
        env.execute();
    }
}
