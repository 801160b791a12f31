// All topics: the first rows at once, then all of them, and rows that are made only where they are seen.
import { h, number, bytes, tag, link, path, head, field, choice } from "./dom.js";
import { within } from "./place.js";
import { api } from "./api.js";
import { ask, change } from "./change.js";
import { csvButton } from "./files.js";
import { virtual } from "./virtual.js";

const GRID = "minmax(0, 1fr) 5.8rem 5rem 6.5rem 6rem 9.5rem";
// Above this the sizes are looked up only for who sorts by them: each partition costs its broker a look.
const SIZED_PARTITIONS_MAX = 10000;
// The list and its sizes may be of a moment before, and they grow while they are looked at.
const SIZED_MS = 10000;
const BY_SIZE = new Set(["records", "stored"]);
export async function list(context) {
  let [{ rows, has_more: more }] = await Promise.all([api.get("/topics?first=true", context.signal), context.ready]);
  const sizes = new Map();
  const chosen = new Set(), act = acting(context, chosen, () => found, () => draw(false, true), (gone) => { rows = rows.filter(([name]) => !gone.has(name)); draw(false, true); });
  let found = [], asked = false;
  const text = h("input", { type: "search", placeholder: "Find topics   /", "aria-label": "Find topics by name", value: context.query.get("q") ?? "", oninput: () => draw(true) });
  const which = choice([["own", "without internal ones"], ["all", "with internal ones"], ["troubled", "with a problem"]], context.query.get("show") ?? "own", { "aria-label": "Which topics", onchange: () => draw(true) });
  const order = choice([["name", "by name"], ["partitions", "most partitions first"], ["records", "most records first"], ["stored", "largest first"]], context.query.get("by") ?? "name", { "aria-label": "Order", onchange: () => { look(); draw(true); } });
  const by = (name) => () => { order.value = name; look(); draw(true); };
  const size = (name, at) => sizes.get(name)?.[at] ?? null;
  const shown = virtual("Topics", GRID, [["Topic", "", by("name")], ["Partitions", "num", by("partitions")], ["Replicas", "num narrow-off"], ["Records", "num narrow-off", by("records"), "Where its logs end less where they begin: after compaction there are fewer"], ["Stored", "num narrow-off", by("stored"), "All copies on all brokers"], ["State", ""]],
    (row) => cells(row, size(row[0], 1), size(row[0], 0), act.box(row[0])), "minmax(0, 1fr) 4.6rem 5.2rem",
    rows.some((row) => !row[3]) ? undefined : `There are no topics yet${context.about?.user ? " that you may see" : ""}. The first record of a producer makes one, or you do.`);
  const count = h("span", { class: "quiet small", role: "status" });
  function draw(keeps, arrived = false) {
    const wanted = text.value.toLowerCase();
    found = rows.filter(([name, , , internal, behind, offline]) => name.toLowerCase().includes(wanted) && (which.value === "all" || (which.value === "troubled" ? behind || offline : !internal)));
    if (order.value === "partitions") found.sort((one, two) => two[1] - one[1]);
    if (BY_SIZE.has(order.value)) { const at = order.value === "stored" ? 0 : 1; found.sort((one, two) => (size(two[0], at) ?? -1) - (size(one[0], at) ?? -1)); }
    shown.set(found, arrived);
    count.textContent = `${number(found.length)} of ${number(rows.length)}${more ? ", the others are on their way" : ""}`;
    if (keeps) history.replaceState(null, "", within(`/ui/topics?${new URLSearchParams({ q: text.value, show: which.value, by: order.value })}`));
  }
  async function look() {
    const partitions = rows.reduce((sum, row) => sum + row[1], 0);
    if (asked || more || (partitions > SIZED_PARTITIONS_MAX && !BY_SIZE.has(order.value))) return;
    asked = true;
    await measure();
    if (partitions <= SIZED_PARTITIONS_MAX) context.every(SIZED_MS, () => { if (!document.activeElement?.closest(".vrow")) renew(); });
  }
  async function renew() {
    const all = await api.get("/topics", context.signal).catch(() => null);
    if (all) rows = all.rows;
    await measure();
  }
  async function measure() {
    const all = await api.get("/sizes", context.signal).catch(() => ({ rows: [] }));
    for (const [name, stored, records] of all.rows) sizes.set(name, [stored, records]);
    if (!context.signal.aborted) draw(false, true);
  }
  draw(false);
  if (more) api.get("/topics", context.signal).then((all) => { rows = all.rows; more = false; draw(false, true); look(); }, (error) => { if (error.name !== "AbortError") count.textContent = error.message; });
  else look();
  const saved = csvButton("topics", ["topic", "partitions", "replicas", "records", "bytes", "under_replicated", "offline"], () => found.map(([name, parts, copies, , behind, offline]) => [name, parts, copies, size(name, 1), size(name, 0), behind, offline]));
  return [head("Topics", null, h("button", { class: "main", onclick: () => create(context) }, "Create a topic")),
    h("div", { class: "card" }, h("div", { class: "title" }, h("div", { class: "bar" }, text, which, order), h("div", { class: "bar" }, count, act.begin, saved)), act.bar, shown.element)];
}
// Several topics at once: boxes in the rows, and what can be done with those that are ticked.
// Deleted ones leave the list at once: the metadata of a broker may still have them.
function acting(context, chosen, rows, draw, leave) {
  let isOn = false;
  const count = h("span", { class: "quiet small", role: "status" });
  const end = (gone) => { chosen.clear(); update(); leave(gone); };
  const names = () => [...chosen].sort(), called = () => chosen.size === 1 ? names()[0] : `${chosen.size} topics`;
  const press = (text, kind, title, isEnd) => h("button", { type: "button", class: "small danger", onclick: () => { const all = names(); change(`${title} ${called()}`, kind, { topics: all }, () => end(new Set(isEnd ? all : [])), called()); } }, text);
  const acts = [press("Empty them", "empty-topics", "Delete all records of", false), press("Delete them", "delete-topics", "Delete", true)];
  const bar = h("div", { class: "bar body", hidden: true }, h("button", { type: "button", class: "small", onclick: () => { for (const [name] of rows()) chosen.add(name); update(); draw(); } }, "Choose all that are listed"), h("button", { type: "button", class: "small", onclick: () => { chosen.clear(); update(); draw(); } }, "None"), count, acts);
  const update = () => { count.textContent = chosen.size === 1 ? "1 topic is chosen" : `${number(chosen.size)} topics are chosen`; for (const one of acts) one.disabled = !chosen.size; };
  const begin = h("button", { type: "button", class: "small", "aria-pressed": "false", onclick: () => { isOn = !isOn; bar.hidden = !isOn; begin.setAttribute("aria-pressed", String(isOn)); if (!isOn) chosen.clear(); update(); draw(); } }, "Choose several");
  update();
  const box = (name) => isOn && h("input", { type: "checkbox", "aria-label": `Choose ${name}`, checked: chosen.has(name), onchange: (event) => { event.target.checked ? chosen.add(name) : chosen.delete(name); update(); } });
  return { begin, bar, box };
}
function cells([name, partitions, replicas, internal, behind, offline], records, stored, box) {
  const state = offline ? tag(`${offline} offline`, "bad") : behind ? tag(`${behind} under-replicated`, "warn") : internal ? tag("internal") : tag("in sync", "good");
  return [h("span", {}, box, box && " ", link(path("topics", name), name)), h("span", { class: "num" }, number(partitions)), h("span", { class: "num narrow-off" }, replicas), h("span", { class: "num narrow-off" }, number(records)), h("span", { class: "num narrow-off" }, bytes(stored)), h("span", {}, state)];
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
