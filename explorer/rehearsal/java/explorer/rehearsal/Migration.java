package explorer.rehearsal;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Whether a restored state was written with a serializer from which Flink migrates to the new one. */
final class Migration {
    private Migration() {}

    /** {@code registered}: a state as a backend's registry holds it; null for none. */
    static boolean happened(Object registered) throws Exception {
        if (registered == null) return false;
        Object info = Reflection.get(registered, "metaInfo");
        if (info == null) info = Reflection.get(registered, "stateMetaInfo");
        if (info == null) return false;
        for (Class<?> kind = info.getClass(); kind != null; kind = kind.getSuperclass()) {
            for (Field field : kind.getDeclaredFields()) {
                if (!field.getType().getSimpleName().equals("StateSerializerProvider")) continue;
                field.setAccessible(true);
                if (migrates(field.get(info))) return true;
            }
        }
        return false;
    }

    private static boolean migrates(Object provider) throws Exception {
        if (provider == null) return false;
        Object before = Reflection.get(provider, "previousSerializerSnapshot");
        Object now = Reflection.get(provider, "registeredSerializer");
        if (before == null || now == null) return false;
        Object compatibility = resolved(before, now);
        return compatibility != null && (Boolean) Reflection.call(compatibility, "isCompatibleAfterMigration");
    }

    /** Since 1.19 the new snapshot is asked about the old one; before, the old one about the serializer. */
    private static Object resolved(Object before, Object now) throws Exception {
        Object snapshot = Reflection.call(now, "snapshotConfiguration");
        Method since = Reflection.method(snapshot.getClass(), "resolveSchemaCompatibility", before);
        if (since != null && !isOldForm(since)) return Reflection.invoke(since, snapshot, before);
        Method until = Reflection.method(before.getClass(), "resolveSchemaCompatibility", now);
        return until == null ? null : Reflection.invoke(until, before, now);
    }

    private static boolean isOldForm(Method method) {
        return method.getParameterTypes()[0].getSimpleName().equals("TypeSerializer");
    }
}
