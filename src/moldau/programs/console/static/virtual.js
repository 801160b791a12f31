// A list of any length of which only the rows that are seen exist.
import { h, replace } from "./dom.js";

const HEIGHT = 38, SPARE = 12;
// A title is [text, class, what sorts by it, hint]. `narrow` are the columns of a telephone, where those with the class narrow-off are not shown.
export function virtual(label, wide, titles, cells, narrow = wide, none = "Nothing has this name.") {
  const grid = matchMedia("(max-width: 760px)").matches ? narrow : wide;
  let rows = [], from = -1, to = -1;
  const spacer = h("div", { class: "spacer", role: "rowgroup" });
  const top = h("div", { class: "vhead", role: "row" }, titles.map(([title, kind, sort, hint]) => h("span", { class: kind, role: "columnheader" }, sort ? h("button", { class: "plain", type: "button", title: hint ?? null, onclick: sort }, title) : title)));
  const element = h("div", { class: "virtual", role: "table", "aria-label": label, tabindex: "0", onscroll: () => draw(false) }, h("div", { role: "rowgroup" }, top), spacer);
  top.style.gridTemplateColumns = grid;
  function draw(anew) {
    const first = Math.max(Math.floor(element.scrollTop / HEIGHT) - SPARE, 0);
    const last = Math.min(Math.ceil((element.scrollTop + (element.clientHeight || 760)) / HEIGHT) + SPARE, rows.length);
    if (!anew && first === from && last === to) return;
    [from, to] = [first, last];
    const shown = [];
    for (let at = first; at < last; at += 1) {
      const row = h("div", { class: "vrow", role: "row", "aria-rowindex": at + 2 }, cells(rows[at]));
      for (const cell of row.children) cell.setAttribute("role", "cell");
      row.style.gridTemplateColumns = grid;
      row.style.top = `${at * HEIGHT}px`;
      shown.push(row);
    }
    replace(spacer, shown);
  }
  return { element, set(found, keeps = false) {
    rows = found;
    spacer.style.height = `${Math.max(rows.length * HEIGHT, HEIGHT)}px`;
    element.setAttribute("aria-rowcount", rows.length + 1);
    element.style.height = `min(70vh, ${Math.max(rows.length + 1, 4) * HEIGHT + 2}px)`;
    if (!keeps) element.scrollTop = 0;
    draw(true);
    if (!rows.length) replace(spacer, h("p", { class: "empty" }, none));
  } };
}
