/** Default methods as py4j does and does not find them. */
public class Defaults {

    public interface Base {
        default String inherited() {
            return "from the interface above";
        }
    }

    public interface Between extends Base {}

    public static class Made implements Between {}
}
