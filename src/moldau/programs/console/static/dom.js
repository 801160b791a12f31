// Elements without a framework. Text becomes text nodes alone, so nothing that a user supplied is
// ever parsed as HTML.
import { within } from "./place.js";

export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  apply(element, properties);
  add(element, children);
  return element;
}
export function s(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, properties);
  add(element, children);
  return element;
}
function apply(element, properties) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "open" || name === "disabled" || name === "selected") element[name] = value;
    else if (name === "width%") element.style.width = `${value}%`;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}
export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}
export function replace(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}
export const number = (value) => value === null || value === undefined ? "–" : Number(value).toLocaleString("en");
export function bytes(size) {
  if (size === null || size === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let left = size, unit = 0;
  while (left >= 1024 && unit < units.length - 1) { left /= 1024; unit += 1; }
  return `${unit ? left.toFixed(left < 10 ? 1 : 0) : left} ${units[unit]}`;
}
export function time(ms) {
  if (ms === null || ms === undefined || ms < 0) return "–";
  const moment = new Date(ms);
  const pad = (part, width = 2) => String(part).padStart(width, "0");
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())} ${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}.${pad(moment.getMilliseconds(), 3)}`;
}
const rounded = (value, digits) => String(Number(value.toFixed(digits)));
export function duration(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 90) return `${rounded(seconds, seconds < 10 ? 1 : 0)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${rounded(seconds / 3600, 1)} h`;
  return `${Math.round(seconds / 86400)} days`;
}
export const rate = (value) => value === null || value === undefined ? "–" : value >= 100 ? number(Math.round(value)) : String(Math.round(value * 10) / 10);
export const tag = (text, kind) => h("span", { class: `tag ${kind ?? ""}` }, text);
export const note = (text, kind) => h("p", { class: `note ${kind ?? ""}`, role: kind === "bad" ? "alert" : null }, text);
export const link = (to, ...children) => h("a", { href: within(to) }, children);
export const path = (...names) => within(`/ui/${names.map((name) => encodeURIComponent(name)).join("/")}`);
export function card(title, ...body) {
  return h("section", { class: "card" }, title && h("div", { class: "title" }, typeof title === "string" ? h("h2", {}, title) : title), body);
}
export function head(title, crumbs, ...actions) {
  document.title = `${title} · Moldau`;
  return h("div", { class: "head" }, h("div", {}, crumbs && h("p", { class: "crumbs" }, crumbs), h("h1", {}, title)), h("div", { class: "bar" }, actions));
}
export function figures(pairs) {
  return h("dl", { class: "figures" }, pairs.map(([name, value, kind]) => h("div", {}, h("dt", {}, name), h("dd", { class: kind }, value))));
}
// Columns: [title, cell function, class]. The first column names its row.
// Rows that can be changed are blocks on a telephone (`kind` is "cards"), so that no button is out of sight.
export function table(label, columns, rows, empty = "Nothing here.", kind = null) {
  if (!rows.length) return h("p", { class: "empty" }, empty);
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: kind, role: "table" }, h("caption", { class: "unseen" }, label),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(([title, , kind]) => h("th", { scope: "col", role: "columnheader", class: kind }, title || h("span", { class: "unseen" }, "What can be done"))))),
      h("tbody", { role: "rowgroup" }, rows.map((row) => h("tr", { role: "row" }, columns.map(([title, cell, kind]) => h("td", { role: "cell", class: kind, "data-title": typeof title === "string" ? title : null }, cell(row))))))));
}
export function field(label, control, hint) {
  return h("label", { class: "field" }, label, control, hint && h("span", { class: "hint" }, hint));
}
export function choice(options, value, more) {
  return h("select", more, options.map((one) => { const [key, text] = Array.isArray(one) ? one : [one, one]; return h("option", { value: key, selected: key === value }, text); }));
}
export function announce(text) { document.getElementById("live").textContent = text; }
