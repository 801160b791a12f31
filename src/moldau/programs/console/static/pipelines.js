// Pipelines of Spark: how far they are, how fast, and whether it adds up.
import { h, number, tag, note, link, path, head, card, figures, table, duration } from "./dom.js";
import { api } from "./api.js";

const none = "No pipeline is configured for this console. Start it with --pipeline and the folder that a pipeline was given as --checkpoint.";
export async function list(context) {
  const found = await api.get("/pipelines", context.signal);
  context.every(10000, () => { if (!document.querySelector("dialog") && !document.getSelection()?.toString()) context.again(); });
  return [head("Pipelines"), found.length ? found.map(one) : note(none)];
}
function one(state) {
  if (!state.pipeline) return card(state.checkpoint, h("div", { class: "body" }, note(state.problem, "warn")));
  const topics = state.topic.split(",").map((name, at) => [at ? ", " : "", link(path("topics", name.trim()), name.trim())]);
  const well = state.differences.length === 0;
  return card(h("div", { class: "bar" }, h("h2", {}, state.pipeline), h("span", {}, "from ", topics, " to ", h("code", { class: "value" }, state.lake)), tag(well ? "adds up" : "does not add up", well ? "good" : "bad")),
    h("div", { class: "body stack" }, state.problem && note(state.problem, "warn"),
      figures([["Lag", number(state.lag), state.lag === null ? "" : state.lag ? "warn" : "good"], ["Oldest of them", state.lag_ms === 0 ? "–" : duration(state.lag_ms)], ["Records a second", number(state.rate)], ["Last whole batch", state.batch ?? "–"], ["In", number(state.read)], ["Out", number(state.good)], ["Rejected", number(state.rejected), state.rejected ? "warn" : ""]]),
      h("p", {}, `${state.sentence.charAt(0).toUpperCase()}${state.sentence.slice(1)}.`), state.differences.map((line) => note(line, "bad")),
      h("p", { class: "quiet small" }, Object.entries(state.rows).map(([name, rows]) => `${name} ${number(rows)} rows`).join(" · "))),
    table(`Batches of ${state.pipeline} from ${state.topic}`, [
      ["Batch", (row) => row.batch, "id"], ["In", (row) => number(row.read), "num"], ["Out", (row) => number(row.good), "num"], ["Rejected", (row) => number(row.rejected), "num"], ["Known already", (row) => number(row.known), "num"],
      ["Took", (row) => duration(row.took_ms), "num"], ["Records a second", (row) => number(row.rate), "num"],
      ["Query", (row) => h("code", { class: "value" }, row.query.slice(0, 8))],
    ], state.batches.toReversed(), "No batch is whole yet."));
}
