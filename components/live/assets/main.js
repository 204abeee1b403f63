// Sends a running trial's figures to both graphs; shows nothing itself.

import { publishFigures } from "../streamgraph-explorer.graph/figures.js";

export default function mount({ data }) {
  publishFigures(data);
  return () => publishFigures(null);
}
