package explorer.rehearsal;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;

/** Access to members whose class, visibility or signature differs between Flink releases. */
final class Reflection {
    private Reflection() {}

    /** The value of a declared or inherited field; null where the class has no such field. */
    static Object get(Object owner, String name) throws ReflectiveOperationException {
        Field field = field(owner.getClass(), name);
        return field == null ? null : field.get(owner);
    }

    /** Sets a declared or inherited field; does nothing where the class has no such field. */
    static void set(Object owner, String name, Object value) throws ReflectiveOperationException {
        Field field = field(owner.getClass(), name);
        if (field != null) field.set(owner, value);
    }

    static Field field(Class<?> kind, String name) {
        for (Class<?> one = kind; one != null; one = one.getSuperclass()) {
            try {
                Field field = one.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException absent) {
                // a superclass may declare it
            }
        }
        return null;
    }

    /** The public method with this name that takes these arguments; null where there is none. */
    static Method method(Class<?> kind, String name, Object... arguments) {
        for (Method method : kind.getMethods()) {
            if (method.getName().equals(name) && accepts(method.getParameterTypes(), arguments)) {
                method.setAccessible(true);
                return method;
            }
        }
        return null;
    }

    /** Calls a public method; throws what the method throws. */
    static Object call(Object owner, String name, Object... arguments) throws Exception {
        Method method = method(owner.getClass(), name, arguments);
        if (method == null) throw new NoSuchMethodException(owner.getClass().getName() + "." + name);
        return invoke(method, owner, arguments);
    }

    /** Calls a public method where the class has it; null where it has not. */
    static Object callIfPresent(Object owner, String name, Object... arguments) throws Exception {
        return method(owner.getClass(), name, arguments) == null ? null : call(owner, name, arguments);
    }

    /** Calls a method of any visibility that a class or a superclass declares, by its name alone. */
    static Object invokeDeclared(Object owner, String name, Object... arguments) throws Exception {
        for (Class<?> kind = owner.getClass(); kind != null; kind = kind.getSuperclass()) {
            for (Method method : kind.getDeclaredMethods()) {
                if (!method.getName().equals(name) || !accepts(method.getParameterTypes(), arguments)) continue;
                method.setAccessible(true);
                return invoke(method, owner, arguments);
            }
        }
        throw new NoSuchMethodException(owner.getClass().getName() + "." + name);
    }

    static Object invoke(Method method, Object owner, Object... arguments) throws Exception {
        try {
            return method.invoke(owner, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error) throw (Error) thrown.getCause();
            throw (Exception) thrown.getCause();
        }
    }

    private static boolean accepts(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) return false;
        for (int at = 0; at < types.length; at++) {
            if (arguments[at] != null && !boxed(types[at]).isInstance(arguments[at])) return false;
        }
        return true;
    }

    private static Class<?> boxed(Class<?> type) {
        if (type == int.class) return Integer.class;
        if (type == long.class) return Long.class;
        if (type == boolean.class) return Boolean.class;
        return type;
    }

    /** All interfaces of a class, of its superclasses and of these interfaces. */
    static Class<?>[] interfaces(Class<?> kind) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> one = kind; one != null; one = one.getSuperclass()) add(one.getInterfaces(), found);
        return found.toArray(new Class<?>[0]);
    }

    private static void add(Class<?>[] kinds, Set<Class<?>> found) {
        for (Class<?> one : kinds) {
            if (java.lang.reflect.Modifier.isPublic(one.getModifiers()) && found.add(one)) add(one.getInterfaces(), found);
        }
    }
}
