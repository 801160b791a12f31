// Sending a record: in several formats, again as another was, and from templates that the browser keeps.
import { h, replace, note, field, choice } from "./dom.js";
import { ask, dialogue } from "./change.js";
import { encoding } from "./formats.js";
import { savedEntries } from "./saved.js";

const templates = savedEntries("templates", (one) => typeof one.form === "object" && one.form !== null);
const FORMATS = [["text", "text"], ["json", "JSON"], ["msgpack", "JSON, sent as MessagePack"], ["hex", "hexadecimal digits"]];
const BY_SCHEMA = ["schema", "JSON, sent by a schema"];
// `from` is a record that is shown, all of which is there.
export function produce(context, topic, from) {
  const formats = context.about?.has_schemas ? [...FORMATS, BY_SCHEMA] : FORMATS;
  const key = part("key", topic, [...formats, ...encoding(context, "key")], h("input", { autocomplete: "off" }), "text"), value = part("value", topic, [...formats, ...encoding(context, "value")], h("textarea", {}), "json");
  const none = h("input", { type: "checkbox", onchange: () => { value.text.disabled = none.checked; } });
  const partition = h("input", { type: "number", min: 0, placeholder: "by the key" }), headers = h("textarea", { placeholder: "source=console" });
  const form = {
    get: () => ({ key: key.get(), value: value.get(), isNull: none.checked, partition: partition.value, headers: headers.value }),
    set(given) {
      key.set(given.key); value.set(given.value);
      partition.value = given.partition ?? ""; headers.value = given.headers ?? ""; none.checked = Boolean(given.isNull); value.text.disabled = none.checked;
    },
  };
  const sent = (from?.headers ?? []).map(again);
  if (from) form.set({ key: shown(from.key), value: shown(from.value), isNull: from.value === null, headers: sent.map(([line]) => line).join("\n") });
  const before = headers.value;
  ask(`Send a record to ${topic}`, "produce", [
    h("div", { class: "whole" }, kept(form)),
    h("div", { class: "whole" }, field("Key", key.text, "empty: none")), field("The key is", key.format), key.subject, field("The value is", value.format), value.subject, field("Partition", partition),
    h("div", { class: "whole" }, field("Value", value.text)), h("label", { class: "tick whole" }, none, "no value (a tombstone)"), h("div", { class: "whole" }, field("Headers, one a line", headers, "NAME=VALUE; NAME alone is null"))],
  () => ({ topic, ...((key.text.value || from?.key) && key.body()), ...(!none.checked && value.body()), ...(partition.value !== "" && { partition: Number(partition.value) }),
    headers: headers.value === before ? sent.map(([, one]) => one) : headers.value.split("\n").filter(Boolean).map(header) }),
  () => context.again());
}
// The key or the value: its text, its format, and the subject of its schema where it has one.
function part(name, topic, formats, text, usual) {
  const wanted = h("input", { autocomplete: "off", placeholder: `${topic}-${name}` }), subject = field(`Subject of the ${name}'s schema`, wanted, "its latest version");
  const format = choice(formats, usual, { onchange: () => fit() });
  const fit = () => { subject.hidden = format.value !== "schema"; };
  fit();
  return {
    text, format, subject,
    get: () => ({ text: text.value, format: format.value, subject: wanted.value }),
    set(given) { text.value = given?.text ?? ""; format.value = formats.some(([one]) => one === given?.format) ? given.format : usual; wanted.value = given?.subject ?? ""; fit(); },
    body: () => ({ [name]: text.value, [`${name}_format`]: format.value, ...(format.value === "schema" && wanted.value && { [`${name}_subject`]: wanted.value }) }),
  };
}
// As it was, byte by byte, but where a schema writes it anew.
function shown(part) {
  if (part === null) return { text: "" };
  if (part.decoded_by && !part.reason) return { text: part.text, format: part.decoded_by };
  const isDecoded = part.schema && !part.reason;
  return { text: part.text, format: isDecoded ? "schema" : part.format === "hex" ? "hex" : "text", subject: isDecoded ? part.schema.subject : "" };
}
// The line of a header that was sent, and what sends it again.
function again({ name, value }) {
  return [value === null ? name : `${name}=${value.text}`, { name, value: value?.text ?? null, format: value?.format === "hex" ? "hex" : "text" }];
}
function header(line) {
  const at = line.indexOf("=");
  return at < 0 ? { name: line, value: null } : { name: line.slice(0, at), value: line.slice(at + 1) };
}
function kept(form) {
  const place = h("div", { class: "bar" }), said = h("div", {});
  const draw = () => {
    const all = templates.kept();
    const which = choice([["", "Fill in from a template…"], ...all.map((one, at) => [String(at), one.name])], "", { "aria-label": "Template", onchange: () => { forget.disabled = !which.value; if (which.value) form.set(all[Number(which.value)].form); } });
    const forget = h("button", { type: "button", class: "small", disabled: true, onclick: () => { templates.forget(all[Number(which.value)].name); draw(); } }, "Forget it");
    replace(place, all.length ? [which, forget] : null, h("button", { type: "button", class: "small", onclick: () => name(form, said, draw) }, "Keep as a template"));
  };
  draw();
  return [place, said];
}
function name(form, said, done) {
  const text = h("input", { required: true, autocomplete: "off", maxlength: 80 });
  const box = dialogue("Keep a template", h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    replace(said, templates.save(text.value, { form: form.get() }) ? null : note("This browser keeps nothing for this page.", "warn"));
    box.close();
    done();
  } }, field("Name", text, "kept in this browser, with all that is filled in"), h("div", { class: "bar" }, h("button", { class: "main", type: "submit" }, "Keep it"), h("button", { type: "button", onclick: () => box.close() }, "Cancel"))));
}
