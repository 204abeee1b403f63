import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks a release's own classes for network buffers. A question is a line of words: the bytes of
 * network memory, options as key=value, then "partition:TYPE:SUBPARTITIONS" and "gate:TYPE:CHANNELS".
 * An answer is a line for each question: the configuration, then what each pool requires and may use.
 */
public class AskNetwork {
    static final String RUNTIME = "org.apache.flink.runtime.";
    static final String PARTITION = RUNTIME + "io.network.partition.";

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("= " + answer(line.trim().split(" ")));
        }
    }

    static String answer(String[] words) throws Exception {
        List<String> answers = new ArrayList<>();
        Object configuration;
        try {
            configuration = configuration(words);
        } catch (InvocationTargetException refused) {
            Throwable cause = refused.getCause();
            return "error " + cause.getClass().getSimpleName() + ": " + cause.getMessage();
        }
        Pool pool = new Pool(configuration);
        answers.add(pool.facts());
        for (String word : words) {
            String[] parts = word.split(":");
            if (word.startsWith("partition:")) answers.add(pool.partition(parts[1], Integer.parseInt(parts[2])));
            if (word.startsWith("gate:")) answers.add(pool.gate(parts[1], Integer.parseInt(parts[2])));
        }
        return String.join(" ", answers);
    }

    static Object configuration(String[] words) throws Exception {
        Class<?> type = Class.forName("org.apache.flink.configuration.Configuration");
        Object options = type.getConstructor().newInstance();
        Method set = type.getMethod("setString", String.class, String.class);
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0) set.invoke(options, word.substring(0, equals), word.substring(equals + 1));
        }
        Class<?> made = Class.forName(RUNTIME + "taskmanager.NettyShuffleEnvironmentConfiguration");
        for (Method method : made.getDeclaredMethods()) {
            if (!method.getName().equals("fromConfiguration")) continue;
            boolean inBytes = method.getParameterTypes()[1] == long.class;
            if (inBytes) {
                // 1.9 takes the JVM's heap, and the memory from its options.
                set.invoke(options, "taskmanager.network.memory.min", words[0] + "b");
                set.invoke(options, "taskmanager.network.memory.max", words[0] + "b");
            }
            Object memory = inBytes ? (Object) Long.valueOf(1L << 40) : size(words[0]);
            return method.invoke(null, options, memory, true, InetAddress.getLoopbackAddress());
        }
        throw new IllegalStateException("no fromConfiguration");
    }

    static Object size(String bytes) throws Exception {
        Class<?> type = Class.forName("org.apache.flink.configuration.MemorySize");
        return type.getConstructor(long.class).newInstance(Long.parseLong(bytes));
    }

    static Object read(Object from, String... names) throws Exception {
        for (String name : names) {
            for (Method method : from.getClass().getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    method.setAccessible(true);
                    return method.invoke(from);
                }
            }
        }
        return null;
    }

    /** The two factories of a task manager over one real pool. */
    static class Pool {
        final Object configuration;
        final Object global;
        final Object partitions;
        final int perChannel;
        final int floating;
        final Object mostRequired;
        final Object tiers;

        Pool(Object configuration) throws Exception {
            this.configuration = configuration;
            perChannel = (Integer) read(configuration, "networkBuffersPerChannel");
            floating = (Integer) read(configuration, "floatingNetworkBuffersPerGate");
            mostRequired = read(configuration, "maxRequiredBuffersPerGate");
            tiers = read(configuration, "getTieredStorageConfiguration");
            global = global(80_000, 64);
            partitions = partitions();
        }

        Object global(int buffers, int size) throws Exception {
            Class<?> type = Class.forName(RUNTIME + "io.network.buffer.NetworkBufferPool");
            for (Constructor<?> constructor : type.getConstructors()) {
                int count = constructor.getParameterCount();
                if (count == 2) return constructor.newInstance(buffers, size);
                if (count == 3 && constructor.getParameterTypes()[2] == int.class) return constructor.newInstance(buffers, size, 2);
            }
            throw new IllegalStateException("no NetworkBufferPool");
        }

        String facts() throws Exception {
            return read(configuration, "numNetworkBuffers") + "/" + read(configuration, "networkBufferSize") + "/" + perChannel + "/"
                    + floating + "/" + read(configuration, "sortShuffleMinBuffers") + "/" + read(configuration, "sortShuffleMinParallelism");
        }

        /** A factory with the fields that its pools depend on; all others are for what this does not ask. */
        Object partitions() throws Exception {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field the = unsafe.getDeclaredField("theUnsafe");
            the.setAccessible(true);
            Class<?> type = Class.forName(PARTITION + "ResultPartitionFactory");
            Object factory = unsafe.getMethod("allocateInstance", Class.class).invoke(the.get(null), type);
            set(factory, "bufferPoolFactory", global);
            set(factory, "networkBuffersPerChannel", perChannel);
            set(factory, "configuredNetworkBuffersPerChannel", perChannel);
            set(factory, "floatingNetworkBuffersPerGate", floating);
            set(factory, "sortShuffleMinBuffers", read(configuration, "sortShuffleMinBuffers"));
            set(factory, "sortShuffleMinParallelism", read(configuration, "sortShuffleMinParallelism"));
            set(factory, "maxBuffersPerChannel", 10);
            set(factory, "tieredStorage", tiered());
            set(factory, "tieredResultPartitionFactory", tiered().orElse(null));
            return factory;
        }

        Optional<Object> tiered() throws Exception {
            if (tiers == null) return Optional.empty();
            Class<?> type = Class.forName(PARTITION + "hybrid.tiered.shuffle.TieredResultPartitionFactory");
            Constructor<?> constructor = type.getConstructors()[0];
            Object[] values = new Object[constructor.getParameterCount()];
            for (int i = 0; i < values.length; i++) if (constructor.getParameterTypes()[i].isInstance(tiers)) values[i] = tiers;
            return Optional.of(constructor.newInstance(values));
        }

        void set(Object factory, String name, Object value) throws Exception {
            for (Field field : factory.getClass().getDeclaredFields()) {
                if (field.getName().equals(name) && value != null) {
                    field.setAccessible(true);
                    field.set(factory, value);
                }
            }
        }

        static Object type(String name) throws Exception {
            Class<?> type = Class.forName(PARTITION + "ResultPartitionType");
            return type.getMethod("valueOf", String.class).invoke(null, name);
        }

        String partition(String type, int subpartitions) throws Exception {
            for (Method method : partitions.getClass().getDeclaredMethods()) {
                if (!method.getName().equals("createBufferPoolFactory")) continue;
                method.setAccessible(true);
                return told(supplied(method.invoke(partitions, subpartitions, type(type))));
            }
            throw new IllegalStateException("no createBufferPoolFactory");
        }

        Object supplied(Object supplier) throws Exception {
            for (Method method : supplier.getClass().getMethods()) {
                method.setAccessible(true);
                if (method.getName().equals("get")) return method.invoke(supplier);
                if (method.getName().equals("apply")) return method.invoke(supplier, owner());
            }
            throw new IllegalStateException("no supplier");
        }

        /** Until 1.11 a blocking partition gives back buffers of its own accord. */
        static Object owner() throws Exception {
            Class<?> type = Class.forName(RUNTIME + "io.network.buffer.BufferPoolOwner");
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> null);
        }

        String told(Object pool) throws Exception {
            String told = read(pool, "getNumberOfRequiredMemorySegments") + "-" + read(pool, "getMaxNumberOfMemorySegments");
            Class.forName(RUNTIME + "io.network.buffer.BufferPool").getMethod("lazyDestroy").invoke(pool);
            return told;
        }

        String gate(String type, int channels) throws Exception {
            int required = floating;
            int most = floating;
            int exclusive = perChannel;
            if (mostRequired != null) {
                Object found = spec(type, channels);
                exclusive = number(found, "effectiveExclusiveBuffersPerChannel");
                required = number(found, "requiredFloatingBuffers");
                most = number(found, "totalFloatingBuffers");
            }
            Class<?> factory = Class.forName(PARTITION + "consumer.SingleInputGateFactory");
            for (Method method : factory.getDeclaredMethods()) {
                if (!method.getName().equals("createBufferPoolFactory")) continue;
                method.setAccessible(true);
                return exclusive + "+" + told(supplied(method.invoke(null, values(method, type, channels, required, most))));
            }
            throw new IllegalStateException("no createBufferPoolFactory");
        }

        Object[] values(Method method, String type, int channels, int required, int most) throws Exception {
            switch (method.getParameterCount()) {
                case 2:
                    return new Object[] {global, floating};
                case 3:
                    return new Object[] {global, required, most};
                case 5:
                    return new Object[] {global, perChannel, floating, channels, type(type)};
                default:
                    return new Object[] {global, true, perChannel, floating, channels, type(type)};
            }
        }

        Object spec(String type, int channels) throws Exception {
            Class<?> utils = Class.forName(PARTITION + "consumer.InputGateSpecUtils");
            for (Method method : utils.getDeclaredMethods()) {
                if (!method.getName().equals("createGateBuffersSpec")) continue;
                return method.getParameterCount() == 5
                        ? method.invoke(null, mostRequired, perChannel, floating, type(type), channels)
                        : method.invoke(null, mostRequired, perChannel, floating, type(type), channels, tiers != null);
            }
            throw new IllegalStateException("no createGateBuffersSpec");
        }

        static int number(Object from, String field) throws Exception {
            Field found = from.getClass().getDeclaredField(field);
            found.setAccessible(true);
            return found.getInt(from);
        }
    }
}
