// Groups of all kinds; one with its lag, its members and its offsets.
import { h, replace, number, tag, note, link, path, card, head, figures, table, field, choice } from "./dom.js";
import { api, enc } from "./api.js";
import { ask, change } from "./change.js";
import { virtual } from "./virtual.js";
import { why } from "./behind.js";

const kind = (state) => state === "Stable" ? "good" : state === "Dead" || state === "Unknown" ? "bad" : state === "Empty" ? "" : "warn";
export async function list(context) {
  const found = await api.get("/groups", context.signal);
  const text = h("input", { type: "search", placeholder: "Find groups   /", "aria-label": "Find groups by name", oninput: () => draw() });
  const type = choice([["", "of all kinds"], "consumer", "classic", "share", "streams"], "", { "aria-label": "Kind of group", onchange: () => draw() });
  const shown = virtual("Groups", "minmax(0, 1fr) 7rem 9rem", [["Group", ""], ["Kind", ""], ["State", ""]], (one) => [h("span", {}, link(path("groups", one.group), one.group)), h("span", {}, one.type), h("span", {}, tag(one.state, kind(one.state)))], "minmax(0, 1fr) 5rem 5.5rem");
  const draw = () => shown.set(found.groups.filter((one) => one.group.toLowerCase().includes(text.value.toLowerCase()) && (!type.value || one.type === type.value)));
  draw();
  return [head("Groups"), found.errors.map((error) => note(error, "warn")), h("div", { class: "card" }, h("div", { class: "title" }, h("div", { class: "bar" }, text, type), h("span", { class: "quiet small" }, `${number(found.groups.length)} groups`)), found.groups.length ? shown.element : h("p", { class: "empty" }, "No group has been here yet."))];
}
export async function one(context, { group }) {
  const place = h("div", { class: "stack" });
  const draw = async () => replace(place, body(context, await api.get(`/groups/${enc(group)}`, context.signal)));
  await draw();
  context.every(5000, () => { if (!document.querySelector("dialog")) draw().catch(() => {}); });
  return [head(group, link("/ui/groups", "Groups"), h("button", { onclick: () => reset(context, group) }, "Move offsets"), h("button", { class: "danger", onclick: () => change(`Delete group ${group}`, "delete-group", { group }, () => context.go("/ui/groups"), group) }, "Delete")), why(context, group), place];
}
function body(context, found) {
  const lags = found.offsets.map((one) => one.lag).filter((lag) => lag !== null);
  const most = Math.max(...lags, 1);
  return [
    figures([["State", tag(found.state, kind(found.state))], ["Kind", found.type], ["Members", number(found.members.length)], ["Lag in all", number(lags.reduce((sum, lag) => sum + lag, 0))], ["Largest lag", number(Math.max(...lags, 0))], ["Coordinator", found.coordinator ?? "–"]]),
    card(h("div", { class: "bar" }, h("h2", {}, "Offsets"), found.assignor && h("span", { class: "quiet small" }, `assigned by ${found.assignor}`)), table("Offsets", [
      ["Topic", (one) => link(path("topics", one.topic), one.topic), "name"], ["Partition", (one) => one.partition, "num"], ["Committed", (one) => number(one.committed), "num"], ["End", (one) => number(one.end), "num"], ["Lag", (one) => one.lag ? h("strong", {}, number(one.lag)) : number(one.lag), "num"],
      [h("span", { class: "unseen" }, "Lag as a bar"), (one) => h("div", { class: "meter", "aria-hidden": "true" }, h("span", { "width%": one.lag === null ? 0 : (one.lag / most) * 100 }))], ["Read by", (one) => one.client ?? "–"],
    ], found.offsets, "The group has no offsets and no partitions.")),
    card("Members", table("Members", [["Client", (one) => one.client, "name"], ["Host", (one) => one.host], ["Member", (one) => h("code", { class: "value" }, one.member)], ["Reads", (one) => h("span", { class: "value" }, one.assignment.join(", ") || "nothing")]], found.members, "Nothing reads in this group at the moment.")),
  ];
}
function reset(context, group) {
  const to = choice([["earliest", "where the logs begin"], ["latest", "where the logs end"], ["offset", "an offset"], ["shift", "so many records on (below 0: back)"], ["time", "a time"]], "earliest", { onchange: () => fit() });
  const value = h("input", { type: "number" }), moment = h("input", { type: "datetime-local", step: 1 }), topic = h("input", { autocomplete: "off" });
  const values = field("Number", value), times = field("Time", moment);
  const fit = () => { values.hidden = to.value !== "offset" && to.value !== "shift"; times.hidden = to.value !== "time"; };
  fit();
  ask(`Move the offsets of ${group}`, "reset-offsets", [field("To", to), values, times, field("Topic", topic, "empty: all that it has offsets in")], () => ({ group, to: to.value, ...(topic.value && { topic: topic.value }), ...(to.value === "offset" && { offset: Number(value.value) }), ...(to.value === "shift" && { by: Number(value.value) }), ...(to.value === "time" && { time: new Date(moment.value).getTime() }) }), () => context.again());
}
