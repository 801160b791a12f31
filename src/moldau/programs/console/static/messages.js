// Records of a topic: a page by offset or by time, live as they come, and sending one.
import { h, replace, number, bytes, tag, note, choice, time, path, announce } from "./dom.js";
import { apiRoot } from "./place.js";
import { api, enc, query, sentence } from "./api.js";
import { download } from "./files.js";
import { chosenFormats, encoding, formatChoices } from "./formats.js";
import { produce } from "./produce.js";

// MessagePack is shown as JSON with the same content.
const isJson = (value) => value.format === "json" || value.format === "msgpack";
export async function messages(context, topic) {
  const given = Object.fromEntries(context.query);
  const [view, found] = await Promise.all([
    api.get(`/topics/${enc(topic)}`, context.signal),
    api.get(`/topics/${enc(topic)}/records${query(given)}`, context.signal),
    context.ready,
  ]);
  const here = path("topics", topic, "messages");
  const partition = choice([["", "all partitions"], ...view.partitions.map((one) => [String(one.partition), `partition ${one.partition}`])], given.partition ?? "", { "aria-label": "Partition" });
  const from = choice([["end", "the latest"], ["start", "from the beginning"], ["offset", "from an offset"], ["time", "from a time"]], given.time ? "time" : given.after === "start" ? "start" : given.after ? "offset" : "end", { "aria-label": "Where to begin", onchange: () => fit() });
  const offset = h("input", { type: "number", min: 0, "aria-label": "Offset", value: given.after && given.after !== "start" ? given.after.split(":")[1]?.split(",")[0] ?? "" : "" });
  const moment = h("input", { type: "datetime-local", step: 1, "aria-label": "Time", value: given.time ? local(Number(given.time)) : "" });
  const fit = () => { offset.hidden = from.value !== "offset"; moment.hidden = from.value !== "time"; };
  fit();
  const formats = formatChoices(context, given);
  const show = () => {
    const wanted = { partition: partition.value, ...formats.get() };
    if (from.value === "start") wanted.after = "start";
    if (from.value === "offset") wanted.after = (partition.value === "" ? view.partitions.map((one) => one.partition) : [partition.value]).map((one) => `${one}:${offset.value || 0}`).join(",");
    if (from.value === "time") wanted.time = moment.value ? new Date(moment.value).getTime() : Date.now() - 3600000;
    context.go(here + query(wanted));
  };
  const place = h("div", { class: "card" });
  const list = found.records.slice();
  const backwards = !given.after && !given.time;
  if (backwards) list.reverse();
  replace(place, list.length ? list.map((one) => record(context, topic, one)) : h("p", { class: "empty" }, found.start === found.end ? "The topic has no records here. Send one, or follow live and wait." : "No records here. Choose another place, or send one."));
  const turn = (name, places, text, isEnd) => isEnd ? h("button", { disabled: true }, text) : h("a", { class: "button", href: here + query({ partition: given.partition, ...chosenFormats(given), [name]: places }) }, text);
  const word = h("input", { type: "search", "aria-label": "Find records", placeholder: "Find records   /", class: "short" });
  const where = choice([["text", "with this text"], ["key", "with this key"], ["cel", "that fit, in CEL"]], "text", { "aria-label": "What it is" });
  const seek = h("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); if (word.value) context.go(`/ui/search${query({ query: sought(topic, where.value, word.value, partition.value), ...(where.value === "cel" && { filter: word.value }), ...formats.get() })}`); } }, word, where, h("button", { type: "submit" }, "Find"));
  const live = h("button", { type: "button", "aria-pressed": "false", onclick: () => { pages.hidden = true; follow(context, topic, { partition: partition.value, ...formats.get() }, live, place, state, word); } }, "Follow live");
  const state = h("p", { class: "quiet small", role: "status" });
  const pages = h("div", { class: "bar" }, turn("before", found.older, "← Older", found.older === found.start), turn("after", found.newer, "Newer →", found.newer === found.end), h("span", { class: "quiet small" }, list.length === 1 ? "1 record" : `${number(list.length)} records`),
    list.length > 0 && h("button", { class: "small", type: "button", "aria-label": "Save these records as JSON, one a line", onclick: () => download(`${topic}.jsonl`, list.map((one) => `${copied(topic, one)}\n`).join(""), "application/x-ndjson") }, "JSON"));
  return [
    h("div", { class: "bar spread" }, h("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); show(); } }, partition, from, offset, moment, formats.boxes, h("button", { class: "main", type: "submit" }, "Show"), live, opener(place)), seek),
    state, place,
    pages,
  ];
}
function local(ms) { const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60000); return at.toISOString().slice(0, 19); }
// Text is looked for in keys, values and headers; a key leads to its partition alone; CEL is a filter of its own.
function sought(topic, where, word, partition) {
  const text = `'${word.replaceAll("'", "''")}'`;
  const found = where === "cel" ? "" : where === "key" ? `key = ${text}` : `(contains(value, ${text}) or contains(key, ${text}) or len(list_filter(headers, lambda one: contains(one.key, ${text}) or contains(try(decode(one.value)), ${text}))) > 0)`;
  const conditions = [partition !== "" && `partition = ${partition}`, found].filter(Boolean);
  return `select partition, "offset", timestamp, key, value from "${topic}" ${conditions.length ? `where ${conditions.join(" and ")} ` : ""}limit 50`;
}
const holds = (one, word) => [one.key, one.value, ...one.headers.flatMap(({ name, value }) => [{ text: name }, value])].some((part) => part?.text?.includes(word));
// A beat comes every five seconds: without one for so long the connection is lost, whatever it says.
const SILENT_MS = 15000;
// While a word stands in the box, of what comes only records with it are shown.
function follow(context, topic, wanted, button, place, state, word) {
  if (button.stop) { button.stop(); return; }
  let source = null, missed = 0, count = 0, hidden = 0, next = "", heard = 0;
  const lost = () => { state.textContent = "The connection was lost; it is tried again, and goes on where it was."; };
  const open = () => {
    source?.close();
    heard = Date.now();
    source = new EventSource(`${apiRoot}/topics/${enc(topic)}/tail${query({ ...wanted, after: next })}`);
    source.addEventListener("ready", () => { heard = Date.now(); state.textContent = count ? words() : "Connected: new records appear on top, also those whose transaction has not ended."; });
    source.addEventListener("records", (event) => {
      const { records, missed: more } = JSON.parse(event.data);
      heard = Date.now();
      next = event.lastEventId;
      missed += more;
      count += records.length;
      if (records.length) {
        const fit = word.value ? records.filter((one) => holds(one, word.value)) : records;
        hidden += records.length - fit.length;
        if (fit.length) place.querySelector(".empty")?.remove();
        for (const one of fit) place.prepend(record(context, topic, one));
        while (place.children.length > 200) place.lastChild.remove();
      }
      if (count) state.textContent = words();
    });
    source.addEventListener("failed", (event) => { button.stop?.(); replace(place, note(sentence(JSON.parse(event.data).message), "bad")); });
    source.onerror = lost;
  };
  const words = () => `${number(count)} new records${hidden ? `, of which ${number(hidden)} without "${word.value}" are not shown` : ""}${missed ? `, and ${number(missed)} more that came too fast to be shown` : ""}.`;
  // A browser gives up where it was refused, and waits for ever where nothing comes.
  const watch = setInterval(() => { if (source.readyState === EventSource.CLOSED || Date.now() - heard > SILENT_MS) { lost(); open(); } }, 3000);
  const end = () => { clearInterval(watch); source.close(); };
  button.setAttribute("aria-pressed", "true");
  button.textContent = "Stop following";
  replace(place, h("p", { class: "empty" }, "Waiting for new records…"));
  button.stop = () => { end(); button.stop = null; button.setAttribute("aria-pressed", "false"); button.textContent = "Follow live"; state.textContent = `Stopped after ${number(count)} records.`; };
  open();
  context.end(end);
}
// One record as JSON; the text of a JSON value is taken as it is, so that numbers keep all their digits.
export function copied(topic, one) {
  const part = (value) => value === null ? "null" : isJson(value) && !value.is_cut ? value.text : JSON.stringify(value.text);
  const fields = [["topic", JSON.stringify(topic)], ["partition", one.partition], ["offset", one.offset], ["timestamp", one.timestamp], ["key", part(one.key)], ["value", part(one.value)],
    ["headers", `[${one.headers.map(({ name, value }) => `{"name": ${JSON.stringify(name)}, "value": ${part(value)}}`).join(", ")}]`]];
  return `{${fields.map(([name, text]) => `"${name}": ${text}`).join(", ")}}`;
}
function copier(text, what, label) {
  const copy = h("button", { class: "plain", type: "button", "aria-label": label, onclick: async () => {
    try { await navigator.clipboard.writeText(text()); copy.textContent = "Copied"; announce("Copied"); } catch { copy.textContent = "The browser refused"; }
  } }, what);
  return copy;
}
// What is shown says all that was sent: MessagePack does not, as it has bytes, which JSON has not.
const isSentAgain = (part) => part === null || (!part.is_cut && !part.is_masked && part.format !== "msgpack" && (!part.schema || part.reason || part.schema.subject));
const isEncoded = (context, name, part) => !part?.decoded_by || part.reason || encoding(context, name).some(([one]) => one === part.decoded_by);
function acts(context, topic, one) {
  const place = `${one.partition} : ${one.offset}`;
  const isWhole = [one.key, one.value].every(isSentAgain) && isEncoded(context, "key", one.key) && isEncoded(context, "value", one.value) && one.headers.every(({ value }) => isSentAgain(value));
  return h("span", { class: "acts" }, copier(() => copied(topic, one), "Copy", `Copy ${place} as JSON`), one.value && !one.value.is_cut && copier(() => one.value.text, "Copy value", `Copy value of ${place}`),
    isWhole && h("button", { class: "plain", type: "button", "aria-label": `Send again: ${place}`, onclick: () => produce(context, topic, one) }, "Send again"));
}
// What consumers with read_committed do not see; while records are followed live it is not known.
const UNSEEN = { aborted: ["aborted", "bad"], waiting: ["not committed", "warn"] };
const UNSEEN_WHY = {
  aborted: "Its transaction was aborted: consumers with read_committed do not see it.",
  waiting: "A transaction is open at this offset or before it: consumers with read_committed do not see the record until that has ended.",
};
// A line for each record, which opens: what is in it is made when it is first seen.
export function record(context, topic, one) {
  const box = h("details", { class: "record", open: isOpen() }, h("summary", {},
    h("span", {}, time(one.timestamp)), h("span", {}, `${one.partition} : ${number(one.offset)}`), h("span", { class: "key" }, one.key === null ? "–" : brief(one.key)),
    h("span", { class: "brief" }, UNSEEN[one.unseen] && [tag(...UNSEEN[one.unseen]), " "], one.value === null ? "null (a tombstone)" : brief(one.value)), h("span", { class: "kind" }, one.value ? `${one.value.format}, ${bytes(one.value.size)}` : "")));
  let isMade = false;
  const make = () => { if (box.open && !isMade) { isMade = true; box.append(opened(context, topic, one)); } };
  box.addEventListener("toggle", make);
  make();
  return box;
}
const BRIEF = 400;
const brief = (part) => part.text.slice(0, BRIEF).replace(/\s+/g, " ");
function opened(context, topic, one) {
  const to = (part) => `${apiRoot}/topics/${enc(topic)}/records/${one.partition}/${one.offset}/${part}`;
  return h("div", { class: "inside" },
    h("div", { class: "line" }, h("a", { href: `${path("topics", topic, "messages")}?partition=${one.partition}&after=${one.partition}:${one.offset}` }, "Address of this record"),
      one.key && h("span", {}, "key ", h("span", { class: "key" }, one.key.text), one.key.schema && [" ", schema(one.key)], one.key.is_cut && [" … ", h("a", { href: to("key"), download: "" }, "whole key")]),
      one.key?.decoded_by && tag(`key by ${one.key.decoded_by}`), one.value?.schema && schema(one.value), one.value?.decoded_by && tag(`by ${one.value.decoded_by}`), acts(context, topic, one)),
    UNSEEN_WHY[one.unseen] && h("p", { class: "quiet small" }, UNSEEN_WHY[one.unseen]),
    [["key", one.key], ["value", one.value]].map(([name, part]) => part?.reason && h("p", { class: "quiet small" }, `The ${name} is not decoded: ${part.reason}`)),
    one.value === null ? h("p", { class: "data quiet" }, "null (a tombstone)") : data(one.value, to("value")),
    one.headers.length ? h("div", { class: "headers" }, one.headers.map(({ name, value }) => tag(`${name}: ${value === null ? "null" : value.text}${value?.is_cut ? "…" : ""}`))) : null);
}
// Whether records are open at first is kept in the browser.
const OPEN = "records";
function isOpen() { try { return localStorage.getItem(OPEN) === "open"; } catch { return false; } }
function opener(place) {
  const text = () => isOpen() ? "Close all" : "Open all";
  const button = h("button", { type: "button", onclick: () => {
    const opens = !isOpen();
    try { localStorage.setItem(OPEN, opens ? "open" : "closed"); } catch { /* a browser without storage opens them once */ }
    for (const one of place.querySelectorAll("details.record")) one.open = opens;
    button.textContent = text();
  } }, text());
  return button;
}
function schema({ schema: { id, type, subject, version } }) {
  return tag([subject && `${subject} v${version}`, `schema ${id}`, type && type.toLowerCase()].filter(Boolean).join(" · "));
}
function data(value, whole) {
  const box = h("pre", { class: "data", tabindex: "0", "aria-label": "Value" });
  if (isJson(value)) colour(box, value.text);
  else if (value.format === "xml") colourXml(box, value.text);
  else box.textContent = value.text + (value.is_cut ? " …" : "");
  return [box, value.is_cut && h("p", { class: "small" }, h("a", { href: whole, download: "" }, `Download all ${bytes(value.size)}`))];
}
// JSON laid out token by token from its own text: numbers keep all their digits. What is short stays
// on one line.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;
function colour(box, text) {
  const tokens = text.match(TOKEN) ?? [];
  const flats = [];
  let depth = 0;
  const span = (kind, token) => h("span", { class: kind }, token);
  const fits = (at) => { let open = 0, size = 0; for (let next = at; next < tokens.length; next += 1) { const token = tokens[next]; size += token.length + 1; if (size > 76) return false; if ("{[".includes(token)) { open += 1; if (open > 1) return false; } if ("}]".includes(token) && --open === 0) return true; } return false; };
  const turn = () => box.append(flats.at(-1) ? " " : `\n${"  ".repeat(depth)}`);
  tokens.forEach((token, at) => {
    if (token === "{" || token === "[") {
      box.append(token);
      flats.push(fits(at));
      depth += 1;
      if (!"}]".includes(tokens[at + 1])) turn();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (!"{[".includes(tokens[at - 1])) turn();
      flats.pop();
      box.append(token);
    } else if (token === ",") { box.append(token); turn(); }
    else if (token === ":") box.append(": ");
    else if (token[0] === '"') box.append(span(tokens[at + 1] === ":" ? "j-key" : "j-str", token));
    else box.append(span(/[tfn]/.test(token[0]) ? "j-word" : "j-num", token));
  });
}
// XML laid out tag by tag: what stands beside text keeps its line, since spaces there mean something.
const XML_PART = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+/g;
const isMarkup = (part) => part[0] === "<" && !part.startsWith("<![");
const opens = (part) => /^<[^/?!]/.test(part) && !part.endsWith("/>");
function colourXml(box, text) {
  const parts = text.match(XML_PART) ?? [];
  const lines = mixed(parts);
  let depth = 0, isFirst = true;
  parts.forEach((part, at) => {
    if (!lines[at] && !part.trim()) return;
    if (part.startsWith("</")) depth -= 1;
    if (!lines[at] && !isFirst) box.append(`\n${"  ".repeat(depth)}`);
    box.append(isMarkup(part) ? h("span", { class: part.startsWith("<!--") ? "j-word" : "j-key" }, part) : part);
    if (opens(part)) depth += 1;
    isFirst = false;
  });
}
// Of each part whether it goes on in its line: all that is inside an element with text of its own,
// and the end of an element that has nothing inside.
function mixed(parts) {
  const withText = new Set(), open = [];
  const isAlone = (at) => opens(parts[at - 1] ?? "") && parts[at + 1]?.startsWith("</");
  const around = parts.map((part, at) => {
    if (part.startsWith("</")) return open.pop();
    const outer = open.at(-1);
    if (!isMarkup(part) && (part.trim() || isAlone(at))) withText.add(outer);
    if (opens(part)) open.push(at);
    return outer;
  });
  const isInText = (at) => at !== undefined && (withText.has(at) || isInText(around[at]));
  return parts.map((part, at) => isInText(around[at]) || (part.startsWith("</") && around[at] === at - 1));
}
