package explorer.rehearsal;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The texts that a program's classes compare records with or split them at: strings in the constant pools of class files. */
final class Constants {
    private static final int MOST = 40;
    private static final int LONGEST = 40;

    private Constants() {}

    /** The strings of an operator's functions, and of the classes around them; empty where no class file is found. */
    static List<String> of(Object operator) throws ReflectiveOperationException {
        Set<String> texts = new LinkedHashSet<>();
        for (String field : new String[] {"userFunction", "trigger"}) {
            Object function = Reflection.get(operator, field);
            for (Class<?> kind = function == null ? null : function.getClass(); kind != null; kind = kind.getEnclosingClass()) {
                if (!kind.getName().startsWith("org.apache.flink.")) texts.addAll(strings(kind));
            }
        }
        texts.removeIf(text -> text.isEmpty() || text.length() > LONGEST);
        return new ArrayList<>(texts).subList(0, Math.min(MOST, texts.size()));
    }

    private static Collection<String> strings(Class<?> kind) {
        String file = kind.getName().substring(kind.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream bytes = kind.getResourceAsStream(file)) {
            return bytes == null ? new ArrayList<>() : strings(new DataInputStream(bytes));
        } catch (IOException unreadable) {
            return new ArrayList<>();
        }
    }

    /** Reads a constant pool, as section 4.4 of the JVM's specification lays it out. */
    private static Collection<String> strings(DataInputStream file) throws IOException {
        file.readFully(new byte[8]);
        String[] texts = new String[file.readUnsignedShort()];
        List<Integer> strings = new ArrayList<>();
        for (int at = 1; at < texts.length; at++) {
            int tag = file.readUnsignedByte();
            if (tag == 1) texts[at] = file.readUTF();
            else if (tag == 8) strings.add(file.readUnsignedShort());
            else file.readFully(new byte[tag == 5 || tag == 6 ? 8 : tag == 15 ? 3 : tag == 7 || tag == 16 || tag == 19 || tag == 20 ? 2 : 4]);
            if (tag == 5 || tag == 6) at++; // a long or double takes two places
        }
        List<String> found = new ArrayList<>();
        for (int at : strings) found.add(texts[at]);
        return found;
    }
}
