package explorer.rehearsal;

import java.lang.reflect.Method;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.MultipleInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.function.ThrowingConsumer;

/** The inputs of an operator, as its task calls them. Mirrors {@code RecordProcessorUtils}. */
final class Inputs {
    private Inputs() {}

    static int count(StreamOperator<?> operator) {
        if (operator instanceof MultipleInputStreamOperator) return ((MultipleInputStreamOperator<?>) operator).getInputs().size();
        return operator instanceof TwoInputStreamOperator ? 2 : operator instanceof Input ? 1 : 0;
    }

    /** Processes a record; {@code key}: another key than the record's, null for its own. */
    static void process(StreamOperator<?> operator, int input, Object value, Object key, long time) throws Exception {
        StreamRecord<Object> record = new StreamRecord<>(value, time);
        ThrowingConsumer<StreamRecord<Object>, Exception> async = asynchronous(operator, input);
        if (async != null && key == null) async.accept(record);
        else if (operator instanceof TwoInputStreamOperator) processTwo(operator, input, record, key);
        else processOne(operator, input, record, key);
    }

    @SuppressWarnings("unchecked")
    private static void processTwo(StreamOperator<?> operator, int input, StreamRecord<Object> record, Object key) throws Exception {
        TwoInputStreamOperator<Object, Object, Object> two = (TwoInputStreamOperator<Object, Object, Object>) operator;
        if (key != null) two.setCurrentKey(key);
        else if (input == 0) two.setKeyContextElement1(record);
        else two.setKeyContextElement2(record);
        if (input == 0) two.processElement1(record);
        else two.processElement2(record);
    }

    @SuppressWarnings("unchecked")
    private static void processOne(StreamOperator<?> operator, int input, StreamRecord<Object> record, Object key) throws Exception {
        Input<Object> one = operator instanceof MultipleInputStreamOperator
            ? ((MultipleInputStreamOperator<Object>) operator).getInputs().get(input)
            : (Input<Object>) operator;
        if (key != null) operator.setCurrentKey(key);
        else one.setKeyContextElement(record);
        one.processElement(record);
    }

    /** How an operator with asynchronous state (since 2.0) accepts records; null for any other. */
    @SuppressWarnings("unchecked")
    private static ThrowingConsumer<StreamRecord<Object>, Exception> asynchronous(StreamOperator<?> operator, int input) throws Exception {
        Method enabled = Reflection.method(operator.getClass(), "isAsyncKeyOrderedProcessingEnabled");
        if (enabled == null) enabled = Reflection.method(operator.getClass(), "isAsyncStateProcessingEnabled");
        if (enabled == null || !(Boolean) enabled.invoke(operator)) return null;
        return (ThrowingConsumer<StreamRecord<Object>, Exception>) Reflection.call(operator, "getRecordProcessor", input + 1);
    }

    static void advance(StreamOperator<?> operator, Watermark watermark) throws Exception {
        if (operator instanceof MultipleInputStreamOperator) {
            for (Input<?> input : ((MultipleInputStreamOperator<?>) operator).getInputs()) input.processWatermark(watermark);
        } else if (operator instanceof TwoInputStreamOperator) {
            ((TwoInputStreamOperator<?, ?, ?>) operator).processWatermark1(watermark);
            ((TwoInputStreamOperator<?, ?, ?>) operator).processWatermark2(watermark);
        } else if (operator instanceof Input) {
            ((Input<?>) operator).processWatermark(watermark);
        }
    }
}
