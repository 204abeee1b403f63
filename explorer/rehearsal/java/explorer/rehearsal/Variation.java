package explorer.rehearsal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which numbers and texts the fields of made-up records have: another attempt has others. */
final class Variation {
    private static final int MOST = 16;
    private static final int[] BASES = {0, 1_000_000, -3_000};
    private static final int PARTS = 8;

    private final int attempt;
    private final int base;
    /** Between the parts of a text, or null. */
    private final String separator;
    /** The text of all records, or null. */
    private final String constant;

    /** {@code constants}: the texts in the program's classes. */
    Variation(int attempt, List<String> constants) {
        this.attempt = attempt;
        this.base = BASES[attempt % BASES.length];
        List<String> separators = separators(constants);
        int form = attempt % forms(constants);
        this.separator = form > 0 && form <= separators.size() ? separators.get(form - 1) : null;
        this.constant = form > separators.size() ? constants.get(form - separators.size() - 1) : null;
    }

    /** How many attempts differ. */
    static int count(List<String> constants) {
        return Math.min(MOST, Math.max(BASES.length, forms(constants)));
    }

    /** A number as text, a text of several parts for each separator, each constant. */
    private static int forms(List<String> constants) {
        return 1 + separators(constants).size() + constants.size();
    }

    /** What a program may split its texts at: its short texts without letters and digits, or a comma. */
    private static List<String> separators(List<String> constants) {
        Set<String> separators = new LinkedHashSet<>();
        for (String text : constants) {
            String plain = text.replace("\\s", " ").replace("\\t", "\t").replace("\\", "").replace("+", "");
            if (!plain.isEmpty() && plain.length() < 3 && plain.chars().noneMatch(Character::isLetterOrDigit)) separators.add(plain);
        }
        return new ArrayList<>(separators.isEmpty() ? Arrays.asList(",") : separators);
    }

    int number(int number) {
        return base + number;
    }

    String text(int number) {
        return constant != null ? constant : text(String.valueOf(number(number)));
    }

    /** A text that begins with another one, which has the parts of this variation. */
    String text(String first) {
        if (separator == null) return first;
        StringBuilder text = new StringBuilder(first);
        for (int part = 1; part < PARTS; part++) text.append(separator).append(number(part));
        return text.toString();
    }

    /** One of several values. */
    <T> T of(T[] values, int number) {
        return values[Math.floorMod(number + attempt, values.length)];
    }
}
