// Searches that the browser keeps, the latest first: what one looks for is one's own business.
const KEPT = "searches", KEPT_MAX = 50;

// What it has; nothing where it keeps nothing, and without entries that are no searches.
export function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.query === "string" && typeof one.name === "string") : [];
  } catch { return []; }
}
// Whether the browser has kept it; a search of the same name gives way, and so does the oldest of too many.
export const save = (name, query) => write([{ name, query }, ...others(name)].slice(0, KEPT_MAX));
export const forget = (name) => write(others(name));

const others = (name) => kept().filter((one) => one.name !== name);
function write(list) {
  try { localStorage.setItem(KEPT, JSON.stringify(list)); return true; } catch { return false; }
}
