package explorer.rehearsal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.HashSet;

/** A queue of restored timers that looks empty until they may fire, and fires a bounded number of them. */
final class TimerQueue implements InvocationHandler {
    private static final int MAX_FIRED = 1000;

    final boolean ofEventTime;
    private final Object inner;
    private boolean open;
    private int fired;

    TimerQueue(Object inner, String name) {
        this.inner = inner;
        this.ofEventTime = name.contains("/event_");
    }

    void open() {
        open = true;
    }

    int fired() {
        return fired;
    }

    boolean isExhausted() {
        return fired >= MAX_FIRED;
    }

    /** The time of the earliest timer; null where there is none, or where no more may fire. */
    Long next() throws Exception {
        Object head = isExhausted() ? null : Reflection.call(inner, "peek");
        return head == null ? null : (Long) Reflection.call(head, "getTimestamp");
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (open && !(isExhausted() && (name.equals("peek") || name.equals("poll")))) {
            if (name.equals("poll")) fired++;
            return WatchedStates.delegate(inner, method, arguments);
        }
        switch (name) {
            case "isEmpty": return true;
            case "size": return 0;
            case "add": case "remove": return false;
            case "iterator": return new EmptyIterator();
            case "getSubsetForKeyGroup": return new HashSet<>();
            case "hashCode": return System.identityHashCode(proxy);
            case "equals": return proxy == arguments[0];
            case "toString": return "no timers";
            default: return null;
        }
    }
}
