// What a page shows, as a file: CSV for a spreadsheet, JSON by the line for programs.
import { h } from "./dom.js";

// A spreadsheet runs what begins so; an apostrophe makes it text.
const RUNS = /^[=+\-@\t\r]/;
function cell(value) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const safe = typeof value === "string" && RUNS.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
export const csv = (titles, rows) => [titles, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = h("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
// A button that saves `rows()`, those that are shown when it is pressed.
export function csvButton(name, titles, rows) {
  return h("button", { class: "small", type: "button", "aria-label": `Save ${name} as CSV`, onclick: () => download(`${name}.csv`, csv(titles, rows()), "text/csv") }, "CSV");
}
