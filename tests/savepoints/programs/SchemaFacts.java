import java.io.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeinfo.*;
import org.apache.flink.api.common.typeutils.*;
import org.apache.flink.api.java.typeutils.*;
import org.apache.flink.core.memory.*;

/**
 * Asks a release whether it can read what an older serializer wrote: {@code write DIR} or {@code ask DIR}.
 *
 * <p>It is compiled twice. Lines that begin with {@code //1} are code of the old program, those that begin with
 * {@code //2} of the new one, so that a class can have two versions. See {@code ask_schemas.py}.
 */
public class SchemaFacts {
    //1 public static class Same { public int a; public String b; }
    //2 public static class Same { public int a; public String b; }
    //1 public static class Added { public int a; }
    //2 public static class Added { public int a; public String b; }
    //1 public static class Removed { public int a; public String b; }
    //2 public static class Removed { public int a; }
    //1 public static class Retyped { public int a; public String b; }
    //2 public static class Retyped { public long a; public String b; }
    //1 public static class Inner { public int a; }
    //2 public static class Inner { public int a; public int b; }
    public static class Outer { public Inner inner; public long id; }
    public static class Base { public int a; }
    public static class Renamed1 { public int a; }
    public static class Renamed2 { public int a; }
    //1 public enum Grown { A, B }
    //2 public enum Grown { A, B, C }
    //1 public enum Turned { A, B }
    //2 public enum Turned { B, A }
    //1 public enum Shrunk { A, B }
    //2 public enum Shrunk { A }
    public enum Steady { A, B }
    public static class Opaque { private int a; public Opaque(int a) { this.a = a; } }
    public static class Opaque2 { private int a; public Opaque2(int a) { this.a = a; } }

    static final boolean OLD =
    //1 true;
    //2 false;

    static final Map<String, TypeSerializer<?>> CASES = new LinkedHashMap<>();

    static TypeSerializer<?> made(TypeInformation<?> type) throws Exception {
        ExecutionConfig config = new ExecutionConfig();
        try {
            return (TypeSerializer<?>) TypeInformation.class.getMethod("createSerializer", ExecutionConfig.class).invoke(type, config);
        } catch (NoSuchMethodException e) {
            Object settings = ExecutionConfig.class.getMethod("getSerializerConfig").invoke(config);
            Method create = TypeInformation.class.getMethod("createSerializer", Class.forName("org.apache.flink.api.common.serialization.SerializerConfig"));
            return (TypeSerializer<?>) create.invoke(type, settings);
        }
    }

    static void add(String name, TypeInformation<?> before, TypeInformation<?> after) throws Exception {
        CASES.put(name, made(OLD ? before : after));
    }

    static void rows(String name, String[] before, String[] after) {
        try {
            CASES.put(name, rowData(OLD ? before : after));
        } catch (Throwable e) {
            // A release without this serializer, or without a table runtime.
        }
    }

    static TypeSerializer<?> rowData(String[] columns) throws Exception {
        Class<?> logical = Class.forName("org.apache.flink.table.types.logical.LogicalType");
        Object types = Array.newInstance(logical, columns.length);
        for (int i = 0; i < columns.length; i++) Array.set(types, i, column(columns[i]));
        Class<?> serializer = Class.forName("org.apache.flink.table.runtime.typeutils.RowDataSerializer");
        return (TypeSerializer<?>) serializer.getConstructor(types.getClass()).newInstance(types);
    }

