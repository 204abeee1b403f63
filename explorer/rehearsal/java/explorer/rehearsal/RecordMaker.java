package explorer.rehearsal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.functions.KeySelector;

/** Makes records of one input from the types of its fields, with given keys where a record can have them. */
final class RecordMaker {
    /** Records that are tried for keys which the program computes, such as {@code "k" + id % 50}. */
    private static final int TRIED = 2000;

    private final Shape shape;
    private final List<Shape.Leaf> leaves;
    private final KeySelector<Object, Object> selector;
    private final Shape keyShape;
    private final Variation variation;
    private Map<Object, Object> byKey;

    /** {@code selector}, {@code key}: how the input is keyed; null for an input without a key. */
    RecordMaker(TypeSerializer<?> type, KeySelector<Object, Object> selector, TypeSerializer<?> key, Variation variation) throws Exception {
        this.variation = variation;
        this.shape = Shape.of(type);
        this.leaves = shape.leaves();
        this.selector = selector;
        this.keyShape = key == null ? null : Shape.of(key);
    }

    /** A record with some key; null where the type has no example. */
    Object any() throws Exception {
        return shape.make(numbered(1), 0);
    }

    /** A record with this key; null where none was found. */
    Object withKey(Object key) throws Exception {
        Object made = assigned(key);
        return made != null ? made : tried().get(key);
    }

    /** Sets leaves to the parts of the key, each where the selector then finds it. */
    private Object assigned(Object key) throws Exception {
        List<Object> parts = new ArrayList<>();
        keyShape.split(key, parts);
        Object[] values = numbered(1);
        boolean[] fixed = new boolean[values.length];
        for (int part = 0; part < parts.size(); part++) if (!assign(values, fixed, parts, part)) return null;
        Object made = shape.make(values, 0);
        return key.equals(keyOf(made)) ? made : null;
    }

    private boolean assign(Object[] values, boolean[] fixed, List<Object> parts, int part) throws Exception {
        for (int at = 0; at < values.length; at++) {
            if (fixed[at] || !leaves.get(at).accepts(parts.get(part))) continue;
            Object before = values[at];
            values[at] = parts.get(part) instanceof String ? variation.text((String) parts.get(part)) : parts.get(part);
            List<Object> selected = new ArrayList<>();
            Object key = keyOf(shape.make(values, 0));
            if (key != null) keyShape.split(key, selected);
            fixed[at] = part < selected.size() && parts.get(part).equals(selected.get(part));
            if (fixed[at]) return true;
            values[at] = before;
        }
        return false;
    }

    private Map<Object, Object> tried() throws Exception {
        if (byKey == null) {
            byKey = new HashMap<>();
            for (int number = 0; number < TRIED; number++) {
                Object made = shape.make(numbered(number), 0);
                Object key = keyOf(made);
                if (key != null) byKey.putIfAbsent(key, made);
            }
        }
        return byKey;
    }

    private Object[] numbered(int number) {
        Object[] values = new Object[leaves.size()];
        for (int at = 0; at < values.length; at++) values[at] = leaves.get(at).value(variation, number);
        return values;
    }

    /** The key that the program selects; null where its selector does not accept the record. */
    private Object keyOf(Object made) {
        try {
            return made == null ? null : selector.getKey(made);
        } catch (Exception notAccepted) {
            return null;
        }
    }
}
