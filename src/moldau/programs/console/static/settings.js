// Settings with where each value comes from, and changing one.
import { h, replace, tag, card, table, field } from "./dom.js";
import { ask } from "./change.js";

export function settings(context, of, name, entries) {
  const box = h("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting", oninput: () => draw() });
  const only = h("input", { type: "checkbox", onchange: () => draw() });
  const place = h("div", {});
  const draw = () => {
    const wanted = box.value.toLowerCase();
    const rows = entries.filter((one) => one.name.includes(wanted) && !(only.checked && one.is_default));
    replace(place, table("Settings", [
      ["Name", (one) => h("code", {}, one.name), "name"],
      ["Value", (one) => h("code", { class: "value" }, one.is_sensitive ? "hidden" : one.value === "" || one.value === null ? "–" : one.value)],
      ["From", (one) => [tag(one.source, one.is_default ? "" : "good"), one.chain.length > 1 && h("details", { class: "small" }, h("summary", {}, `${one.chain.length - 1} more`), h("ul", {}, one.chain.map((link) => h("li", {}, `${link.source}: ${link.value ?? "hidden"}`))))]],
      ["", (one) => one.is_read_only ? null : h("button", { class: "small", onclick: () => edit(context, of, name, one), "aria-label": `Change ${one.name}` }, "Change")],
    ], rows, "No setting has this name."));
  };
  draw();
  return card(h("div", { class: "bar" }, h("h2", {}, "Settings"), box, h("label", { class: "tick small" }, only, "only what is set")), place);
}
function edit(context, of, name, one) {
  const value = h("input", { value: one.is_sensitive ? "" : one.value ?? "", autocomplete: "off" });
  const unset = h("input", { type: "checkbox", onchange: () => { value.disabled = unset.checked; } });
  ask(`Change ${one.name}`, "alter-configs", [h("div", { class: "whole" }, field(`${one.name} of ${of} ${name}`, value, `now from: ${one.source}`)), h("label", { class: "tick whole" }, unset, "give up this setting, and use the next value")],
    () => ({ of, name, ...(unset.checked ? { delete: [one.name] } : { set: { [one.name]: value.value } }) }), () => context.again());
}
