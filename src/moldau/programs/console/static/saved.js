// What the browser keeps by names, the latest first, such as searches: what one looks for is one's own business.
// An entry has a name; `isOne` knows whether the rest of it is whole.
export function savedEntries(place, isOne, most = 50) {
  // Nothing where the browser keeps nothing.
  function kept() {
    try {
      const found = JSON.parse(localStorage.getItem(place) ?? "[]");
      return Array.isArray(found) ? found.filter((one) => typeof one?.name === "string" && isOne(one)) : [];
    } catch { return []; }
  }
  const others = (name) => kept().filter((one) => one.name !== name);
  function write(list) {
    try { localStorage.setItem(place, JSON.stringify(list)); return true; } catch { return false; }
  }
  return {
    kept,
    // Whether the browser has kept it; one of the same name gives way, and so does the oldest of too many.
    save: (name, more) => write([{ ...more, name }, ...others(name)].slice(0, most)),
    forget: (name) => write(others(name)),
  };
}
