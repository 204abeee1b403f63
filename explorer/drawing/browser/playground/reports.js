// The reports beside the graphs: IDs, check, explain, restore and plan. All names from users reach the page as text.

import { element } from "../shared/dom.js";

const TABS = [["ids", "Operator IDs"], ["check", "Check"], ["explain", "Explain"], ["restore", "Restore"], ["plan", "Plan"]];

function table({ heads, rows }, select) {
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col", textContent: name })));
  const lines = rows.map(({ key, tone, cells }) => {
    const row = element("tr", { className: tone ?? "" }, ...cells.map((text) => element("td", { textContent: text })));
    if (key) {
      row.dataset.key = key;
      row.tabIndex = 0;
      row.onclick = () => select(key);
      row.onkeydown = (event) => event.key === "Enter" && select(key);
    }
    return row;
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines));
}

function content(report, select) {
  const parts = report.sentence ? [element("p", { className: "lead", textContent: report.sentence })] : [];
  if (report.table) parts.push(table(report.table, select));
  if (report.text) parts.push(element("pre", { textContent: report.text, tabIndex: 0 }));
  if (report.page) {
    const frame = element("iframe", { title: "Plan", srcdoc: report.page });
    frame.setAttribute("sandbox", "");
    parts.push(frame);
  }
  return parts;
}

/** The tabs; `request(name, take)` asks for a report, `select(key)` selects an operator. */
export function createReports(root, request, select) {
  const bar = element("div", { className: "tabs", role: "tablist", "aria-label": "Reports" });
  const body = element("div", { className: "report", role: "tabpanel", "aria-live": "polite" });
  root.append(bar, body);
  let shown = TABS[0][0];
  const buttons = TABS.map(([name, label]) => {
    const button = element("button", { type: "button", role: "tab", textContent: label, onclick: () => open(name) });
    button.dataset.report = name;
    return button;
  });
  bar.append(...buttons);
  const refresh = () => request(shown, (report) => {
    if (report?.name === shown) body.replaceChildren(...content(report, select));
  });
  function open(name) {
    shown = name;
    for (const button of buttons) button.setAttribute("aria-selected", String(button.dataset.report === name));
    body.replaceChildren(element("p", { className: "lead", textContent: "…" }));
    refresh();
  }
  open(shown);
  return { bar, refresh, open };
}
