package explorer.rehearsal;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializerBase;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.types.Row;

/** The leaves of a serializer's type: tuples, POJOs and rows are taken apart, and made from values of their leaves. */
abstract class Shape {
    private static final int MAX_DEPTH = 8;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** How many leaves the type has. */
    abstract int size();

    /** Adds the type's leaves in order; they are asked for example values. */
    abstract void leaves(List<Leaf> found);

    /** Makes a value from those of its leaves, which start at an index. */
    abstract Object make(Object[] values, int from) throws Exception;

    /** The value that JSON describes; throws {@code IllegalArgumentException} for another type. */
    abstract Object read(JsonNode json) throws Exception;

    /** Adds the values of the leaves of one value. */
    abstract void split(Object value, List<Object> found) throws Exception;

    List<Leaf> leaves() {
        List<Leaf> found = new ArrayList<>();
        leaves(found);
        return found;
    }

    static Shape of(TypeSerializer<?> serializer) throws Exception {
        return shape(serializer, null, 0);
    }

    private static Shape shape(TypeSerializer<?> serializer, Type declared, int depth) throws Exception {
        if (depth < MAX_DEPTH) {
            if (serializer instanceof TupleSerializerBase) return new Tuples((TupleSerializerBase<?>) serializer, depth);
            switch (serializer.getClass().getSimpleName()) {
                case "PojoSerializer": return new Pojos(serializer, depth);
                case "RowSerializer": return new Rows(serializer, depth);
                case "RowDataSerializer": return new TableRows(serializer, depth);
                default: break;
            }
        }
        return new Leaf(serializer, declared);
    }

    /** A value that is not taken apart. */
    static final class Leaf extends Shape {
        /** By class, an element of a collection that Kryo writes, whose serializer does not show its type. */
        private static final Map<Type, Object> SIMPLE = new HashMap<>();

        static {
            for (Object value : new Object[] {"1", 1L, 1, 1.0, true}) SIMPLE.put(value.getClass(), value);
        }

        private final TypeSerializer<?> serializer;
        private final Object example;

        /** {@code declared}: the field's type, where the leaf is a field of a POJO, else null. */
        Leaf(TypeSerializer<?> serializer, Type declared) throws Exception {
            this.serializer = serializer;
            Object made = example(serializer);
            this.example = made == null || isEmpty(made) ? filled(made, serializer, declared) : made;
        }

        private static Object example(TypeSerializer<?> serializer) {
            try {
                return serializer.createInstance();
            } catch (RuntimeException | LinkageError notMade) {
                return null;
            }
        }

        private static boolean isEmpty(Object made) {
            return made instanceof Collection ? ((Collection<?>) made).isEmpty() : made instanceof Map && ((Map<?, ?>) made).isEmpty();
        }

        /** A collection with one element where its type is known, else the example as it is. */
        private static Object filled(Object made, TypeSerializer<?> serializer, Type declared) throws Exception {
            List<Object> parts = new ArrayList<>();
            for (String part : new String[] {"getElementSerializer", "getKeySerializer", "getValueSerializer"}) {
                Object of = Reflection.callIfPresent(serializer, part);
                if (of instanceof TypeSerializer) parts.add(any((TypeSerializer<?>) of));
            }
            Type[] arguments = declared instanceof ParameterizedType ? ((ParameterizedType) declared).getActualTypeArguments() : new Type[0];
            if (parts.isEmpty()) for (Type argument : arguments) parts.add(SIMPLE.get(argument));
            Type raw = declared instanceof ParameterizedType ? ((ParameterizedType) declared).getRawType() : declared;
            Class<?> kind = made != null ? made.getClass() : raw instanceof Class ? (Class<?>) raw : Object.class;
            return collection(kind, made, parts);
        }

        private static Object any(TypeSerializer<?> serializer) throws Exception {
            Shape shape = of(serializer);
            Variation first = new Variation(0, Collections.emptyList());
            return shape.make(shape.leaves().stream().map(leaf -> leaf.value(first, 1)).toArray(), 0);
        }

        private static Object collection(Class<?> kind, Object made, List<Object> parts) {
            boolean isKnown = !parts.isEmpty() && !parts.contains(null);
            if (Map.class.isAssignableFrom(kind) && kind.isAssignableFrom(HashMap.class)) {
                return isKnown && parts.size() == 2 ? new HashMap<>(Collections.singletonMap(parts.get(0), parts.get(1))) : new HashMap<>();
            }
            if (!Iterable.class.isAssignableFrom(kind)) return made;
            List<Object> elements = isKnown ? parts.subList(0, 1) : Collections.emptyList();
            if (kind.isAssignableFrom(ArrayList.class)) return new ArrayList<>(elements);
            return kind.isAssignableFrom(HashSet.class) ? new HashSet<>(elements) : made;
        }

        /** Whether a value is one of this leaf's type. */
        boolean accepts(Object value) {
            return example != null && value != null && example.getClass() == value.getClass();
        }

        /** A value that stands for a number, so that different numbers give different values where the type allows it. */
        Object value(Variation variation, int of) {
            int number = variation.number(of);
            if (example instanceof String) return variation.text(of);
            if (example instanceof Long) return (long) number;
            if (example instanceof Integer) return number;
            if (example instanceof Short) return (short) number;
            if (example instanceof Byte) return (byte) number;
            if (example instanceof Double) return (double) number;
            if (example instanceof Float) return (float) number;
            if (example instanceof Boolean) return variation.of(new Boolean[] {false, true}, of);
            if (example instanceof Enum) return variation.of(((Enum<?>) example).getDeclaringClass().getEnumConstants(), of);
            if (example instanceof BigDecimal) return BigDecimal.valueOf(number);
            if (example instanceof BigInteger) return BigInteger.valueOf(number);
            if (serializer.getClass().getSimpleName().equals("StringDataSerializer")) return TableRows.text(variation.text(of));
            return example;
        }

