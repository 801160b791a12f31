// Transactions, what moves, and what was changed from here.
import { h, replace, number, tag, note, link, path, head, card, table, field, time, duration } from "./dom.js";
import { api } from "./api.js";
import { change } from "./change.js";

const topicOf = (part) => part.slice(0, part.lastIndexOf("-"));
export async function transactions(context) {
  const [found] = await Promise.all([api.get("/transactions", context.signal), context.ready]);
  return [head("Transactions"), card(null, table("Transactions", [
    ["Transactional id", (one) => one.id, "name"], ["State", (one) => tag(one.state, one.state === "Ongoing" ? "warn" : one.state === "CompleteCommit" ? "good" : "")],
    ["Open for", (one) => one.open_ms === null ? "–" : one.open_ms > (one.timeout_ms ?? Infinity) ? tag(duration(one.open_ms), "bad") : duration(one.open_ms), "num"], ["Timeout", (one) => duration(one.timeout_ms), "num"],
    ["Producer", (one) => `${one.producer_id}, epoch ${one.producer_epoch ?? "–"}`, "tight"], ["Coordinator", (one) => one.coordinator ?? "–", "num"],
    ["Partitions", (one) => one.partitions.slice(0, 5).map((part, at) => [at ? ", " : "", link(path("topics", topicOf(part)), part)]).concat(one.partitions.length > 5 ? ` and ${number(one.partitions.length - 5)} more` : "")],
    ["", (one) => one.state === "Ongoing" && h("button", { class: "small danger", "aria-label": `End the transaction of ${one.id}`, onclick: () => change(`End the transaction of ${one.id}`, "terminate-transaction", { id: one.id }, () => context.again()) }, "End it")],
  ], found, `No producer has used a transactional id${context.about?.user ? " that you may see" : ""}.`, "cards")), hanging(context)];
}
// All partitions are looked at only when the button is pressed.
function hanging(context) {
  const minutes = h("input", { type: "number", min: 0, value: 15, required: true, class: "short" });
  const place = h("div", { role: "status" }), seek = h("button", { type: "submit" }, "Look for them");
  const look = async () => {
    seek.disabled = true;
    replace(place, h("p", { class: "empty" }, "All partitions are looked at…"));
    try { replace(place, hung(context, await api.get(`/transactions/hanging?minutes=${minutes.value}`, context.signal), look)); }
    catch (error) { if (!context.signal.aborted) replace(place, h("div", { class: "body" }, note(error.message, "bad"))); }
    finally { seek.disabled = false; }
  };
  return card("Transactions that hang", h("div", { class: "body stack near" },
    h("p", { class: "quiet" }, "Open in a partition and at no coordinator, so that nothing ends them: consumers that read only what is committed wait behind them."),
    h("form", { class: "bar low", onsubmit: (event) => { event.preventDefault(); look(); } }, field("Without a record for, in minutes", minutes), seek)), place);
}
function hung(context, { partitions, unseen, hanging: found }, look) {
  return [unseen > 0 && h("div", { class: "body" }, note(`${number(unseen)} partitions could not be looked at: they have no leader, or you may not see them.`, "warn")), table("Transactions that hang", [
    ["Partition", (one) => link(path("topics", one.topic, "producers"), `${one.topic}-${one.partition}`), "name"], ["Producer", (one) => `${one.producer_id}, epoch ${one.producer_epoch}`, "tight"],
    ["From offset", (one) => link(`${path("topics", one.topic, "messages")}?partition=${one.partition}&after=${one.partition}:${one.start_offset}`, number(one.start_offset)), "num"],
    ["Last record", (one) => time(one.last_timestamp), "tight"], ["Silent for", (one) => tag(duration(one.silent_ms), "bad"), "num"],
    ["", (one) => h("button", { class: "small danger", "aria-label": `End the transaction in ${one.topic}-${one.partition}`, onclick: () => change(`End the transaction in ${one.topic}-${one.partition}`, "abort-transaction", { topic: one.topic, partition: one.partition, start_offset: one.start_offset }, look) }, "End it")],
  ], found, `None of ${number(partitions)} partitions has one.`, "cards")];
}
export async function moving(context) {
  const found = await api.get("/reassignments", context.signal);
  context.every(3000, () => { if (!document.querySelector("dialog")) context.again(); });
  return [head("Reassignments"), card(null, table("Partitions that are moving", [
    ["Partition", (one) => link(path("topics", one.topic), `${one.topic}-${one.partition}`), "name"], ["Replicas", (one) => one.replicas.join(", ")], ["Coming", (one) => one.adding.join(", ") || "–"], ["Going", (one) => one.removing.join(", ") || "–"],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Stop the moves of ${one.topic}`, onclick: () => change(`Stop the moves of ${one.topic}`, "cancel-reassignment", { topic: one.topic }, () => context.again()) }, "Stop")],
  ], found, "No partition is moving. Begin on the page of a topic: Change…, Move partitions.", "cards"))];
}
export async function changes(context) {
  const found = await api.get("/audit", context.signal);
  return [head("Changes"), h("p", { class: "quiet" }, "What was changed from this console since it was started. Its log has the same lines."), card(null, table("Changes", [
    ["When", (one) => time(one.time).slice(0, 19), "tight"], ["User", (one) => one.user ?? "–"], ["Command", (one) => h("code", { class: "value lines" }, one.command), "list"], ["Outcome", (one) => one.failure ? tag(one.failure, "bad long") : tag("done", "good")],
  ], found, "Nothing has been changed.", "cards"))];
}
