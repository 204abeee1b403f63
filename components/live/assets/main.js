// A running trial's figures on their way to both graphs; nothing of it is seen here.

import { tellFigures } from "../streamgraph-explorer.graph/figures.js";

export default function mount({ data }) {
  tellFigures(data);
  return () => tellFigures(null);
}
