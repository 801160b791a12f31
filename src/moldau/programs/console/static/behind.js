// Why a group is behind: one sentence, and the rates of its partitions.
import { h, replace, number, note, rate, card, figures, link, path, table, duration } from "./dom.js";
import { api, enc } from "./api.js";

const SHOWN = 100;
export function why(context, group) {
  const place = h("div", { class: "stack", "aria-live": "polite" }, note("Offsets are being looked at twice, two seconds apart."));
  const draw = async () => {
    try { replace(place, body(await api.get(`/groups/${enc(group)}/behind`, context.signal))); }
    catch (error) { if (!context.signal.aborted) replace(place, note(error.message, "bad")); }
  };
  draw();
  context.every(5000, draw);
  return place;
}
function body(found) {
  const most = [...found.partitions].sort((one, two) => (two.lag ?? -1) - (one.lag ?? -1)).slice(0, SHOWN);
  const hot = new Set(found.finding.partitions);
  const name = (one) => `${one.topic}-${one.partition}`;
  return [
    note(found.finding.sentence, found.finding.level),
    figures([["Comes in", `${rate(found.rate_in)}/s`], ["Is read", `${rate(found.rate_out)}/s`], ["Behind by", number(found.lag)], ["Looked at for", duration(found.seconds * 1000)]]),
    card(h("div", { class: "bar" }, h("h2", {}, "Rates"), found.partitions.length > SHOWN && h("span", { class: "quiet small" }, `the ${SHOWN} that are furthest behind`)), table("Rates by partition", [
      ["Partition", (one) => link(path("topics", one.topic), hot.has(name(one)) ? h("strong", {}, name(one)) : name(one)), "name"],
      ["In, a second", (one) => rate(one.rate_in), "num"], ["Out, a second", (one) => rate(one.rate_out), "num"], ["Lag", (one) => number(one.lag), "num"], ["Read by", (one) => one.client ?? "–"],
    ], most, "The group has no offsets and no partitions.")),
  ];
}
