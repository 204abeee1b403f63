import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rpc.RpcService;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.runtime.rpc.RpcSystemLoader;
import org.apache.flink.runtime.rpc.pekko.PekkoRpcSystemLoader;

/**
 * Gives all small clusters of a JVM the same classes of Pekko, which each would load anew.
 *
 * <p>That is half of the CPU of a rehearsal in a JVM that runs.
 */
public final class SharedRpc implements RpcSystemLoader {
    private static final List<RpcService> STARTED = new CopyOnWriteArrayList<>();
    private static RpcSystem loaded;

    /** Flink asks the loader with the lowest one; its own has 0. */
    public int getLoadPriority() {
        return -1;
    }

    public RpcSystem loadRpcSystem(Configuration options) {
        synchronized (SharedRpc.class) {
            if (loaded == null) loaded = new PekkoRpcSystemLoader().loadRpcSystem(options);
        }
        return watched(RpcSystem.class, loaded);
    }

    /** Ends the actors of the clusters so far, which are never idle; their tasks stay as they are. */
    public static void endActors() throws Exception {
        for (RpcService service : STARTED) {
            Object actors = service.getClass().getMethod("getActorSystem").invoke(service);
            Class<?> kind = Class.forName("org.apache.pekko.actor.ActorSystem", false, service.getClass().getClassLoader());
            kind.getMethod("terminate").invoke(actors);
        }
        STARTED.clear();
    }

    private static <T> T watched(Class<T> kind, Object inner) {
        return kind.cast(Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (self, method, arguments) -> {
            if (method.getName().equals("close")) return null;
            Object result;
            try {
                result = method.invoke(inner, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
            if (result == inner) return self;
            if (result instanceof RpcService) STARTED.add((RpcService) result);
            return result instanceof RpcSystem.RpcServiceBuilder ? watched(RpcSystem.RpcServiceBuilder.class, result) : result;
        }));
    }
}