    static Object column(String word) throws Exception {
        String[] parts = word.split(":");
        Class<?> kind = Class.forName("org.apache.flink.table.types.logical." + parts[0]);
        if (parts.length == 1) return kind.getConstructor().newInstance();
        if (parts[1].equals("notnull")) return kind.getConstructor(boolean.class).newInstance(false);
        if (parts[0].equals("ArrayType"))
            return kind.getConstructor(Class.forName("org.apache.flink.table.types.logical.LogicalType")).newInstance(column(parts[1]));
        if (parts[0].equals("MapType")) {
            Class<?> logical = Class.forName("org.apache.flink.table.types.logical.LogicalType");
            return kind.getConstructor(logical, logical).newInstance(column(parts[1]), column(parts[2]));
        }
        if (parts[0].equals("RowType")) {
            Class<?> logical = Class.forName("org.apache.flink.table.types.logical.LogicalType");
            Object types = Array.newInstance(logical, parts.length - 1);
            for (int i = 1; i < parts.length; i++) Array.set(types, i - 1, column(parts[i]));
            return kind.getMethod("of", types.getClass()).invoke(null, types);
        }
        if (parts.length == 2) return kind.getConstructor(int.class).newInstance(Integer.parseInt(parts[1]));
        return kind.getConstructor(int.class, int.class).newInstance(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    static String[] of(String... columns) { return columns; }

    static void cases() throws Exception {
        BasicTypeInfo<?>[] basics = {BasicTypeInfo.STRING_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO, BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.DOUBLE_TYPE_INFO,
            BasicTypeInfo.FLOAT_TYPE_INFO, BasicTypeInfo.BOOLEAN_TYPE_INFO, BasicTypeInfo.SHORT_TYPE_INFO, BasicTypeInfo.BYTE_TYPE_INFO, BasicTypeInfo.CHAR_TYPE_INFO,
            BasicTypeInfo.BIG_DEC_TYPE_INFO, BasicTypeInfo.BIG_INT_TYPE_INFO, BasicTypeInfo.DATE_TYPE_INFO, BasicTypeInfo.VOID_TYPE_INFO};
        for (BasicTypeInfo<?> type : basics) add("same " + type, type, type);
        add("Integer to Long", Types.INT, Types.LONG);
        add("Float to Double", Types.FLOAT, Types.DOUBLE);
        add("String to Long", Types.STRING, Types.LONG);
        add("same instant", Types.INSTANT, Types.INSTANT);
        add("same local date and time", Types.LOCAL_DATE_TIME, Types.LOCAL_DATE_TIME);
        add("same SQL timestamp", Types.SQL_TIMESTAMP, Types.SQL_TIMESTAMP);
        add("same bytes", Types.PRIMITIVE_ARRAY(Types.BYTE), Types.PRIMITIVE_ARRAY(Types.BYTE));
        add("same texts", BasicArrayTypeInfo.STRING_ARRAY_TYPE_INFO, BasicArrayTypeInfo.STRING_ARRAY_TYPE_INFO);
        add("same POJO", Types.POJO(Same.class), Types.POJO(Same.class));
        add("POJO field added", Types.POJO(Added.class), Types.POJO(Added.class));
        add("POJO field removed", Types.POJO(Removed.class), Types.POJO(Removed.class));
        add("POJO field retyped", Types.POJO(Retyped.class), Types.POJO(Retyped.class));
        add("nested POJO field added", Types.POJO(Outer.class), Types.POJO(Outer.class));
        add("another POJO class", Types.POJO(Renamed1.class), Types.POJO(Renamed2.class));
        add("POJO to Kryo", Types.POJO(Same.class), Types.GENERIC(Same.class));
        add("Kryo to POJO", Types.GENERIC(Same.class), Types.POJO(Same.class));
        add("same Kryo class", Types.GENERIC(Opaque.class), Types.GENERIC(Opaque.class));
        add("another Kryo class", Types.GENERIC(Opaque.class), Types.GENERIC(Opaque2.class));
        add("same tuple", Types.TUPLE(Types.LONG, Types.STRING), Types.TUPLE(Types.LONG, Types.STRING));
        add("tuple arity", Types.TUPLE(Types.LONG, Types.LONG), Types.TUPLE(Types.LONG, Types.LONG, Types.LONG));
        add("tuple field retyped", Types.TUPLE(Types.LONG, Types.INT), Types.TUPLE(Types.LONG, Types.LONG));
        add("POJO in a tuple", Types.TUPLE(Types.LONG, Types.POJO(Added.class)), Types.TUPLE(Types.LONG, Types.POJO(Added.class)));
        add("same row", Types.ROW(Types.LONG, Types.STRING), Types.ROW(Types.LONG, Types.STRING));
        add("row arity", Types.ROW(Types.LONG), Types.ROW(Types.LONG, Types.STRING));
        add("row field renamed", Types.ROW_NAMED(new String[] {"a"}, Types.LONG), Types.ROW_NAMED(new String[] {"b"}, Types.LONG));
        add("row field retyped", Types.ROW(Types.INT), Types.ROW(Types.LONG));
        add("same list", Types.LIST(Types.LONG), Types.LIST(Types.LONG));
        add("list element retyped", Types.LIST(Types.INT), Types.LIST(Types.LONG));
        add("POJO in a list", Types.LIST(Types.POJO(Added.class)), Types.LIST(Types.POJO(Added.class)));
        add("same map", Types.MAP(Types.STRING, Types.LONG), Types.MAP(Types.STRING, Types.LONG));
        add("map key retyped", Types.MAP(Types.STRING, Types.LONG), Types.MAP(Types.LONG, Types.LONG));
        add("map value retyped", Types.MAP(Types.STRING, Types.INT), Types.MAP(Types.STRING, Types.LONG));
        add("POJO in a map", Types.MAP(Types.STRING, Types.POJO(Added.class)), Types.MAP(Types.STRING, Types.POJO(Added.class)));
        add("list to map", Types.LIST(Types.LONG), Types.MAP(Types.LONG, Types.LONG));
        add("enum constant added", Types.ENUM(Grown.class), Types.ENUM(Grown.class));
        add("enum constants reordered", Types.ENUM(Turned.class), Types.ENUM(Turned.class));
        add("enum constant removed", Types.ENUM(Shrunk.class), Types.ENUM(Shrunk.class));
        add("same enum", Types.ENUM(Steady.class), Types.ENUM(Steady.class));
        add("same either", Types.EITHER(Types.LONG, Types.STRING), Types.EITHER(Types.LONG, Types.STRING));
        add("either retyped", Types.EITHER(Types.LONG, Types.STRING), Types.EITHER(Types.LONG, Types.LONG));
        add("same array", Types.OBJECT_ARRAY(Types.POJO(Same.class)), Types.OBJECT_ARRAY(Types.POJO(Same.class)));
        add("array element retyped", Types.OBJECT_ARRAY(Types.POJO(Same.class)), Types.OBJECT_ARRAY(Types.POJO(Added.class)));
        add("POJO in an array", Types.OBJECT_ARRAY(Types.POJO(Added.class)), Types.OBJECT_ARRAY(Types.POJO(Added.class)));
        rows("same columns", of("IntType", "BigIntType", "DoubleType", "BooleanType", "DateType", "FloatType", "SmallIntType", "TinyIntType"),
            of("IntType", "BigIntType", "DoubleType", "BooleanType", "DateType", "FloatType", "SmallIntType", "TinyIntType"));
        rows("same sized columns", of("VarCharType:2147483647", "VarCharType:10", "CharType:3", "DecimalType:10:2", "TimestampType:3", "LocalZonedTimestampType:6", "TimeType:0"),
            of("VarCharType:2147483647", "VarCharType:10", "CharType:3", "DecimalType:10:2", "TimestampType:3", "LocalZonedTimestampType:6", "TimeType:0"));
        rows("same nested columns", of("ArrayType:IntType", "MapType:IntType:BigIntType", "RowType:IntType:DoubleType", "VarBinaryType:2147483647"),
            of("ArrayType:IntType", "MapType:IntType:BigIntType", "RowType:IntType:DoubleType", "VarBinaryType:2147483647"));
        rows("column retyped", of("IntType"), of("BigIntType"));
        rows("column added", of("BigIntType"), of("BigIntType", "BigIntType"));
        rows("column not null", of("BigIntType"), of("BigIntType:notnull"));
        rows("decimal widened", of("DecimalType:10:2"), of("DecimalType:12:2"));
        rows("text widened", of("VarCharType:10"), of("VarCharType:20"));
        rows("array column retyped", of("ArrayType:IntType"), of("ArrayType:BigIntType"));
        rows("timestamp widened", of("TimestampType:3"), of("TimestampType:6"));
    }

    static byte[] written(TypeSerializer<?> serializer) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
        return out.getCopyOfBuffer();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static String answer(byte[] before, TypeSerializer<?> now) {
        try {
            TypeSerializerSnapshot old = TypeSerializerSnapshot.readVersionedSnapshot(new DataInputDeserializer(before), SchemaFacts.class.getClassLoader());
            TypeSerializerSchemaCompatibility found;
            try {
                Method resolve = TypeSerializerSnapshot.class.getMethod("resolveSchemaCompatibility", TypeSerializerSnapshot.class);
                found = (TypeSerializerSchemaCompatibility) resolve.invoke(now.snapshotConfiguration(), old);
            } catch (NoSuchMethodException e) {
                found = (TypeSerializerSchemaCompatibility) TypeSerializerSnapshot.class.getMethod("resolveSchemaCompatibility", TypeSerializer.class).invoke(old, now);
            }
            if (found.isCompatibleAsIs()) return "compatible";
            if (found.isCompatibleWithReconfiguredSerializer()) return "reconfigured";
            return found.isCompatibleAfterMigration() ? "migrated" : "incompatible";
        } catch (Throwable e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            return cause.getClass().getSimpleName();
        }
    }

    public static void main(String[] args) throws Exception {
        cases();
        Path folder = Paths.get(args[1]);
        int number = 0;
        for (Map.Entry<String, TypeSerializer<?>> each : CASES.entrySet()) {
            byte[] content;
            try {
                content = written(each.getValue());
            } catch (Throwable e) {
                continue;
            }
            Path file = folder.resolve(each.getKey().replace(' ', '_').replace('<', '_').replace('>', '_'));
            if (args[0].equals("write")) {
                Files.write(file, content);
            } else if (Files.exists(file)) {
                byte[] before = Files.readAllBytes(file);
                Base64.Encoder text = Base64.getEncoder();
                System.out.println(each.getKey() + "\t" + answer(before, each.getValue()) + "\t" + text.encodeToString(before) + "\t" + text.encodeToString(content));
            }
        }
    }
}
