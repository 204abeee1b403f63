// The editor's looks, in the page's colours, which follow light and dark themselves.

import { EditorView, HighlightStyle, syntaxHighlighting, tags } from "./codemirror.js";

const BOX = { border: "1px solid var(--x-rule)", background: "var(--x-panel)", color: "var(--x-ink)" };

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--x-ink)", background: "var(--x-panel)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--x-accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--st-code-font, monospace)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--x-ink)" },
  ".cm-cursor": { borderLeftColor: "var(--x-ink)" },
  ".cm-gutters": { background: "var(--x-panel)", color: "var(--x-mute)", borderRight: "1px solid var(--x-rule)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--x-accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--x-accent) 28%, transparent)",
  },
  ".cm-selectionMatch, .cm-searchMatch": { background: "color-mix(in srgb, var(--x-cut) 25%, transparent)" },
  ".cm-foldPlaceholder": { ...BOX, padding: "0 6px" },
  ".cm-tooltip": { ...BOX, borderRadius: "6px", maxWidth: "460px", fontFamily: "var(--st-font, sans-serif)", fontSize: "13px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--x-accent)", color: "var(--x-on-accent)" },
  ".cm-completionDetail": { marginLeft: "10px", fontStyle: "normal", opacity: "0.85" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--x-bad)" },
  ".cm-panels": { background: "var(--x-panel)", color: "var(--x-ink)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--x-rule)" },
  ".cm-panel.cm-search": { fontFamily: "var(--st-font, sans-serif)", fontSize: "13px" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-textfield, .cm-button": { ...BOX, backgroundImage: "none", borderRadius: "4px", fontSize: "13px" },
  ".cm-panel.cm-search [name=close]": { color: "var(--x-ink)", fontSize: "16px" },
});

export const highlighting = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--x-accent)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--x-edge)" },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--x-cut)" },
    { tag: [tags.comment, tags.lineComment], color: "var(--x-mute)", fontStyle: "italic" },
    { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--x-mute)" },
  ]),
);
