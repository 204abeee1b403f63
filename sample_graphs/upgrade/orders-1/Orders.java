import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The total of each customer's orders, without uids: the version that runs. */
public class Orders {

    /** An order, and after the aggregation a customer's total. */
    public static class Order {
        public long customer;
        public double amount;
    }

    static class Invent implements MapFunction<Long, Order> {
        @Override
        public Order map(Long number) throws InterruptedException {
            Thread.sleep(5);
            Order order = new Order();
            order.customer = number % 20;
            order.amount = number % 7 * 10;
            return order;
        }
    }

    static class ByCustomer implements KeySelector<Order, Long> {
        @Override
        public Long getKey(Order order) {
            return order.customer;
        }
    }

    static class Add implements ReduceFunction<Order> {
        @Override
        public Order reduce(Order total, Order next) {
            total.amount += next.amount;
            return total;
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        env.fromSequence(0, Long.MAX_VALUE).name("numbers")
                .map(new Invent()).name("orders")
                .keyBy(new ByCustomer())
                .reduce(new Add()).name("total by customer")
                .sinkTo(new DiscardingSink<>()).name("totals");
        env.execute("orders");
    }
}
