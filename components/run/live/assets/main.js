// Sends a running trial's figures to both graphs; shows nothing itself.

import { publishFigures } from "../streamgraph-explorer.graph/figures.js";
import { received } from "../streamgraph-explorer.shared/mounted.js";

export default function mount({ data }) {
  publishFigures(received(data));
  return () => publishFigures(null);
}
