package explorer.rehearsal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/** Records that the caller gives: {@code operator} (ID, uid or name), {@code record}, {@code input}. */
final class GivenRecords {
    private final Map<String, List<JsonNode>> byOperator = new LinkedHashMap<>();

    GivenRecords(JsonNode records) {
        for (JsonNode one : records) byOperator.computeIfAbsent(one.get("operator").asText(), name -> new ArrayList<>()).add(one);
    }

    /** The records of one operator. */
    List<JsonNode> of(CutGraph.Part part) {
        List<JsonNode> found = new ArrayList<>();
        for (String name : new String[] {part.id, part.uid, part.name}) {
            if (name != null && found.isEmpty()) found.addAll(byOperator.getOrDefault(name, new ArrayList<>()));
        }
        return found;
    }
}
