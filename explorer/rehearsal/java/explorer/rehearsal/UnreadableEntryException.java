package explorer.rehearsal;

/** A sampled entry that the new program's serializer cannot read. */
final class UnreadableEntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableEntryException(Throwable cause) {
        super("an entry cannot be read: " + cause, cause);
    }
}
