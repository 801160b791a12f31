// Schemas of a registry: subjects, their versions side by side, what may follow, and changes.
import { h, replace, number, tag, note, link, path, card, head, figures, table, field, choice } from "./dom.js";
import { within } from "./place.js";
import { api, enc } from "./api.js";
import { ask, change, dialogue } from "./change.js";
import { virtual } from "./virtual.js";

const TYPES = ["AVRO", "JSON", "PROTOBUF"];
const LEVELS = ["BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE", "NONE"];
const GRID = "minmax(0, 1fr) 6.5rem 5rem 5rem";

const NONE = "This console knows no registry: start it with --registry-url URL, or the node with --registry.";
export async function list(context) {
  await context.ready;
  if (!context.about?.has_schemas) return [head("Schemas"), note(NONE)];
  const { rows, level, problem } = await api.get("/subjects", context.signal);
  const text = h("input", { type: "search", placeholder: "Find subjects   /", "aria-label": "Find subjects by name", value: context.query.get("q") ?? "", oninput: () => draw(true) });
  const shown = virtual("Subjects", GRID, [["Subject", ""], ["Type", ""], ["Version", "num"], ["Id", "num narrow-off"]],
    ([subject, version, id, type]) => [h("span", {}, link(path("schemas", subject), subject)), h("span", {}, tag(type.toLowerCase())), h("span", { class: "num" }, number(version)), h("span", { class: "num narrow-off" }, id)], "minmax(0, 1fr) 5.4rem 4.4rem");
  const count = h("span", { class: "quiet small", role: "status" });
  function draw(keeps) {
    const wanted = text.value.toLowerCase();
    const found = rows.filter(([subject]) => subject.toLowerCase().includes(wanted));
    shown.set(found);
    count.textContent = `${number(found.length)} of ${number(rows.length)}`;
    if (keeps) history.replaceState(null, "", within(`/ui/schemas?${new URLSearchParams({ q: text.value })}`));
  }
  draw(false);
  return [head("Schemas", null, h("button", { onclick: () => setLevel(context, null, level) }, `Compatibility: ${level || "unknown"}`), h("button", { class: "main", onclick: () => register(context) }, "Register a schema")),
    problem && note(problem, "warn"),
    rows.length ? h("div", { class: "card" }, h("div", { class: "title" }, text, count), shown.element)
      : h("div", { class: "card" }, h("p", { class: "empty" }, "No schema is registered yet. Serializers register theirs with the first record, or you do it here."))];
}
export async function one(context, { subject }) {
  const found = await api.get(`/subjects/${enc(subject)}`, context.signal);
  const { versions, deleted, level, is_own_level: own } = found;
  const top = head(subject, link("/ui/schemas", "Schemas"),
    h("button", { onclick: () => setLevel(context, subject, level, own) }, `Compatibility: ${level}${own ? "" : ", as all"}`), ...acts(context, subject, versions));
  if (!versions.length) return [top, note("All versions of this subject are deleted. What was written with them can still be read."), gone(context, subject, deleted)];
  const newest = versions.at(-1);
  const chosen = pick(context.query.get("version"), versions, newest);
  const before = versions[versions.indexOf(chosen) - 1] ?? null;
  const other = context.query.get("with") === "none" ? null : pick(context.query.get("with"), versions, before);
  const [shown, old] = await Promise.all([read(context, subject, chosen), other !== null && other !== chosen ? read(context, subject, other) : null]);
  const to = (given) => context.go(`${path("schemas", subject)}?${new URLSearchParams({ version: chosen, with: other ?? "none", ...given })}`, true);
  const which = choice(versions.map((at) => [String(at), `version ${at}`]).reverse(), String(chosen), { "aria-label": "Version", onchange: () => to({ version: which.value, with: versions[versions.indexOf(Number(which.value)) - 1] ?? "none" }) });
  const against = choice([["none", "not compared"], ...versions.filter((at) => at !== chosen).map((at) => [String(at), `against version ${at}`]).reverse()], old ? String(other) : "none", { "aria-label": "Compare", onchange: () => to({ with: against.value }) });
  return [top,
    figures([["Type", shown.type.toLowerCase()], ["Id", shown.id], ["Version", `${chosen} of ${versions.length}`], ["GUID", h("code", {}, shown.guid), "long"]]),
    card(h("div", { class: "bar" }, h("h2", {}, old ? "What changed" : "Schema"), which, against,
      versions.length > 1 && h("button", { class: "small danger", onclick: () => change(`Delete version ${chosen}`, "delete-schema", { subject, version: chosen }, () => context.go(path("schemas", subject))) }, "Delete this version")),
      old ? compared(laid(old), laid(shown)) : h("pre", { class: "source", tabindex: "0", "aria-label": "Schema" }, laid(shown))),
    shown.problem && note(shown.problem, "warn"),
    shown.references.length ? card("It refers to", table("References", [["Name", (one) => h("code", {}, one.name), "name"], ["Subject", (one) => link(`${path("schemas", one.subject)}?version=${one.version}`, one.subject)], ["Version", (one) => one.version, "num"]], shown.references)) : null,
    shown.referenced_by?.length ? card("Referred to by", h("p", { class: "body" }, shown.referenced_by.map((id) => [tag(`schema ${id}`), " "]))) : null,
    deleted.length ? gone(context, subject, deleted) : null];
}
function pick(given, versions, otherwise) { const found = Number(given); return given && versions.includes(found) ? found : otherwise; }
const read = (context, subject, version) => api.get(`/subjects/${enc(subject)}/versions/${version}`, context.signal);
function laid({ type, schema }) {
  if (type === "PROTOBUF") return schema.trim();
  try { return JSON.stringify(JSON.parse(schema), null, 2); } catch { return schema; }
}
function gone(context, subject, deleted) {
  return card("Deleted", h("p", { class: "body bar" }, h("span", { class: "quiet" }, `Version ${deleted.join(", ")}: not offered any more, and still read by its id.`),
    deleted.map((version) => h("button", { class: "small danger", onclick: () => change(`Delete version ${version} for good`, "delete-schema", { subject, version, permanent: true }, () => context.again(), subject) }, `Delete ${version} for good`))));
}
function acts(context, subject, versions) {
  const follows = async (title, done) => { try { done(title, versions.length ? await read(context, subject, versions.at(-1)) : null); } catch (error) { dialogue(title, note(error.message, "bad")); } };
  return [h("button", { onclick: () => follows("Check a schema", (title, last) => check(title, subject, last)) }, "Check a schema"),
    h("button", { class: "main", onclick: () => follows("Register a version", (title, last) => register(context, subject, last)) }, "Register a version"),
    versions.length ? h("button", { class: "danger", onclick: () => change(`Delete ${subject}`, "delete-schema", { subject }, () => context.go("/ui/schemas"), subject) }, "Delete") : null];
}
function form(last) {
  const type = choice(TYPES, last?.type ?? "AVRO"), text = h("textarea", { class: "tall", required: true, spellcheck: "false", value: last ? laid(last) : "" });
  const references = h("textarea", { placeholder: "NAME = SUBJECT : VERSION", value: (last?.references ?? []).map((one) => `${one.name} = ${one.subject} : ${one.version}`).join("\n") });
  return [[field("Language", type), h("div", { class: "whole" }, field("Schema", text)), h("div", { class: "whole" }, field("References, one a line", references))],
    () => { const named = refers(references.value); return { schema: text.value, type: type.value, ...(named.length && { references: named }) }; }];
}
function refers(text) {
  return text.split("\n").map((one) => one.trim()).filter(Boolean).map((line) => {
    const found = /^(.+?)\s*=\s*(.+?)\s*:\s*(\d+)$/.exec(line);
    if (!found) throw new Error(`"${line}" is not NAME = SUBJECT : VERSION`);
    return { name: found[1], subject: found[2], version: Number(found[3]) };
  });
}
function register(context, subject, last) {
  const name = h("input", { required: true, autocomplete: "off", placeholder: "orders-value" });
  const [fields, values] = form(last);
  ask(subject ? `Register a version of ${subject}` : "Register a schema", "register-schema",
    [!subject && field("Subject", name, "TOPIC-key or TOPIC-value, unless clients name it otherwise"), ...fields],
    () => ({ subject: subject ?? name.value, ...values() }), () => context.go(path("schemas", subject ?? name.value)));
}
function check(title, subject, last) {
  const [fields, values] = form(last);
  const answer = h("div", { role: "status" });
  const box = dialogue(title, h("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    try {
      const { conflicts } = await api.post(`/subjects/${enc(subject)}/check`, values());
      replace(answer, conflicts.length ? h("div", { class: "note bad" }, "It may not follow:", h("ul", {}, conflicts.map((one) => h("li", {}, one)))) : note("It may follow.", "good"));
    } catch (error) { replace(answer, note(error.message, "bad")); }
  } }, h("div", { class: "form" }, fields), answer, h("div", { class: "bar" }, h("button", { class: "main", type: "submit" }, "Check"), h("button", { type: "button", onclick: () => box.close() }, "Close"))));
}
function setLevel(context, subject, level, own) {
  const wanted = choice([...LEVELS, ...(own ? [["", "as all subjects"]] : [])], level);
  ask(subject ? `Compatibility of ${subject}` : "Compatibility of all subjects without their own", "set-compatibility", [field("Level", wanted)],
    () => ({ subject, level: wanted.value || null }), () => context.again());
}
// Lines that both have stay; the longest common run decides what is one and what is the other.
export function compared(old, now) {
  const [before, after] = [old.split("\n"), now.split("\n")];
  if (old === now) return h("p", { class: "empty" }, "Both versions read the same.");
  return h("pre", { class: "source", tabindex: "0", "aria-label": "Differences" }, lines(before, after).map(([mark, line]) => h("span", { class: `row ${mark === "+" ? "plus" : mark === "-" ? "minus" : ""}` }, `${mark} ${line}`)));
}
const CELLS_MAX = 4e6;
export function lines(before, after) {
  if (before.length * after.length > CELLS_MAX) return [...before.map((line) => ["-", line]), ...after.map((line) => ["+", line])];
  const width = after.length + 1, common = new Uint32Array((before.length + 1) * width);
  for (let one = before.length - 1; one >= 0; one -= 1) for (let two = after.length - 1; two >= 0; two -= 1)
    common[one * width + two] = before[one] === after[two] ? common[(one + 1) * width + two + 1] + 1 : Math.max(common[(one + 1) * width + two], common[one * width + two + 1]);
  const found = [];
  let one = 0, two = 0;
  while (one < before.length || two < after.length) {
    if (one < before.length && two < after.length && before[one] === after[two]) { found.push([" ", before[one]]); one += 1; two += 1; }
    else if (two >= after.length || (one < before.length && common[(one + 1) * width + two] >= common[one * width + two + 1])) { found.push(["-", before[one]]); one += 1; }
    else { found.push(["+", after[two]]); two += 1; }
  }
  return found;
}
