// All clusters of the console, each asked for itself: one that does not answer holds up no other.
import { h, replace, number, tag, note, head, card, table } from "./dom.js";
import { apiOf, everywhere } from "./api.js";
import { cluster as current, pagesOf } from "./place.js";

export async function list(context) {
  const all = await everywhere.get("/clusters", context.signal);
  const rows = all.map((one) => ({ ...one, state: h("span", { class: "quiet" }, "is asked…"), brokers: h("span"), id: h("span") }));
  for (const row of rows) ask(row, context.signal);
  return [head("Clusters"), note("Each cluster has its own users and access rules, schemas and changes."),
    card("Clusters of this console", table("Clusters", [
      ["Name", (one) => [h("a", { href: pagesOf(one.name), "aria-current": one.name === current ? "true" : null }, one.name), one.is_read_only && [" ", tag("read-only")]], "name"],
      ["State", (one) => one.state], ["Brokers", (one) => one.brokers, "num"], ["Cluster id", (one) => one.id, "long"],
    ], rows))];
}
async function ask(row, signal) {
  try {
    const found = await apiOf(row.name).get("/cluster", signal);
    const live = found.brokers.filter((one) => !one.is_fenced).length;
    replace(row.state, live === found.brokers.length ? tag("serving", "good") : tag(`${found.brokers.length - live} brokers fenced`, "warn"));
    replace(row.brokers, live === found.brokers.length ? number(live) : `${live} of ${found.brokers.length}`);
    replace(row.id, h("code", {}, found.cluster_id));
  } catch (error) {
    if (error.name !== "AbortError") replace(row.state, tag(error.status === 403 || error.status === 401 ? "not shown to you" : "no answer", "bad"), " ", error.message);
  }
}
