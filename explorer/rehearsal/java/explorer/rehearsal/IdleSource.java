package explorer.rehearsal;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamSource;

/** A source function that emits nothing and does not end. A proxy: {@code SourceFunction} moved to another package in 2.0. */
final class IdleSource implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    static StreamOperatorFactory<Long> factory() throws Exception {
        for (Constructor<?> constructor : StreamSource.class.getConstructors()) {
            Class<?>[] kinds = constructor.getParameterTypes();
            if (kinds.length != 1) continue;
            Object function = Proxy.newProxyInstance(IdleSource.class.getClassLoader(), kinds, new IdleSource());
            @SuppressWarnings("unchecked")
            StreamOperator<Long> operator = (StreamOperator<Long>) constructor.newInstance(function);
            return SimpleOperatorFactory.of(operator);
        }
        throw new NoSuchMethodException("StreamSource(SourceFunction)");
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "run":
                new CountDownLatch(1).await();
                return null;
            case "hashCode":
                return System.identityHashCode(proxy);
            case "equals":
                return proxy == arguments[0];
            case "toString":
                return "IdleSource";
            default:
                return null;
        }
    }
}
