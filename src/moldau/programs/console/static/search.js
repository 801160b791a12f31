// Search by SQL: the address is the query, and leaving the page ends the search.
import { h, replace, number, note, link, path, card, head, table, field, announce } from "./dom.js";
import { apiRoot, within } from "./place.js";
import { query as parameters, sentence } from "./api.js";
import { dialogue } from "./change.js";
import { csvButton } from "./files.js";
import { formatChoices, chosenFormats, hasFormats } from "./formats.js";
import { savedEntries } from "./saved.js";

const LONG = 40;
const searches = savedEntries("searches", (one) => typeof one.query === "string");
export async function page(context) {
  // Which formats there are; the page may have been left meanwhile.
  await context.ready;
  const given = context.query.get("query") ?? "";
  const box = h("textarea", { "aria-label": "Query", spellcheck: "false", value: given, placeholder: 'select "offset", key, json->>\'$.amount\' as amount\nfrom "orders"\nwhere timestamp >= \'2026-01-31 12:00\' and key = \'customer-7\'\nlimit 50' });
  const filter = h("input", { "aria-label": "Filter in CEL", spellcheck: "false", autocomplete: "off", value: context.query.get("filter") ?? "", placeholder: "record.value.amount > 400 && 'source' in record.headers" });
  const wanted = () => ({ query: box.value.trim(), ...(filter.value.trim() && { filter: filter.value.trim() }), ...formats.get() });
  const place = h("div", { class: "stack" }), state = h("div", { class: "bar" });
  const shown = Object.fromEntries(context.query), formats = formatChoices(context, shown);
  const start = () => { const to = within(`/ui/search${parameters(wanted())}`); if (box.value.trim()) context.go(to, to === location.pathname + location.search); };
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); start(); } });
  const saved = h("div", {});
  listed(saved);
  if (given && !context.signal.aborted) run(context, parameters({ query: given, filter: shown.filter, ...chosenFormats(shown) }), given, place, state);
  return [head("Search"),
    card(null, h("form", { class: "body stack", onsubmit: (event) => { event.preventDefault(); start(); } }, box, field("Filter in CEL, as kafbat UI has them", filter, "may be empty; the query has only records that fit"),
      h("div", { class: "bar" }, h("button", { class: "main", type: "submit" }, "Search"), h("button", { type: "button", onclick: () => { if (box.value.trim()) ask(wanted(), saved); } }, "Save"), hasFormats(context) && formats.boxes, h("span", { class: "quiet small" }, "Ctrl+Enter")),
      h("p", { class: "quiet small" }, "Columns: partition, \"offset\", timestamp (UTC), key, value, json, headers, key_bytes, value_bytes. Bounds on partition, \"offset\" and timestamp, and key = '…', decide what is read. Records of aborted and of open transactions are in it, too: under Messages they are marked."))),
    saved, state, place];
}
function ask(wanted, place) {
  const name = h("input", { required: true, autocomplete: "off", maxlength: 80, value: (wanted.filter ?? wanted.query).replace(/\s+/g, " ").slice(0, 80) });
  const box = dialogue("Save the search", h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    listed(place, searches.save(name.value, wanted));
    box.close();
  } }, field("Name", name, "kept in this browser"), h("div", { class: "bar" }, h("button", { class: "main", type: "submit" }, "Save it"), h("button", { type: "button", onclick: () => box.close() }, "Cancel"))));
}
function listed(place, isKept = true) {
  if (!isKept) { replace(place, note("This browser keeps nothing for this page: bookmark the address instead.", "warn")); return; }
  const all = searches.kept();
  replace(place, all.length ? card("Saved searches", table("Saved searches", [
    ["Name", (one) => link(`/ui/search${parameters({ query: one.query, filter: one.filter, ...chosenFormats(one) })}`, one.name), "name"], ["Query", (one) => [h("code", { class: "value" }, one.query), one.filter && h("div", {}, h("code", { class: "value" }, one.filter))]],
    ["", (one) => h("button", { class: "small danger", type: "button", "aria-label": `Forget ${one.name}`, onclick: () => listed(place, searches.forget(one.name)) }, "Forget")],
  ], all)) : null);
}
function run(context, wanted, query, place, state) {
  const source = new EventSource(`${apiRoot}/search${wanted}`);
  const stop = h("button", { type: "button", class: "small", onclick: () => { source.close(); replace(state, h("span", { class: "quiet" }, "Stopped.")); } }, "Stop");
  const meter = h("span", { "width%": 0 }), words = h("span", { class: "quiet small", role: "status" }, "Searching…");
  const show = (message) => { source.close(); replace(state); replace(place, note(sentence(message), "bad")); };
  replace(state, h("div", { class: "meter", "aria-hidden": "true" }, meter), words, stop);
  let last = { read: 0, of: 0 };
  source.addEventListener("progress", (event) => {
    last = JSON.parse(event.data);
    meter.style.width = `${last.of ? (last.read / last.of) * 100 : 0}%`;
    words.textContent = `${number(last.read)} of ${number(last.of)} offsets`;
  });
  source.addEventListener("failed", (event) => show(JSON.parse(event.data).message));
  source.addEventListener("result", (event) => {
    source.close();
    const { columns, rows, is_cut: isCut, unclear, why } = JSON.parse(event.data);
    const saved = rows.length > 0 && [csvButton("result", columns, () => rows), h("button", { class: "small", type: "button", "aria-pressed": "false", onclick: (event) => event.target.setAttribute("aria-pressed", String(!place.querySelector("table").classList.toggle("brief"))) }, "Whole values")];
    replace(state, h("span", { class: "quiet", role: "status" }, `${rows.length === 1 ? "1 row" : `${number(rows.length)} rows`}${isCut ? ", and more that are not shown: narrow the query" : ""}; ${number(last.read)} offsets were read.${unclear ? ` Of ${unclear === 1 ? "1 record" : `${number(unclear)} records`} the filter could not be evaluated: ${why}` : ""}`), saved);
    announce(`${rows.length} rows`);
    const topic = /\bfrom\s+"([^"]+)"/i.exec(query)?.[1], part = columns.indexOf("partition"), at = columns.indexOf("offset");
    const shown = (row, index) => {
      const text = row[index] === null ? "null" : String(row[index]);
      return h("code", { class: text.length > LONG ? "value long" : "value" }, text);
    };
    const whereOf = (row) => `${path("topics", topic, "messages")}?partition=${row[part]}&after=${row[part]}:${row[at]}`;
    replace(place, card(null, table("Result", columns.map((name, index) => [name, (row) => topic && part >= 0 && index === at ? link(whereOf(row), shown(row, index)) : shown(row, index)]), rows, "No record is like this.", "brief")));
  });
  source.onerror = async () => {
    source.close();
    // An event source does not show why it was refused.
    const answer = await fetch(`${apiRoot}/search${wanted}`, { signal: context.signal }).catch(() => null);
    if (answer && !answer.ok) show((await answer.json()).message);
    else { answer?.body?.cancel(); show("The connection to the console was lost: search again."); }
  };
  context.end(() => source.close());
}
