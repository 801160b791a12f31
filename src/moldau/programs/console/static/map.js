// The cluster as it is this second: brokers, the partitions of a topic on each, and the quorum.
import { h, s, replace, head, card, choice, tag, time, note } from "./dom.js";
import { api, enc, query } from "./api.js";

const WIDTH = 230, GAP = 22, CELL = 26, ROW = 7, MAX_CELLS = 84;
// Clients ask for half a minute before they give up; a person wants to know earlier.
const SILENT_MS = 3000;
export async function page(context) {
  const { rows } = await api.get("/topics", context.signal);
  const names = rows.filter((row) => !row[3]).map((row) => row[0]);
  const wanted = context.query.get("topic") ?? names.find((name) => !name.startsWith("_")) ?? names[0] ?? rows[0]?.[0] ?? "";
  const box = choice(names.slice(0, 500).concat(names.includes(wanted) || !wanted ? [] : [wanted]), wanted, { "aria-label": "Topic", onchange: () => context.go(`/ui/map${query({ topic: box.value })}`) });
  const place = h("div", { class: "scroll" }), events = h("ul", { class: "events" }), state = h("div", { class: "bar" });
  let before = null, known = new Map(), waits = false;
  const look = async () => {
    if (waits) return;
    waits = true;
    const slow = setTimeout(() => { if (!context.signal.aborted) replace(state, tag("The cluster does not answer; it is still being asked", "bad")); }, SILENT_MS);
    try {
      const now = await api.get(`/map${query({ topic: wanted })}`, context.signal);
      now.brokers.forEach((one) => known.set(one.id, one));
      now.lost = [...known.values()].filter((one) => !now.brokers.some((two) => two.id === one.id)).map((one) => ({ ...one, is_fenced: true }));
      const changed = before ? tell(before, now, events) : new Set();
      draw(place, now, changed);
      replace(state, summary(now));
      before = now;
    } catch (error) { if (!context.signal.aborted) replace(state, tag(error.message, "bad")); }
    clearTimeout(slow);
    waits = false;
  };
  await look();
  context.every(1000, look);
  return [head("Live map", null, names.length ? box : null),
    card(h("div", { class: "bar" }, state), h("div", { class: "body stack" }, place, h("div", { class: "legend" }, h("span", {}, h("i", { class: "leader" }), "leads"), h("span", {}, h("i", { class: "follower" }), "follows, in sync"), h("span", {}, h("i", { class: "behind" }), "follows, not in sync")))),
    card("What happened", h("div", { class: "body" }, h("div", { role: "log", "aria-label": "What happened" }, events), h("p", { class: "quiet small" }, "Changes of leaders, of in-sync sets, of brokers and of the quorum appear here as they happen.")))];
}
function summary(now) {
  const parts = now.partitions, without = parts.filter((one) => one.leader === null || one.leader < 0).length, behind = parts.filter((one) => one.isr.length < one.replicas.length).length;
  const lost = now.brokers.filter((one) => one.is_fenced).length + now.lost.length;
  const serving = now.brokers.filter((one) => !one.is_fenced).length;
  return [h("h2", {}, serving === 1 ? "1 broker" : `${serving} brokers`), lost ? tag(`${lost} gone`, "bad") : tag("all serve", "good"),
    without ? tag(`${without} partitions without a leader`, "bad") : null, behind ? tag(`${behind} under-replicated`, "warn") : parts.length ? tag("all in sync", "good") : null,
    now.quorum && h("span", { class: "quiet small" }, `quorum led by ${now.quorum.leader}, epoch ${now.quorum.epoch}`)];
}
function tell(before, now, events) {
  const changed = new Set(), lines = [];
  const live = (view) => new Set(view.brokers.filter((one) => !one.is_fenced).map((one) => one.id));
  const was = live(before), is = live(now);
  for (const id of was) if (!is.has(id)) lines.push([`Broker ${id} is gone`, "bad"]);
  for (const id of is) if (!was.has(id)) lines.push([`Broker ${id} serves again`, "good"]);
  const old = new Map(before.partitions.map((one) => [one.partition, one]));
  for (const one of now.partitions) {
    const two = old.get(one.partition);
    if (!two) continue;
    if (two.leader !== one.leader) { lines.push([one.leader === null || one.leader < 0 ? `Partition ${one.partition} lost its leader ${two.leader}` : `Partition ${one.partition}: leader ${two.leader ?? "none"} → ${one.leader} (epoch ${one.epoch})`, one.leader === null || one.leader < 0 ? "bad" : "warn"]); changed.add(one.partition); }
    else if (two.isr.join() !== one.isr.join()) { lines.push([`Partition ${one.partition}: in sync ${two.isr.join(", ")} → ${one.isr.join(", ")}`, one.isr.length < two.isr.length ? "warn" : "good"]); changed.add(one.partition); }
  }
  if (before.quorum && now.quorum && before.quorum.leader !== now.quorum.leader) lines.push([`Quorum: leader ${before.quorum.leader} → ${now.quorum.leader} (epoch ${now.quorum.epoch})`, "warn"]);
  for (const [text, kind] of lines) events.prepend(h("li", {}, h("span", { class: "quiet mono" }, `${time(now.time).slice(11, 19)} `), tag(kind === "good" ? "back" : kind === "bad" ? "lost" : "moved", kind), ` ${text}`));
  while (events.children.length > 200) events.lastChild.remove();
  return changed;
}
function draw(place, now, changed) {
  const brokers = [...now.brokers, ...now.lost].sort((one, two) => one.id - two.id);
  const cells = new Map(brokers.map((one) => [one.id, []]));
  for (const one of now.partitions) for (const id of one.replicas) cells.get(id)?.push(one);
  const most = Math.min(Math.max(...[...cells.values()].map((list) => list.length), 1), MAX_CELLS);
  const height = 74 + Math.ceil(most / ROW) * (CELL + 4);
  const perRow = Math.max(1, Math.min(brokers.length, innerWidth < 760 ? 1 : 4));
  const width = perRow * (WIDTH + GAP) - GAP, lines = Math.ceil(brokers.length / perRow);
  const svg = s("svg", { class: "map", viewBox: `0 0 ${width} ${lines * (height + GAP) - GAP + 4}`, role: "img", "aria-label": words(now, brokers) });
  svg.style.maxWidth = `${width * 1.25}px`;
  brokers.forEach((one, at) => svg.append(broker(one, cells.get(one.id), now, changed, (at % perRow) * (WIDTH + GAP), 2 + Math.floor(at / perRow) * (height + GAP), height)));
  replace(place, brokers.length ? svg : note("No broker is there.", "bad"));
}
function broker(one, parts, now, changed, x, y, height) {
  const voter = now.quorum?.voters.some((two) => two.id === one.id), leads = now.quorum?.leader === one.id;
  const role = leads ? "leads the quorum" : voter ? "voter of the quorum" : "";
  return s("g", { transform: `translate(${x},${y})` }, s("rect", { class: `broker ${one.is_fenced ? "lost" : ""}`, x: 1, y: 1, width: WIDTH - 2, height: height - 2, rx: 11 }),
    s("text", { x: 15, y: 25, "font-weight": 650 }, `Broker ${one.id}`), s("text", { class: "quiet", x: WIDTH - 15, y: 25, "text-anchor": "end" }, one.is_fenced ? "gone" : one.rack ?? ""),
    s("text", { class: "quiet", x: 15, y: 43 }, [role, `leads ${parts.filter((part) => part.leader === one.id).length} of ${parts.length}`].filter(Boolean).join(" · ")),
    parts.slice(0, MAX_CELLS).map((part, at) => cell(part, one, changed, 15 + (at % ROW) * (CELL + 3), 57 + Math.floor(at / ROW) * (CELL + 4))));
}
function cell(part, one, changed, x, y) {
  const kind = part.leader === one.id ? "leader" : part.isr.includes(one.id) && !one.is_fenced ? "follower" : "behind";
  return s("g", {}, s("rect", { class: `cell ${kind} ${changed.has(part.partition) ? "changed" : ""}`, x, y, width: CELL, height: CELL, rx: 5 }), s("text", { class: kind === "leader" ? "on" : "off", x: x + CELL / 2, y: y + CELL / 2 + 4, "text-anchor": "middle" }, part.partition));
}
function words(now, brokers) {
  return brokers.map((one) => `broker ${one.id}${one.is_fenced ? ", gone" : ""}: leads ${now.partitions.filter((part) => part.leader === one.id).map((part) => part.partition).join(", ") || "nothing"}`).join("; ");
}
