// Who has which role, and what each role allows.
import { h, replace, tag, head, card, table, field, choice, note } from "./dom.js";
import { api } from "./api.js";
import { ask, change } from "./change.js";

const words = (name) => name.replaceAll("_", " ");
export async function list(context) {
  const roles = await api.get("/roles", context.signal);
  const allowed = card("What each role allows", table("What each role allows", [
    ["Role", (one) => one.role, "name tight"], ["Granted on", (one) => one.on[0] === "cluster" ? "the cluster" : one.on.map(words).join(", ")],
    ["Allows", (one) => Object.entries(one.allows).map(([kind, operations]) => h("div", {}, tag(words(kind)), " ", operations.map(words).join(", "))), "list"],
  ], roles, undefined, "cards"));
  let bindings;
  try { bindings = await api.get("/role-bindings", context.signal); }
  catch (error) { if (context.signal.aborted) throw error; return [head("Roles"), note(error.message, "warn"), allowed]; }
  const text = h("input", { type: "search", placeholder: "Find roles   /", "aria-label": "Find roles", oninput: () => draw() });
  const place = h("div", {});
  const draw = () => replace(place, table("Who has which role", [
    ["Principal", (one) => one.principal, "name"], ["Role", (one) => one.role], ["On", (one) => one.kind === "cluster" ? "the cluster" : words(one.kind)],
    ["Name", (one) => one.kind === "cluster" ? "–" : [h("code", { class: "value" }, one.name), one.pattern === "prefixed" && "…"]],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Take ${one.role} on ${one.name} from ${one.principal}`, onclick: () => change("Take this role back", "revoke-role", one, () => context.again()) }, "Take back")],
  ], bindings.filter((one) => Object.values(one).join(" ").toLowerCase().includes(text.value.toLowerCase())), bindings.length ? "No binding has this in it." : "No role is granted to anybody.", "cards"));
  draw();
  return [head("Roles", null, h("button", { class: "main", onclick: () => grant(context, roles) }, "Grant a role")), h("div", { class: "card" }, h("div", { class: "title" }, text), place), allowed];
}
function grant(context, roles) {
  const who = h("input", { required: true, value: "User:", autocomplete: "off" }), name = h("input", { required: true, autocomplete: "off" });
  const pattern = choice([["literal", "this name (* is all)"], ["prefixed", "names that begin so"]]), what = choice([]);
  const role = choice(roles.map((one) => one.role), "DeveloperRead", { onchange: () => fit() });
  const fit = () => {
    const on = roles.find((one) => one.role === role.value).on, whole = on[0] === "cluster";
    replace(what, on.map((kind) => h("option", { value: kind }, words(kind))));
    for (const one of [name, pattern]) { one.disabled = whole; one.closest("label").hidden = whole; }
  };
  const fields = [field("Principal", who, "User:alice"), field("Role", role), field("On a", what), field("Named", name), field("Matching", pattern)];
  fit();
  ask("Grant a role", "grant-role", fields, () => ({ principal: who.value, role: role.value, kind: what.value, ...(name.disabled ? {} : { name: name.value, pattern: pattern.value }) }), () => context.again());
}
