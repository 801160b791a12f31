// Settings with where each value comes from, beside those of another, and changing one.
import { h, replace, tag, card, table, field, note, bytes, duration } from "./dom.js";
import { api, enc } from "./api.js";
import { ask } from "./change.js";

export async function settings(context, of, name, entries) {
  const box = h("input", { type: "search", placeholder: "Find a setting   /", "aria-label": "Find a setting", oninput: () => draw() });
  const only = h("input", { type: "checkbox", onchange: () => draw() });
  const other = context.query.get("with") ?? "";
  const beside = h("input", { type: "search", placeholder: `Compare with a ${of}`, "aria-label": `Compare with a ${of}`, value: other, onchange: () => context.go(`${location.pathname}${beside.value ? `?with=${enc(beside.value)}` : ""}`, true) });
  const place = h("div", {});
  let others = null, problem = null;
  if (other) try { others = new Map((await api.get(`/${of}s/${enc(other)}/configs`, context.signal)).map((one) => [one.name, one])); } catch (error) { if (context.signal.aborted) throw error; problem = error.message; }
  const differs = (one) => (others.get(one.name)?.value ?? null) !== one.value;
  const draw = () => {
    const wanted = box.value.toLowerCase();
    const rows = entries.filter((one) => one.name.includes(wanted) && !(only.checked && one.is_default) && (!others || differs(one)));
    replace(place, problem && h("div", { class: "body" }, note(problem, "bad")), table("Settings", [
      ["Name", (one) => h("code", {}, dotted(one.name)), "name wide"],
      [others ? name : "Value", (one) => value(one)],
      others && [other, (one) => others.has(one.name) ? value(others.get(one.name)) : "–"],
      ["From", (one) => [tag(one.source, one.is_default ? "" : "good"), one.chain.length > 1 && h("details", { class: "small" }, h("summary", {}, `${one.chain.length - 1} more`), h("ul", {}, one.chain.map((link) => h("li", {}, `${link.source}: ${link.value ?? "hidden"}`))))]],
      ["", (one) => one.is_read_only ? null : h("button", { class: "small", onclick: () => edit(context, of, name, one), "aria-label": `Change ${one.name}` }, "Change")],
    ].filter(Boolean), rows, others && !wanted ? "Both have the same settings." : "No setting has this name.", "cards"));
  };
  draw();
  return card(h("div", { class: "bar" }, h("h2", {}, "Settings"), box, beside, h("label", { class: "tick small" }, only, "only what is set")), place);
}
function value(one) {
  const meaning = one.is_sensitive ? "" : meant(one.name, one.value ?? "");
  return [h("code", { class: "value" }, one.is_sensitive ? "hidden" : one.value === "" || one.value === null ? "–" : one.value), meaning && h("span", { class: "quiet small" }, ` ${meaning}`)];
}
// A long name is broken behind a dot, where it has one.
function dotted(name) { return name.split(/(?<=\.)/).flatMap((part, at) => at ? [h("wbr"), part] : [part]); }
// What a long number is for people.
export function meant(name, text) {
  if (!/^-?\d+$/.test(text)) return "";
  const number = Number(text), isTime = name.endsWith(".ms");
  if (number > 9e18) return "no limit";
  if (!isTime && !name.endsWith("bytes")) return "";
  if (number === -1 && name.includes("retention")) return "no limit";
  if (isTime) return number >= 1000 ? duration(number) : "";
  return number >= 1024 ? bytes(number) : "";
}
function edit(context, of, name, one) {
  const value = h("input", { value: one.is_sensitive ? "" : one.value ?? "", autocomplete: one.is_sensitive ? "new-password" : "off", type: one.is_sensitive ? "password" : "text" });
  const all = h("input", { type: "checkbox" });
  const unset = h("input", { type: "checkbox", onchange: () => { value.disabled = unset.checked; } });
  ask(`Change ${one.name}`, "alter-configs", [h("div", { class: "whole" }, field(`${one.name} of ${of} ${name}`, value, `now from: ${one.source}`)), h("label", { class: "tick whole" }, unset, "remove this setting, and use the next value"), of === "broker" && h("label", { class: "tick whole" }, all, "of all brokers that have no value of their own")],
    () => ({ of, name: all.checked ? "" : name, ...(unset.checked ? { delete: [one.name] } : { set: { [one.name]: value.value } }) }), () => context.again());
}
