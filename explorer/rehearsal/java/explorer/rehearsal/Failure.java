package explorer.rehearsal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.SerializedThrowable;

/** An exception as data: its causes from the outermost on, each with its class, message and first frames. */
final class Failure {
    private static final int MAX_CAUSES = 20;
    private static final int MAX_FRAMES = 40;
    private static final int MAX_CHARACTERS = 2000;

    private Failure() {}

    static Map<String, Object> of(String phase, String state, Throwable thrown) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("phase", phase);
        members.put("state", state);
        List<Object> causes = new ArrayList<>();
        for (Throwable one = thrown; one != null && causes.size() < MAX_CAUSES; one = one.getCause()) causes.add(cause(one));
        members.put("causes", causes);
        return members;
    }

    private static Map<String, Object> cause(Throwable thrown) {
        Map<String, Object> members = new LinkedHashMap<>();
        boolean packed = thrown instanceof SerializedThrowable;
        String kind = packed ? ((SerializedThrowable) thrown).getOriginalErrorClassName() : thrown.getClass().getName();
        String message = thrown.getMessage();
        if (packed && message != null && message.startsWith(kind + ": ")) message = message.substring(kind.length() + 2);
        members.put("class", kind);
        members.put("message", message == null || message.length() <= MAX_CHARACTERS ? message : message.substring(0, MAX_CHARACTERS));
        List<Object> frames = new ArrayList<>();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frames.size() == MAX_FRAMES) break;
            frames.add(frame.getClassName() + "." + frame.getMethodName());
        }
        members.put("frames", frames);
        return members;
    }
}
