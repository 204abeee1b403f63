// Which entries does a search mean, best first? Pure: entries and a text in, entries out.

/** An entry as it is sent: kind, title, detail, words, what choosing it does. */
const [KIND, TITLE, DETAIL, WORDS] = [0, 1, 2, 3];

/** How well one word of the search fits an entry; 0: not at all. */
function fits(word, title, detail, rest) {
  const at = title.indexOf(word);
  if (at === 0) return 5;
  if (at > 0) return /[\s\-_.:>(→]/.test(title[at - 1]) ? 4 : 3;
  if (rest.startsWith(word)) return 3;
  if (detail.includes(word)) return 2;
  return rest.includes(word) ? 1 : 0;
}

/** The entries that hold every word of `text`, best first; equals stay in the order they came in. */
export function matches(entries, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return entries;
  const phrase = words.join(" ");
  const found = [];
  for (const entry of entries) {
    const title = entry[TITLE].toLowerCase();
    const detail = entry[DETAIL].toLowerCase();
    const rest = `${entry[WORDS]} ${entry[KIND]}`.toLowerCase();
    const scores = words.map((word) => fits(word, title, detail, rest));
    if (Math.min(...scores) === 0) continue;
    const whole = title === phrase ? 30 : title.startsWith(phrase) ? 20 : title.includes(phrase) ? 10 : 0;
    found.push([scores.reduce((sum, score) => sum + score, whole), entry]);
  }
  return found.sort((a, b) => b[0] - a[0]).map(([, entry]) => entry);
}

/** The search word of an entry that matched without being shown, or nothing. */
export function metWord(entry, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = `${entry[TITLE]} ${entry[DETAIL]}`.toLowerCase();
  const hidden = words.find((word) => !shown.includes(word));
  return hidden ? (entry[WORDS].split(" ").find((each) => each.toLowerCase().includes(hidden)) ?? "") : "";
}
