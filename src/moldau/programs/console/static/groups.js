// Groups of all kinds; one with why it is behind, its offsets and its members.
import { h, replace, number, tag, note, link, path, card, head, figures, table, field, choice, rate } from "./dom.js";
import { within } from "./place.js";
import { api, enc } from "./api.js";
import { ask, change } from "./change.js";
import { csvButton } from "./files.js";
import { virtual } from "./virtual.js";

const SHOWN = 500;
// Kinds of groups from which Kafka removes members.
const REMOVES = ["classic", "consumer"];
const kind = (state) => state === "Stable" ? "good" : state === "Dead" || state === "Unknown" ? "bad" : state === "Empty" ? "" : "warn";
export async function list(context) {
  const found = await api.get("/groups", context.signal);
  const lags = new Map();
  const text = h("input", { type: "search", placeholder: "Find groups   /", "aria-label": "Find groups by name", value: context.query.get("q") ?? "", oninput: () => draw(true) });
  const type = choice([["", "of all kinds"], "consumer", "classic", "share", "streams"], context.query.get("kind") ?? "", { "aria-label": "Kind of group", onchange: () => draw(true) });
  const order = choice([["name", "by name"], ["lag", "the furthest behind first"]], context.query.get("by") ?? "name", { "aria-label": "Order", onchange: () => draw(true) });
  const lag = (one) => lags.get(one.group) ?? null;
  const shown = virtual("Groups", "minmax(0, 1fr) 7rem 9rem 8rem", [["Group", "", () => by("name")], ["Kind", "narrow-off"], ["State", ""], ["Lag", "num", () => by("lag")]],
    (one) => [h("span", {}, link(path("groups", one.group), one.group)), h("span", { class: "narrow-off" }, one.type), h("span", {}, tag(one.state, kind(one.state))), h("span", { class: "num" }, lag(one) ? h("strong", {}, number(lag(one))) : number(lag(one)))], "minmax(0, 1fr) 5.2rem 5.4rem");
  const by = (name) => { order.value = name; draw(true); };
  let rows = [];
  const draw = (keeps) => {
    rows = found.groups.filter((one) => one.group.toLowerCase().includes(text.value.toLowerCase()) && (!type.value || one.type === type.value));
    if (order.value === "lag") rows.sort((one, two) => (lag(two) ?? -1) - (lag(one) ?? -1));
    shown.set(rows, !keeps);
    if (keeps) history.replaceState(null, "", within(`/ui/groups?${new URLSearchParams({ q: text.value, kind: type.value, by: order.value })}`));
  };
  const saved = csvButton("groups", ["group", "kind", "state", "lag"], () => rows.map((one) => [one.group, one.type, one.state, lag(one)]));
  draw(false);
  const look = async () => {
    const { lags: rows } = await api.get("/lags", context.signal).catch(() => ({ lags: [] }));
    for (const [name, records] of rows) lags.set(name, records);
    if (rows.length) draw(false);
  };
  look();
  context.every(10000, look);
  return [head("Groups"), found.errors.map((error) => note(error, "warn")), h("div", { class: "card" }, h("div", { class: "title" }, h("div", { class: "bar" }, text, type, order), h("div", { class: "bar" }, h("span", { class: "quiet small" }, found.groups.length === 1 ? "1 group" : `${number(found.groups.length)} groups`), saved)), found.groups.length ? shown.element : h("p", { class: "empty" }, "No group has been here yet: it appears with the first consumer that has a group.id."))];
}
export async function one(context, { group }) {
  const place = h("div", { class: "stack" }), finding = h("div", { class: "stack near", "aria-live": "polite" }, note("Offsets are being looked at twice, two seconds apart."));
  let found = await api.get(`/groups/${enc(group)}`, context.signal), behind = null;
  const draw = () => { if (!context.signal.aborted && !document.getSelection()?.toString()) replace(place, view(context, found, behind)); };
  const look = async () => { found = await api.get(`/groups/${enc(group)}`, context.signal); draw(); };
  const why = async () => {
    let said;
    try { behind = await api.get(`/groups/${enc(group)}/behind`, context.signal); said = [behind.finding.sentence, behind.finding.level]; }
    catch (error) { if (context.signal.aborted) return; said = [error.message, "bad"]; }
    said.push(behind ? rebalance(behind) : "");
    if (finding.dataset.said !== said.join()) replace(finding, note(said[0], said[1]), said[2] && note(said[2]));
    finding.dataset.said = said.join();
    draw();
  };
  draw();
  why();
  context.every(5000, () => { why(); if (!document.querySelector("dialog")) look().catch(() => {}); });
  return [head(group, link("/ui/groups", "Groups"), h("button", { onclick: () => reset(context, group, found.offsets) }, "Move offsets"), h("button", { onclick: () => forget(context, group, found.offsets) }, "Forget a topic"), h("button", { class: "danger", onclick: () => change(`Delete group ${group}`, "delete-group", { group }, () => context.go("/ui/groups"), group) }, "Delete")), finding, place];
}
// What differs between two looks; the time is that of the second, which is seconds after the first while a page looks.
function rebalance({ rebalance: last, watched_since: since }) {
  const time = (ms) => new Date(ms).toLocaleTimeString("en", { hour12: false });
  if (!last) return `No rebalance since ${time(since)}, when this group was first looked at here.`;
  const when = last.before_ms === last.after_ms ? `before ${time(last.before_ms)}` : last.before_ms - last.after_ms < 15000 ? `at ${time(last.before_ms)}` : `between ${time(last.after_ms)} and ${time(last.before_ms)}`;
  return `${last.is_going_on ? "A rebalance goes on, begun" : "Last rebalance"} ${when}: ${last.why}${last.epochs ? ` (epoch ${last.epochs.join(" to ")})` : ""}.`;
}
// Why it is behind is known after two looks; until then the offsets stand alone.
function view(context, found, behind) {
  const lags = found.offsets.map((one) => one.lag).filter((lag) => lag !== null);
  const most = Math.max(...lags, 1), name = (one) => `${one.topic}-${one.partition}`;
  const rates = new Map((behind?.partitions ?? []).map((one) => [name(one), one])), hot = new Set(behind?.finding.partitions);
  const rows = found.offsets.length > SHOWN ? [...found.offsets].sort((one, two) => (two.lag ?? -1) - (one.lag ?? -1)).slice(0, SHOWN) : found.offsets;
  return [
    figures([["State", tag(found.state, kind(found.state))], ["Lag in all", number(lags.reduce((sum, lag) => sum + lag, 0))], ["Comes in", `${rate(behind?.rate_in)}/s`], ["Is read", `${rate(behind?.rate_out)}/s`], ["Members", number(found.members.length)], ["Kind", found.type], ["Coordinator", found.coordinator === null ? "–" : `broker ${found.coordinator}`]]),
    card(h("div", { class: "bar" }, h("h2", {}, "Offsets"), found.assignor && h("span", { class: "quiet small" }, `assigned by ${found.assignor}`), rows.length < found.offsets.length && h("span", { class: "quiet small" }, `the ${SHOWN} of ${number(found.offsets.length)} that are furthest behind`)), table("Offsets", [
      ["Partition", (one) => link(`${path("topics", one.topic, "messages")}?partition=${one.partition}${one.committed === null ? "" : `&after=${one.partition}:${one.committed}`}`, hot.has(name(one)) ? h("strong", {}, name(one)) : name(one)), "name"],
      ["Lag", (one) => one.lag ? h("strong", {}, number(one.lag)) : number(one.lag), "num"],
      [h("span", { class: "unseen" }, "Lag as a bar"), (one) => h("div", { class: "meter", "aria-hidden": "true" }, h("span", { "width%": one.lag === null ? 0 : (one.lag / most) * 100 })), "middle narrow-off"],
      ["Committed", (one) => number(one.committed), "num"], ["End", (one) => number(one.end), "num"],
      ["In, a second", (one) => rate(rates.get(name(one))?.rate_in), "num"], ["Out, a second", (one) => rate(rates.get(name(one))?.rate_out), "num"], ["Read by", (one) => one.client ?? "–", "tight"],
    ], rows, "The group has no offsets and no partitions.")),
    card("Members", table("Members", [["Client", (one) => one.client, "name"], ["Host", (one) => one.host], ["Member", (one) => h("code", { class: "value" }, one.member)], ["Reads", (one) => h("span", { class: "value" }, one.assignment.join(", ") || "nothing"), "list"],
      REMOVES.includes(found.type) && ["", (one) => h("button", { class: "small danger", "aria-label": `Remove ${one.member}`, onclick: () => change("Remove a member", "remove-member", { group: found.group, member: one.member }, () => context.again()) }, "Remove")]].filter(Boolean), found.members, "Nothing reads in this group at the moment.", "cards")),
  ];
}
const topicsOf = (offsets) => [...new Set(offsets.map((one) => one.topic))].sort();
function reset(context, group, offsets) {
  const to = choice([["earliest", "where the logs begin"], ["latest", "where the logs end"], ["offset", "an offset"], ["shift", "so many records on (below 0: back)"], ["time", "a time"], ["own", "an offset for each partition"]], "earliest", { onchange: () => fit() });
  const value = h("input", { type: "number" }), moment = h("input", { type: "datetime-local", step: 1 }), topic = h("input", { autocomplete: "off", list: "topics-of-group", oninput: () => fit() }), partition = h("input", { type: "number", min: 0 });
  const own = h("textarea", { class: "tall", value: offsets.filter((one) => one.committed !== null).map((one) => `${one.topic}-${one.partition}: ${one.committed}`).join("\n"), placeholder: "orders-0: 12\norders-1: 15" });
  const values = field("Number", value), times = field("Time", moment), topics = field("Topic", topic, "empty: all that it has offsets in"), parts = field("Partition", partition, "empty: all"), owns = h("div", { class: "whole" }, field("Offset of each partition", own, "As they are now: change or remove lines; none forgets an offset."));
  const fit = () => {
    const isOwn = to.value === "own";
    values.hidden = to.value !== "offset" && to.value !== "shift"; times.hidden = to.value !== "time"; topics.hidden = isOwn; parts.hidden = isOwn || !topic.value; owns.hidden = !isOwn;
    value.required = !values.hidden; moment.required = !times.hidden; own.required = isOwn;
  };
  fit();
  ask(`Move the offsets of ${group}`, () => to.value === "own" ? "restore-offsets" : "reset-offsets", [field("To", to), values, times, topics, parts, owns, h("datalist", { id: "topics-of-group" }, topicsOf(offsets).map((one) => h("option", { value: one })))],
    () => to.value === "own" ? { group, offsets: placed(own.value) } : { group, to: to.value, ...(topic.value && { topic: topic.value, ...(partition.value !== "" && { partition: Number(partition.value) }) }), ...(to.value === "offset" && { offset: Number(value.value) }), ...(to.value === "shift" && { by: Number(value.value) }), ...(to.value === "time" && { time: new Date(moment.value).getTime() }) }, () => context.again());
}
function placed(text) {
  const found = {};
  for (const line of text.split("\n").map((one) => one.trim()).filter(Boolean)) {
    const [, part, offset] = /^(\S+-\d+)\s*:\s*(\d+|none)$/.exec(line) ?? [];
    if (!part) throw new Error(`Write each line as TOPIC-PARTITION: OFFSET, such as orders-0: 12, or none as the offset: "${line}" is not so`);
    found[part] = offset === "none" ? null : Number(offset);
  }
  return found;
}
function forget(context, group, offsets) {
  const topic = choice(topicsOf(offsets));
  ask(`Forget where ${group} is in a topic`, "delete-offsets", [field("Topic", topic, "Offsets in other topics stay.")], () => ({ group, topic: topic.value }), () => context.again());
}
