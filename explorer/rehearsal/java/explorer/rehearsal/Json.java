package explorer.rehearsal;

import java.util.Map;

/** Writes maps, collections, strings, numbers and booleans as JSON. */
final class Json {
    private Json() {}

    static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value == null || value instanceof Number || value instanceof Boolean) text.append(value);
        else if (value instanceof Map) writeMap((Map<?, ?>) value, text);
        else if (value instanceof Iterable) writeAll((Iterable<?>) value, text);
        else writeString(value.toString(), text);
    }

    private static void writeMap(Map<?, ?> members, StringBuilder text) {
        String before = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            text.append(before);
            writeString(String.valueOf(member.getKey()), text);
            text.append(':');
            write(member.getValue(), text);
            before = ",";
        }
        text.append(members.isEmpty() ? "{}" : "}");
    }

    private static void writeAll(Iterable<?> values, StringBuilder text) {
        String before = "";
        text.append('[');
        for (Object value : values) {
            text.append(before);
            write(value, text);
            before = ",";
        }
        text.append(']');
    }

    private static void writeString(String value, StringBuilder text) {
        text.append('"');
        for (int at = 0; at < value.length(); at++) {
            char one = value.charAt(at);
            if (one == '"' || one == '\\') text.append('\\').append(one);
            else if (one < ' ' || one > '~') text.append(String.format("\\u%04x", (int) one));
            else text.append(one);
        }
        text.append('"');
    }
}
