// One topic: partitions, messages, settings, groups, producers.
import { h, replace, number, bytes, tag, note, link, path, card, head, figures, table, field, choice, time } from "./dom.js";
import { cluster, pagesOf, within } from "./place.js";
import { api, apiOf, everywhere, enc } from "./api.js";
import { ask, change } from "./change.js";
import { chart } from "./charts.js";
import { settings } from "./settings.js";
import { messages } from "./messages.js";
import { produce } from "./produce.js";

const TABS = [["", "Partitions"], ["messages", "Messages"], ["settings", "Settings"], ["groups", "Groups"], ["producers", "Producers"]];
function frame(context, topic, current, ...content) {
  const tabs = h("nav", { class: "tabs", "aria-label": `Pages of ${topic}` }, TABS.map(([name, text]) => h("a", { href: name ? path("topics", topic, name) : path("topics", topic), "aria-current": name === current ? "page" : null }, text)));
  // Where not all of them fit, the current one is among those that are seen.
  requestAnimationFrame(() => { const at = tabs.querySelector("[aria-current]"); if (at) tabs.scrollLeft = at.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - at.offsetWidth) / 2; });
  return [head(topic, link("/ui/topics", "Topics"), h("a", { class: "button", href: within(`/ui/search?query=${enc(`select * from "${topic}" where json->>'$.id' = '1' limit 50`)}`) }, "Search"), h("button", { onclick: () => produce(context, topic) }, "Send a record"), more(context, topic)), tabs, content];
}
function more(context, topic) {
  const acts = {
    widen: () => { const total = h("input", { type: "number", min: 1, required: true }); ask("Add partitions", "add-partitions", [field("Partitions in all", total)], () => ({ topic, partitions: Number(total.value) }), () => context.again()); },
    copy: () => copy(context, topic),
    purge: () => change(`Delete all records of ${topic}`, "delete-records", { topic }, () => context.again(), topic),
    empty: () => { const part = h("input", { type: "number", min: 0, value: 0, required: true }), before = h("input", { type: "number", min: 0, required: true }); ask("Delete records", "delete-records", [field("Partition", part), field("Below the offset", before)], () => ({ topic, partition: Number(part.value), before: Number(before.value) }), () => context.again()); },
    move: () => move(context, topic),
    elect: () => change("Let the first replicas lead", "elect-leaders", { topic }, () => context.again()),
    delete: () => change(`Delete ${topic}`, "delete-topic", { topic }, () => context.go("/ui/topics"), topic),
  };
  const box = h("select", { "aria-label": `Change ${topic}`, onchange: () => { const act = acts[box.value]; box.value = ""; act?.(); } },
    [["", "Change…"], ["widen", "Add partitions"], ["copy", "Copy"], ["move", "Move partitions"], ["elect", "Let first replicas lead"], ["empty", "Delete records below an offset"], ["purge", "Empty the topic"], ["delete", "Delete the topic"]].map(([value, text]) => h("option", { value }, text)));
  return box;
}
// As the lines are now; a number of replicas fills them in anew, with the brokers that have the fewest.
async function move(context, topic) {
  const [{ partitions }, { brokers }] = await Promise.all([api.get(`/topics/${enc(topic)}`, context.signal).catch(() => ({ partitions: [] })), api.get("/map", context.signal).catch(() => ({ brokers: [] }))]);
  const written = (places) => places.map(([one, replicas]) => `${one}: ${replicas.join(", ")}`).join("\n");
  const plan = h("textarea", { class: "tall", required: true, placeholder: "0: 1, 2, 3\n1: 2, 3, 1", value: written(partitions.map((one) => [one.partition, one.replicas])) });
  const count = h("input", { type: "number", min: 1, max: brokers.length || 1, placeholder: "as they are", oninput: () => { if (count.value > 0) plan.value = written(spread(partitions, brokers.filter((one) => !one.is_fenced), Number(count.value))); } });
  ask("Move partitions", "reassign", [field("Replicas of each partition", count, "fills in the lines below"), h("div", { class: "whole" }, field("Brokers of each partition, the preferred leader first", plan, "As they are now: change the lines of those that are to move."))], () => ({ topic, replicas: moves(plan.value) }), () => context.go("/ui/reassignments"));
}
export function spread(partitions, brokers, wanted) {
  const load = new Map(brokers.map((one) => [one.id, 0])), racks = new Map(brokers.map((one) => [one.id, one.rack ?? one.id]));
  for (const { replicas } of partitions) for (const id of replicas.slice(0, wanted)) if (load.has(id)) load.set(id, load.get(id) + 1);
  return partitions.map(({ partition, replicas }) => {
    const kept = replicas.slice(0, wanted);
    while (kept.length < wanted) {
      const used = new Set(kept.map((id) => racks.get(id)));
      const free = [...load.keys()].filter((id) => !kept.includes(id));
      if (!free.length) break;
      free.sort((one, two) => used.has(racks.get(one)) - used.has(racks.get(two)) || load.get(one) - load.get(two) || one - two);
      kept.push(free[0]);
      load.set(free[0], load.get(free[0]) + 1);
    }
    return [partition, kept];
  });
}
// The change belongs to the cluster that gets the copy: it is shown, made and undone there.
async function copy(context, topic) {
  const all = await everywhere.get("/clusters", context.signal).catch(() => []);
  const to = h("input", { required: true, autocomplete: "off", maxlength: 249, value: all.length > 1 ? topic : "" });
  const where = choice(all.map((one) => one.name), cluster, { "aria-label": "Cluster" });
  const replicas = h("input", { type: "number", min: 1 }), records = h("input", { type: "checkbox" });
  const target = () => cluster && where.value !== cluster ? where.value : null;
  ask("Copy the topic", "copy-topic", [
    h("div", { class: "whole" }, field("Name of the copy", to, "It gets the same partitions and settings.")),
    all.length > 1 && field("Cluster", where), field("Replicas", replicas, "empty: as many as now"),
    h("label", { class: "whole" }, records, " with its records, up to where they end then")],
  () => ({ topic, to: to.value, ...(target() && { from_cluster: cluster }), ...(replicas.value && { replication_factor: Number(replicas.value) }), ...(records.checked && { records: true }) }),
  () => target() ? location.assign(`${pagesOf(target())}/topics/${enc(to.value)}`) : context.go(path("topics", to.value)), "Show the change", () => target() ? apiOf(target()) : api);
}
function moves(text) {
  const found = {};
  for (const line of text.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const [number, brokers] = line.split(":");
    const ids = (brokers ?? "").split(",").map((one) => one.trim()).filter(Boolean);
    if (!/^\d+$/.test(number.trim()) || !ids.length || !ids.every((one) => /^\d+$/.test(one))) throw new Error(`Write each line as PARTITION: BROKER, BROKER, such as 0: 1, 2, 3: "${line}" is not so`);
    found[number.trim()] = ids.map(Number);
  }
  return found;
}
export async function overview(context, { topic }) {
  const found = await api.get(`/topics/${enc(topic)}`, context.signal);
  const parts = found.partitions;
  const records = parts.reduce((sum, one) => sum + Math.max((one.end ?? 0) - (one.start ?? 0), 0), 0);
  const size = parts.some((one) => one.bytes !== null) ? parts.reduce((sum, one) => sum + (one.bytes ?? 0), 0) : null;
  const behind = parts.filter((one) => one.isr.length < one.replicas.length).length;
  const offline = parts.filter((one) => one.leader === null || one.leader < 0).length;
  const flow = h("div", { class: "body" });
  const draw = async () => {
    const samples = await api.get(`/samples?topic=${enc(topic)}`, context.signal).catch(() => null);
    if (samples) replace(flow, chart(samples.times, samples.rate, "Records a second", flow));
  };
  draw();
  context.every(5000, draw);
  return frame(context, topic, "",
    offline ? note(`${offline} partitions have no leader: they can be neither read nor written.`, "bad") : behind ? note(`${behind} partitions lack a replica that is in sync.`, "warn") : null,
    figures([["Partitions", number(parts.length)], ["Replicas", Math.max(...parts.map((one) => one.replicas.length))], ["Records, at most", number(records)], ["One copy stores", bytes(size)], ["Id", h("code", {}, found.id), "long"]]),
    card("Records a second", flow),
    card("Partitions", table("Partitions", [
      ["Partition", (one) => link(`${path("topics", topic, "messages")}?partition=${one.partition}`, one.partition), "id"],
      ["Leader", (one) => one.leader === null || one.leader < 0 ? tag("none", "bad") : [one.leader, one.leader !== one.replicas[0] && [" ", tag("not the first", "warn")]]],
      ["Replicas", (one) => one.replicas.join(", "), "tight"],
      ["In sync", (one) => one.isr.length < one.replicas.length ? tag(one.isr.join(", ") || "none", "warn") : one.isr.join(", "), "tight"],
      ["First offset", (one) => number(one.start), "num"], ["End", (one) => number(one.end), "num"], ["Stored", (one) => bytes(one.bytes), "num"],
    ], parts)));
}
const TAB = {
  messages,
  settings: async (context, topic) => settings(context, "topic", topic, await api.get(`/topics/${enc(topic)}/configs`, context.signal)),
  groups: async (context, topic) => readers(await api.get(`/topics/${enc(topic)}/groups`, context.signal)),
  producers: async (context, topic) => producers(context, topic, await api.get(`/topics/${enc(topic)}/producers`, context.signal)),
};
export async function tab(context, { topic, tab: name }) {
  const draw = TAB[name];
  // Who may not see one of the tabs may see the others.
  if (draw) return frame(context, topic, name, await draw(context, topic).catch((error) => { if (error.status !== 403) throw error; return note(error.message, "warn"); }));
  return [head(topic, link("/ui/topics", "Topics")), note("A topic has no such page.")];
}
function readers(found) {
  return card("Groups that read it", table("Groups", [
    ["Group", (one) => link(path("groups", one.group), one.group), "name"], ["Type", (one) => one.type], ["State", (one) => tag(one.state)], ["Partitions", (one) => number(one.partitions), "num"], ["Lag", (one) => number(one.lag), "num"],
  ], found, "No group has committed an offset in this topic.", "cards"));
}
function producers(context, topic, found) {
  return card("Producers the brokers remember", table("Producers", [
    ["Partition", (one) => one.partition, "id"], ["Producer id", (one) => one.producer_id, "num"], ["Epoch", (one) => one.producer_epoch, "num"], ["Last sequence", (one) => number(one.last_sequence), "num"], ["Last record", (one) => time(one.last_timestamp), "tight"],
    ["Open transaction", (one) => one.transaction_start === null ? "–" : [`from ${one.transaction_start} `, h("button", { class: "small danger", onclick: () => change("End this transaction", "abort-transaction", { topic, partition: one.partition, start_offset: one.transaction_start }, () => context.again()) }, "End it")]],
  ], found, "No producer with an id has written lately.", "cards"));
}
