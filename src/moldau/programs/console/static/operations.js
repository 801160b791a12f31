// Transactions, what moves, and what was changed from here.
import { h, number, tag, link, path, head, card, table, time, duration } from "./dom.js";
import { api } from "./api.js";
import { change } from "./change.js";

const topicOf = (part) => part.slice(0, part.lastIndexOf("-"));
export async function transactions(context) {
  const [found] = await Promise.all([api.get("/transactions", context.signal), context.ready]);
  return [head("Transactions"), card(null, table("Transactions", [
    ["Transactional id", (one) => one.id, "name"], ["State", (one) => tag(one.state, one.state === "Ongoing" ? "warn" : one.state.startsWith("Complete") ? "good" : "")],
    ["Open for", (one) => one.open_ms === null ? "–" : one.open_ms > (one.timeout_ms ?? Infinity) ? tag(duration(one.open_ms), "bad") : duration(one.open_ms), "num"], ["Timeout", (one) => duration(one.timeout_ms), "num"],
    ["Producer", (one) => `${one.producer_id}, epoch ${one.producer_epoch ?? "–"}`, "tight"], ["Coordinator", (one) => one.coordinator ?? "–", "num"],
    ["Partitions", (one) => one.partitions.slice(0, 5).map((part, at) => [at ? ", " : "", link(path("topics", topicOf(part)), part)]).concat(one.partitions.length > 5 ? ` and ${number(one.partitions.length - 5)} more` : "")],
    ["", (one) => one.state === "Ongoing" && h("button", { class: "small danger", "aria-label": `End the transaction of ${one.id}`, onclick: () => change(`End the transaction of ${one.id}`, "terminate-transaction", { id: one.id }, () => context.again()) }, "End it")],
  ], found, `No producer has used a transactional id${context.about?.user ? " that you may see" : ""}.`, "cards"))];
}
export async function moving(context) {
  const found = await api.get("/reassignments", context.signal);
  context.every(3000, () => { if (!document.querySelector("dialog")) context.again(); });
  return [head("Reassignments"), card(null, table("Partitions that are moving", [
    ["Partition", (one) => link(path("topics", one.topic), `${one.topic}-${one.partition}`), "name"], ["Replicas", (one) => one.replicas.join(", ")], ["Coming", (one) => one.adding.join(", ") || "–"], ["Going", (one) => one.removing.join(", ") || "–"],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Give up the moves of ${one.topic}`, onclick: () => change(`Give up the moves of ${one.topic}`, "cancel-reassignment", { topic: one.topic }, () => context.again()) }, "Give up")],
  ], found, "No partition is moving. Begin on the page of a topic: Change…, Move partitions.", "cards"))];
}
export async function changes(context) {
  const found = await api.get("/audit", context.signal);
  return [head("Changes"), h("p", { class: "quiet" }, "What was changed from this console since it was started. Its log has the same lines."), card(null, table("Changes", [
    ["When", (one) => time(one.time).slice(0, 19), "tight"], ["User", (one) => one.user ?? "–"], ["Command", (one) => h("code", { class: "value" }, one.command), "list"], ["Outcome", (one) => one.failure ? tag(one.failure, "bad") : tag("done", "good")],
  ], found, "Nothing has been changed."))];
}