        @Override
        int size() {
            return 1;
        }

        @Override
        void leaves(List<Leaf> found) {
            found.add(this);
        }

        @Override
        Object make(Object[] values, int from) {
            return values[from];
        }

        @Override
        Object read(JsonNode json) {
            if (json == null || json.isNull()) return null;
            if (serializer.getClass().getSimpleName().equals("StringDataSerializer")) return TableRows.text(json.asText());
            if (example == null) throw new IllegalArgumentException("no value can be made of " + json);
            try {
                return MAPPER.convertValue(json, example.getClass());
            } catch (IllegalArgumentException otherType) { // its own text names places in Jackson's input
                throw new IllegalArgumentException(json + " is no " + example.getClass().getSimpleName());
            }
        }

        @Override
        void split(Object value, List<Object> found) {
            found.add(value);
        }
    }

    /** A type of named or numbered parts. */
    private abstract static class Composite extends Shape {
        final Shape[] parts;

        Composite(TypeSerializer<?>[] serializers, int depth) throws Exception {
            this(serializers, new Field[serializers.length], depth);
        }

        /** {@code fields}: those of a POJO, else null each. */
        Composite(TypeSerializer<?>[] serializers, Field[] fields, int depth) throws Exception {
            parts = new Shape[serializers.length];
            for (int at = 0; at < parts.length; at++) {
                parts[at] = shape(serializers[at], fields[at] == null ? null : fields[at].getGenericType(), depth + 1);
            }
        }

        abstract Object join(Object[] values) throws Exception;

        abstract Object part(Object value, int at) throws Exception;

        /** The name of a part in JSON objects. */
        String name(int at) {
            return "f" + at;
        }

        /** Reads an object by the names of its parts, or an array by their order. */
        @Override
        Object read(JsonNode json) throws Exception {
            if (json == null || json.isNull()) return null;
            if (!json.isContainerNode()) throw new IllegalArgumentException("an object or an array is needed, not " + json);
            Object[] values = new Object[parts.length];
            for (int at = 0; at < parts.length; at++) values[at] = parts[at].read(json.isArray() ? json.get(at) : json.get(name(at)));
            return join(values);
        }

        @Override
        int size() {
            int size = 0;
            for (Shape part : parts) size += part.size();
            return size;
        }

        @Override
        void leaves(List<Leaf> found) {
            for (Shape part : parts) part.leaves(found);
        }

        @Override
        Object make(Object[] values, int from) throws Exception {
            Object[] made = new Object[parts.length];
            for (int at = 0; at < parts.length; at++) {
                made[at] = parts[at].make(values, from);
                from += parts[at].size();
            }
            return join(made);
        }

        @Override
        void split(Object value, List<Object> found) throws Exception {
            for (int at = 0; at < parts.length; at++) parts[at].split(value == null ? null : part(value, at), found);
        }
    }

    /** Tuples, and Scala's case classes. */
    private static final class Tuples extends Composite {
        private final TupleSerializerBase<?> serializer;

        Tuples(TupleSerializerBase<?> serializer, int depth) throws Exception {
            super(serializer.getFieldSerializers(), depth);
            this.serializer = serializer;
        }

        @Override
        Object join(Object[] values) {
            return serializer.createInstance(values);
        }

        @Override
        Object part(Object value, int at) throws Exception {
            return value instanceof Tuple ? ((Tuple) value).getField(at) : Reflection.call(value, "productElement", at);
        }
    }

    private static final class Pojos extends Composite {
        private final TypeSerializer<?> serializer;
        private final Field[] fields;

        @Override
        String name(int at) {
            return fields[at].getName();
        }

        Pojos(TypeSerializer<?> serializer, int depth) throws Exception {
            super(
                (TypeSerializer<?>[]) Reflection.get(serializer, "fieldSerializers"), (Field[]) Reflection.get(serializer, "fields"), depth);
            this.serializer = serializer;
            this.fields = (Field[]) Reflection.get(serializer, "fields");
            for (Field field : fields) field.setAccessible(true);
        }

        @Override
        Object join(Object[] values) throws Exception {
            Object made = serializer.createInstance();
            for (int at = 0; at < fields.length; at++) {
                if (values[at] != null || !fields[at].getType().isPrimitive()) fields[at].set(made, values[at]);
            }
            return made;
        }

        @Override
        Object part(Object value, int at) throws Exception {
            return fields[at].get(value);
        }
    }

    private static final class Rows extends Composite {
        Rows(TypeSerializer<?> serializer, int depth) throws Exception {
            super((TypeSerializer<?>[]) Reflection.get(serializer, "fieldSerializers"), depth);
        }

        @Override
        Object join(Object[] values) {
            return Row.of(values);
        }

        @Override
        Object part(Object value, int at) {
            return ((Row) value).getField(at);
        }
    }

    /** Rows of the table runtime. */
    private static final class TableRows extends Composite {
        private final LogicalType[] types;

        TableRows(TypeSerializer<?> serializer, int depth) throws Exception {
            super((TypeSerializer<?>[]) Reflection.get(serializer, "fieldSerializers"), depth);
            this.types = (LogicalType[]) Reflection.get(serializer, "types");
        }

        static Object text(Object value) {
            return StringData.fromString(String.valueOf(value));
        }

        @Override
        Object join(Object[] values) {
            return GenericRowData.of(values);
        }

        @Override
        Object part(Object value, int at) {
            return RowData.createFieldGetter(types[at], at).getFieldOrNull((RowData) value);
        }
    }
}
