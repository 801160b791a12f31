// The cluster at a glance, and one broker.
import { h, replace, number, bytes, tag, note, link, path, card, head, figures, table, field, choice, rate, time } from "./dom.js";
import { api, enc } from "./api.js";
import { ask, change } from "./change.js";
import { chart } from "./charts.js";
import { settings } from "./settings.js";

export async function overview(context) {
  const [found, topics] = await Promise.all([api.get("/cluster", context.signal), api.get("/topics", context.signal)]);
  const rows = topics.rows;
  const count = (at) => rows.reduce((sum, row) => sum + row[at], 0);
  const offline = count(5), behind = count(4);
  const live = found.brokers.filter((one) => !one.is_fenced);
  const flow = h("div", { class: "body" });
  const draw = async () => {
    const samples = await api.get("/samples", context.signal).catch(() => null);
    if (samples) replace(flow, chart(samples.times, samples.rate, "Records a second", flow));
  };
  draw();
  context.every(5000, draw);
  return [
    head("Cluster", null, link("/ui/map", "See it live →"), h("button", { onclick: () => change("Let the first replicas lead, in all topics", "elect-leaders", {}, () => context.again()) }, "Let first replicas lead")),
    offline ? note(`${number(offline)} partitions have no leader: they can be neither read nor written. Look at the brokers that are gone.`, "bad") :
      behind ? note(`${number(behind)} partitions lack a replica that is in sync.`, "warn") : null,
    figures([
      ["Brokers", found.brokers.length === live.length ? live.length : `${live.length} of ${found.brokers.length}`],
      ["Topics", number(rows.length)], ["Partitions", number(count(1))],
      ["Under-replicated", number(behind)], ["Offline", number(offline)],
      ["Cluster id", h("code", {}, found.cluster_id), "long"],
    ]),
    h("div", { class: "grid wide" }, card("Records a second", flow), quorum(found)),
    card("Brokers", table("Brokers", [
      ["Id", (one) => one.is_fenced ? one.id : link(path("brokers", one.id), `${one.id}`), "id"], ["Address", (one) => `${one.host}:${one.port}`],
      ["Rack", (one) => one.rack ?? "–"],
      ["State", (one) => [one.is_fenced ? tag("fenced", "bad") : tag("serving", "good"), one.id === found.quorum?.leader && [" ", tag("active controller")]]],
      ["Replicas", (one) => one.log_dirs.length ? number(one.log_dirs.reduce((sum, dir) => sum + dir.replicas, 0)) : "–", "num"],
      ["Stored", (one) => one.log_dirs.length ? bytes(one.log_dirs.reduce((sum, dir) => sum + dir.bytes, 0)) : "–", "num"],
    ], found.brokers, undefined, "cards")),
    found.log_dirs_error && note(found.log_dirs_error, "warn"),
    card("Log directories", table("Log directories", [
      ["Path", (one) => h("code", { class: "value" }, one.path), "name"], ["Broker", (one) => one.broker, "tight"],
      ["State", (one) => one.error ? tag(one.error, "bad long") : tag("online", "good")],
      ["Stored", (one) => bytes(one.bytes), "num"],
      ["Free", (one) => one.usable_bytes === null ? "–" : `${bytes(one.usable_bytes)} of ${bytes(one.total_bytes)}`, "num"],
      ["Largest topics", (one) => one.largest.slice(0, 3).map((big, at) => [at ? ", " : "", link(path("topics", big.topic), big.topic), " ", h("span", { class: "tight" }, bytes(big.bytes))]), "list"],
    ], found.brokers.flatMap((one) => one.log_dirs.map((dir) => ({ broker: one.id, ...dir }))), "No broker shows its directories.", "cards")),
    features(found),
  ];
}
export function quorum(found) {
  if (!found.quorum) return card("Quorum", h("div", { class: "body" }, note(found.quorum_error ?? "The quorum is not shown to you.", "warn")));
  const { leader, epoch, high_watermark, voters, observers } = found.quorum;
  const rows = [...voters.map((one) => ({ ...one, role: one.id === leader ? "leader" : "voter" })), ...observers.map((one) => ({ ...one, role: "observer" }))];
  return card(h("div", { class: "bar" }, h("h2", {}, "Quorum"), h("span", { class: "quiet small" }, `epoch ${epoch}, high watermark ${number(high_watermark)}`)),
    table("Quorum", [
      ["Node", (one) => one.id, "id"], ["Role", (one) => tag(one.role, one.role === "leader" ? "good" : "")],
      ["Behind by", (one) => number(one.lag), "num"], ["Caught up", (one) => one.role === "leader" ? "–" : time(one.last_caught_up).slice(11, 19) || "–", "num"],
    ], rows));
}
function features(found) {
  if (!found.features) return found.features_error && note(found.features_error, "warn");
  return card("Features", table("Features", [
    ["Name", (one) => h("code", {}, one.name), "name"], ["Level", (one) => one.level, "num"], ["Supported", (one) => `${one.min} to ${one.max}`, "num"],
  ], found.features));
}
export async function broker(context, { broker: id }) {
  const found = await api.get(`/brokers/${enc(id)}/configs`, context.signal);
  return [head(`Broker ${id}`, link("/ui", "Cluster")), await settings(context, "broker", id, found), await loggers(context, Number(id))];
}
const LEVELS = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];
async function loggers(context, broker) {
  const found = await api.get(`/brokers/${broker}/loggers`, context.signal).catch((error) => { if (context.signal.aborted) throw error; return error; });
  if (found instanceof Error) return card("Log levels", h("div", { class: "body" }, note(found.message, "warn")));
  return card("Log levels", table("Log levels", [
    ["Logger", (one) => h("code", {}, one.logger), "name wide"], ["Level", (one) => tag(one.level, ["TRACE", "DEBUG"].includes(one.level) ? "warn" : "")],
    ["", (one) => h("button", { class: "small", "aria-label": `Change level of ${one.logger}`, onclick: () => level(context, broker, one) }, "Change level")],
  ], found, "The broker shows no loggers.", "cards"));
}
function level(context, broker, { logger, level: now }) {
  const box = choice([...LEVELS, ["", "its parent's level"]], now);
  ask(`Log level of ${logger}`, "set-log-level", [h("div", { class: "whole" }, field(`${logger} of broker ${broker}`, box, `now: ${now}`))], () => ({ broker, logger, ...(box.value && { level: box.value }) }), () => context.again());
}
