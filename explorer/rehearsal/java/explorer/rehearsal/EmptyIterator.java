package explorer.rehearsal;

import java.util.NoSuchElementException;
import org.apache.flink.util.CloseableIterator;

/** An iterator without elements. {@code CloseableIterator.empty()} is not in all releases. */
final class EmptyIterator implements CloseableIterator<Object> {
    @Override
    public boolean hasNext() {
        return false;
    }

    @Override
    public Object next() {
        throw new NoSuchElementException();
    }

    @Override
    public void close() {}
}
