// Lines over time as SVG. The numbers are in a sentence too, for those who do not see the line.
import { s, rate } from "./dom.js";

export function spark(values) {
  const known = values.filter((value) => value !== null);
  const label = known.length ? `now ${rate(known.at(-1))} records a second, at most ${rate(Math.max(...known))}` : "no samples yet";
  return s("svg", { class: "chart spark", viewBox: "0 0 96 26", role: "img", "aria-label": label }, line(values, 96, 26, 1));
}
// As wide as the place that it is for, so that its letters have the size of all others.
export function chart(times, values, label, place) {
  const edges = place.isConnected ? getComputedStyle(place) : null;
  const room = edges ? place.clientWidth - parseFloat(edges.paddingLeft) - parseFloat(edges.paddingRight) : 0;
  const width = Math.max(Math.round(room), 240), height = width < 400 ? 110 : 150, foot = 18;
  const known = values.filter((value) => value !== null);
  const most = Math.max(...known, 0);
  const shown = known.length ? `${label}: now ${rate(known.at(-1))}, at most ${rate(most)}` : `${label}: samples are being taken`;
  const found = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height + foot}`, role: "img", "aria-label": shown });
  found.append(s("line", { class: "axis", x1: 0, x2: width, y1: height, y2: height }), s("line", { class: "axis", x1: 0, x2: width, y1: 1, y2: 1 }));
  if (known.length < 2) {
    found.append(s("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "The line begins in a moment."));
    return found;
  }
  found.append(line(values, width, height, 4));
  found.append(s("text", { x: 2, y: 13 }, rate(most)));
  const moment = (ms) => new Date(ms).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  found.append(s("text", { x: 0, y: height + 14 }, moment(times[0])), s("text", { x: width, y: height + 14, "text-anchor": "end" }, moment(times.at(-1))));
  return found;
}
function line(values, width, height, room) {
  const most = Math.max(...values.filter((value) => value !== null), 1e-9);
  const step = width / Math.max(values.length - 1, 1);
  const parts = [];
  let points = [];
  for (let at = 0; at <= values.length; at += 1) {
    const value = values[at];
    if (value === null || value === undefined) {
      if (points.length > 1) parts.push(points);
      points = [];
    } else points.push([at * step, height - room / 2 - (value / most) * (height - room * 2)]);
  }
  const text = (list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
  return s("g", {}, parts.map((list) => [
    s("path", { class: "area", d: `M${list[0][0].toFixed(1)},${height}L${text(list)}L${list.at(-1)[0].toFixed(1)},${height}Z` }),
    s("path", { class: "line", d: `M${text(list)}` }),
  ]));
}
