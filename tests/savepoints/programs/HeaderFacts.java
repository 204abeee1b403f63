import java.lang.reflect.Constructor;
import java.util.*;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.base.*;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.*;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** Prints the headers of a keyed and an operator backend as a release writes them; see {@code ask_headers.py}. */
public class HeaderFacts {
    static String text(DataOutputSerializer out) { return Base64.getEncoder().encodeToString(out.getCopyOfBuffer()); }

    public static void main(String[] args) throws Exception {
        List<StateMetaInfoSnapshot> keyed = Arrays.asList(
            new RegisteredKeyValueStateBackendMetaInfo<>(StateDescriptor.Type.VALUE, "count", VoidNamespaceSerializer.INSTANCE, LongSerializer.INSTANCE).snapshot(),
            new RegisteredKeyValueStateBackendMetaInfo<>(StateDescriptor.Type.MAP, "by name", VoidNamespaceSerializer.INSTANCE,
                new MapSerializer<>(StringSerializer.INSTANCE, IntSerializer.INSTANCE)).snapshot(),
            new RegisteredPriorityQueueStateBackendMetaInfo<>("_timer_state/event_user-timers", LongSerializer.INSTANCE).snapshot());
        DataOutputSerializer out = new DataOutputSerializer(512);
        new KeyedBackendSerializationProxy<>(StringSerializer.INSTANCE, keyed, false).write(out);
        System.out.println(text(out));
        List<StateMetaInfoSnapshot> lists = Arrays.asList(
            new RegisteredOperatorStateBackendMetaInfo<>("held", StringSerializer.INSTANCE, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE).snapshot(),
            new RegisteredOperatorStateBackendMetaInfo<>("offsets", LongSerializer.INSTANCE, OperatorStateHandle.Mode.UNION).snapshot());
        List<StateMetaInfoSnapshot> rules = Collections.singletonList(
            new RegisteredBroadcastStateBackendMetaInfo<>("rules", OperatorStateHandle.Mode.BROADCAST, StringSerializer.INSTANCE, LongSerializer.INSTANCE).snapshot());
        Constructor<?> made = OperatorBackendSerializationProxy.class.getConstructors()[0];
        for (Constructor<?> each : OperatorBackendSerializationProxy.class.getConstructors()) if (each.getParameterCount() > made.getParameterCount()) made = each;
        Object proxy = made.getParameterCount() == 3 ? made.newInstance(lists, rules, false) : made.newInstance(lists, rules);
        out = new DataOutputSerializer(512);
        ((OperatorBackendSerializationProxy) proxy).write(out);
        System.out.println(text(out));
    }
}
