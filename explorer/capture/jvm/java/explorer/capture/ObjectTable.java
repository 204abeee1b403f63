package explorer.capture;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Java objects as the rows of a table, and what they are asked as its columns.
 *
 * One question is answered by every object of a class that has not answered it yet, so the number of calls across a
 * gateway grows with the number of classes and questions, not with the number of objects. Answers are JSON: numbers,
 * texts and truth values are themselves, another object is its row and class, and an object without an answer is {}.
 */
public final class ObjectTable {
    private final List<Object> rows = new ArrayList<>();
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final Map<String, List<Integer>> rowsByClass = new HashMap<>();
    private final Map<List<Object>, Integer> answered = new HashMap<>();
    private final Map<Class<?>, Map<String, Method>> methods = new HashMap<>();
    private final List<Object> representatives = new ArrayList<>();

    /** Returns the row of an object, which is added if the table does not contain it. */
    public int add(Object object) {
        Integer known = numbers.get(object);
        if (known != null) {
            return known;
        }
        int row = rows.size();
        rows.add(object);
        numbers.put(object, row);
        rowsByClass.computeIfAbsent(object.getClass().getName(), name -> new ArrayList<>()).add(row);
        return row;
    }

    /** Returns the object of a row. */
    public Object get(int row) {
        return rows.get(row);
    }

    /**
     * Asks the objects of a class that have not answered the question yet.
     *
     * @param kind the kind of question, as in {@link #answer}
     * @param name the method, field or class that the question names
     * @param argument the argument of the method, or null for a method without arguments
     * @param reference the name of the argument in the gateway; two references to one object are two questions
     * @return a JSON array of rows, each followed by its answer
     */
    public String ask(String className, String kind, String name, Object argument, String reference) {
        List<Integer> asked = rowsByClass.get(className);
        List<Object> question = new ArrayList<>();
        question.add(className);
        question.add(kind);
        question.add(name);
        question.add(reference);
        int first = answered.getOrDefault(question, 0);
        int end = asked.size();
        StringBuilder out = new StringBuilder("[");
        for (int position = first; position < end; position++) {
            int row = asked.get(position);
            out.append(position == first ? "" : ",").append(row).append(',');
            int length = out.length();
            try {
                answer(out, rows.get(row), kind, name, argument);
            } catch (Exception | LinkageError noAnswer) {
                out.setLength(length);
                out.append("{}");
            }
        }
        answered.put(question, end);
        return out.append(']').toString();
    }

    private void answer(StringBuilder out, Object object, String kind, String name, Object argument) throws Exception {
        switch (kind) {
            case "method":
                write(out, call(object, name, argument));
                break;
            case "field":
                write(out, field(object.getClass(), name).get(object));
                break;
            case "elements":
                writeElements(out, object);
                break;
            case "new":
                Class<?> made = Class.forName(name, true, object.getClass().getClassLoader());
                write(out, made.getConstructor(object.getClass()).newInstance(object));
                break;
            case "snapshot":
                out.append('"').append(snapshot(object)).append('"');
                break;
            case "equal":
                out.append(equal(object));
                break;
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    private Object call(Object object, String name, Object argument) throws Exception {
        String signature = argument == null ? name + "()" : name + "(" + argument.getClass().getName() + ")";
        Map<String, Method> known = methods.computeIfAbsent(object.getClass(), type -> new HashMap<>());
        Method method = known.get(signature);
        if (method == null) {
            method = method(object.getClass(), name, argument);
            known.put(signature, method);
        }
        return argument == null ? method.invoke(object) : method.invoke(object, argument);
    }

    private static Method method(Class<?> type, String name, Object argument) throws NoSuchMethodException {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name) && !method.isBridge() && takes(method.getParameterTypes(), argument)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static boolean takes(Class<?>[] parameters, Object argument) {
        if (argument == null) {
            return parameters.length == 0;
        }
        return parameters.length == 1 && parameters[0].isInstance(argument);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** The first object among those asked that equals this one. */
    private int equal(Object object) {
        int known = representatives.indexOf(object);
        if (known >= 0) {
            return known;
        }
        representatives.add(object);
        return representatives.size() - 1;
    }

    /** The snapshot of a serializer as a savepoint contains it, in hexadecimal digits. */
    private String snapshot(Object serializer) throws Exception {
        ClassLoader loader = serializer.getClass().getClassLoader();
        Class<?> writer = Class.forName("org.apache.flink.core.memory.DataOutputSerializer", true, loader);
        Class<?> snapshots =
                Class.forName("org.apache.flink.api.common.typeutils.TypeSerializerSnapshot", true, loader);
        Object written = writer.getConstructor(int.class).newInstance(256);
        Object snapshot = call(serializer, "snapshotConfiguration", null);
        for (Method method : snapshots.getMethods()) {
            if (method.getName().equals("writeVersionedSnapshot") && Modifier.isStatic(method.getModifiers())) {
                method.invoke(null, written, snapshot);
            }
        }
        StringBuilder digits = new StringBuilder();
        for (byte one : (byte[]) call(written, "getCopyOfBuffer", null)) {
            digits.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
        }
        return digits.toString();
    }

    private void writeElements(StringBuilder out, Object collection) {
        List<Object> elements = new ArrayList<>();
        if (collection.getClass().isArray()) {
            for (int position = 0; position < Array.getLength(collection); position++) {
                elements.add(Array.get(collection, position));
            }
        } else {
            ((Iterable<?>) collection).forEach(elements::add);
        }
        out.append("{\"elements\":[");
        for (int position = 0; position < elements.size(); position++) {
            out.append(position == 0 ? "" : ",");
            write(out, elements.get(position));
        }
        out.append("]}");
    }

    private void write(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || isNumber(value)) {
            out.append(value);
        } else if (value instanceof String || value instanceof Character) {
            writeText(out, value.toString());
        } else {
            out.append('[').append(add(value)).append(',');
            writeText(out, value.getClass().getName());
            out.append(']');
        }
    }

    private static boolean isNumber(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float;
    }

    private static void writeText(StringBuilder out, String text) {
        out.append('"');
        for (int position = 0; position < text.length(); position++) {
            char one = text.charAt(position);
            if (one < ' ' || one == '"' || one == '\\' || Character.isSurrogate(one)) {
                out.append(String.format("\\u%04x", (int) one));
            } else {
                out.append(one);
            }
        }
        out.append('"');
    }
}
