// All topics: the first rows at once, then all of them, and rows that are made only where they are seen.
import { h, replace, number, tag, link, path, head, field, choice } from "./dom.js";
import { within } from "./place.js";
import { api } from "./api.js";
import { ask } from "./change.js";
import { virtual } from "./virtual.js";

const GRID = "minmax(0, 1fr) 5.5rem 5rem 8.5rem";
export async function list(context) {
  let { rows, has_more: more } = await api.get("/topics?first=true", context.signal);
  const text = h("input", { type: "search", placeholder: "Find topics   /", "aria-label": "Find topics by name", value: context.query.get("q") ?? "", oninput: () => draw(true) });
  const which = choice([["own", "without internal ones"], ["all", "with internal ones"], ["troubled", "with a problem"]], context.query.get("show") ?? "own", { "aria-label": "Which topics", onchange: () => draw(true) });
  const order = choice([["name", "by name"], ["partitions", "most partitions first"]], context.query.get("by") ?? "name", { "aria-label": "Order", onchange: () => draw(true) });
  const shown = virtual("Topics", GRID, [["Topic", ""], ["Partitions", "num"], ["Replicas", "num narrow-off"], ["State", ""]], cells, "minmax(0, 1fr) 4.6rem 5.2rem",
    rows.some((row) => !row[3]) ? undefined : `There are no topics yet${context.about?.user ? " that you may see" : ""}. The first record of a producer makes one, or you do.`);
  const count = h("span", { class: "quiet small", role: "status" });
  function draw(keeps, arrived = false) {
    const wanted = text.value.toLowerCase();
    const found = rows.filter(([name, , , internal, behind, offline]) => name.toLowerCase().includes(wanted) && (which.value === "all" || (which.value === "troubled" ? behind || offline : !internal)));
    if (order.value === "partitions") found.sort((one, two) => two[1] - one[1]);
    shown.set(found, arrived);
    count.textContent = `${number(found.length)} of ${number(rows.length)}${more ? ", the others are on their way" : ""}`;
    if (keeps) history.replaceState(null, "", within(`/ui/topics?${new URLSearchParams({ q: text.value, show: which.value, by: order.value })}`));
  }
  draw(false);
  if (more) api.get("/topics", context.signal).then((all) => { rows = all.rows; more = false; draw(false, true); }, (error) => { if (error.name !== "AbortError") count.textContent = error.message; });
  return [head("Topics", null, h("button", { class: "main", onclick: () => create(context) }, "Create a topic")),
    h("div", { class: "card" }, h("div", { class: "title" }, h("div", { class: "bar" }, text, which, order), count), shown.element)];
}
function cells([name, partitions, replicas, internal, behind, offline]) {
  const state = offline ? tag(`${offline} offline`, "bad") : behind ? tag(`${behind} under-replicated`, "warn") : internal ? tag("internal") : tag("in sync", "good");
  return [h("span", {}, link(path("topics", name), name)), h("span", { class: "num" }, number(partitions)), h("span", { class: "num narrow-off" }, replicas), h("span", {}, state)];
}
function create(context) {
  const name = h("input", { required: true, autocomplete: "off", maxlength: 249 });
  const partitions = h("input", { type: "number", min: 1 }), replicas = h("input", { type: "number", min: 1 });
  const configs = h("textarea", { placeholder: "retention.ms=604800000\ncleanup.policy=compact" });
  ask("Create a topic", "create-topic", [
    h("div", { class: "whole" }, field("Name", name, "letters, digits, dots, _ and -")),
    field("Partitions", partitions, "empty: the broker's default"), field("Replicas", replicas, "empty: the broker's default"),
    h("div", { class: "whole" }, field("Settings, one a line", configs))],
  () => ({ topic: name.value, ...(partitions.value && { partitions: Number(partitions.value) }), ...(replicas.value && { replication_factor: Number(replicas.value) }), configs: lines(configs.value) }),
  () => context.go(path("topics", name.value)));
}
export function lines(text) {
  const found = {};
  for (const line of text.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const at = line.indexOf("=");
    if (at < 1) throw new Error(`"${line}" is not NAME=VALUE`);
    found[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return found;
}
