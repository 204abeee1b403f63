// In which order do the rows of a table stand, and which of them at all? Sorted by a column, filtered by words.

/** The text of a cell. */
export function textOf(cell) {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "object") return String(cell);
  return [cell.text, cell.new, cell.old, cell.note].filter((part) => part !== undefined && part !== null).join(" ");
}

/** The rows of which every word is found somewhere. A word in quotes may hold blanks. */
export function matching(rows, wanted) {
  const words = (wanted.toLowerCase().match(/"[^"]*"?|\S+/g) ?? []).map((word) => word.replaceAll('"', "")).filter(Boolean);
  if (!words.length) return rows;
  return rows.filter(({ cells }) => {
    const line = cells.map(textOf).join("\n").toLowerCase();
    return words.every((word) => line.includes(word));
  });
}

const order = new Intl.Collator("en", { numeric: true });

/** The rows by one column, up or down; equal ones stay as they were, and those without a value come last. */
export function sorted(rows, { column, down }) {
  if (column < 0) return rows;
  const keyed = rows.map((row) => [row, valueOf(row.cells[column])]);
  return keyed.sort(([, a], [, b]) => compared(a, b, down)).map(([row]) => row);
}

/** A share of a bar counts as a number, and so does a text that is one with separators. */
function valueOf(cell) {
  if (cell?.text === undefined && cell?.share !== undefined) return cell.share;
  const text = textOf(cell);
  const plain = text.replace(/[,×%]|\s*(ms|B)$/g, "").trim();
  if (text === "" || text === "—") return null;
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

function compared(a, b, down) {
  if (a === null || b === null) return (a === null) - (b === null);
  const both = typeof a === "number" && typeof b === "number";
  const found = both ? a - b : order.compare(String(a), String(b));
  return down ? -found : found;
}
