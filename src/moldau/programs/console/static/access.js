// Access rules, quotas and users.
import { h, replace, tag, head, card, table, field, choice, note } from "./dom.js";
import { api } from "./api.js";
import { ask, change } from "./change.js";
import { csvButton } from "./files.js";

export async function acls(context) {
  let rules;
  try { rules = await api.get("/acls", context.signal); }
  catch (error) { if (context.signal.aborted) throw error; return [head("Access rules"), note(error.message, "warn")]; }
  const text = h("input", { type: "search", placeholder: "Find rules   /", "aria-label": "Find rules", oninput: () => draw() });
  const place = h("div", {});
  const found = () => rules.filter((one) => Object.values(one).join(" ").toLowerCase().includes(text.value.toLowerCase()));
  const draw = () => replace(place, table("Access rules", [
    ["Principal", (one) => one.principal, "name"], ["May", (one) => tag(one.permission, one.permission === "deny" ? "bad" : "good")], ["Operation", (one) => one.operation.replaceAll("_", " ")],
    ["On", (one) => one.kind.replaceAll("_", " ")], ["Name", (one) => [h("code", { class: "value" }, one.name), one.pattern === "prefixed" && "…"]], ["From", (one) => one.host],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Remove the rule of ${one.principal} on ${one.name}`, onclick: () => change("Remove this rule", "remove-acl", one, () => context.again()) }, "Remove")],
  ], found(), rules.length ? "No rule has this in it." : "There are no access rules.", "cards"));
  draw();
  return [head("Access rules", null, h("button", { class: "main", onclick: () => rule(context) }, "Add a rule")), h("div", { class: "card" }, h("div", { class: "title" }, text, rules.length > 0 && csvButton("rules", RULE, () => found().map((one) => RULE.map((name) => one[name])))), place)];
}
const RULE = ["principal", "kind", "pattern", "name", "operation", "permission", "host"];
function rule(context) {
  const who = h("input", { required: true, value: "User:", autocomplete: "off" }), name = h("input", { required: true, autocomplete: "off" }), host = h("input", { value: "*" });
  const permission = choice(["allow", "deny"]), pattern = choice([["literal", "this name (* is all)"], ["prefixed", "names that begin so"]]);
  const operation = choice(["read", "write", "create", "delete", "alter", "describe", "describe_configs", "alter_configs", "cluster_action", "idempotent_write", "create_tokens", "describe_tokens", "two_phase_commit", "all"]);
  const what = choice([["topic", "topic"], ["group", "group"], ["cluster", "cluster"], ["transactional_id", "transactional id"], ["delegation_token", "delegation token"], ["user", "user"]], "topic", { onchange: () => { if (what.value === "cluster") name.value = "kafka-cluster"; } });
  ask("Add a rule", "add-acl", [field("Principal", who, "User:alice, or User:* for all"), field("Permission", permission), field("Operation", operation), field("On a", what), field("Named", name), field("Matching", pattern), field("From the address", host)],
    () => ({ principal: who.value, permission: permission.value, operation: operation.value, kind: what.value, name: name.value, pattern: pattern.value, host: host.value }), () => context.again());
}
export async function quotas(context) {
  const found = await api.get("/quotas", context.signal);
  const rows = found.flatMap(({ entity, values }) => Object.entries(values).map(([name, value]) => ({ entity, name, value })));
  const shown = (entity) => entity.map(([kind, name]) => `${kind} ${name ?? "by default"}`).join(", ");
  return [head("Quotas", null, h("button", { class: "main", onclick: () => quota(context) }, "Set a quota")), card(null, table("Quotas", [
    ["Of", (one) => shown(one.entity), "name"], ["Quota", (one) => h("code", {}, one.name)], ["Value", (one) => one.value.toLocaleString("en"), "num"],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Remove ${one.name} of ${shown(one.entity)}`, onclick: () => change("Remove this quota", "set-quota", { entity: Object.fromEntries(one.entity), values: { [one.name]: null } }, () => context.again()) }, "Remove")],
  ], rows, "There are no quotas: each client may do as much as the brokers can.", "cards"))];
}
function quota(context) {
  const kind = choice([["user", "user"], ["client-id", "client id"], ["user client-id", "user and client id"], ["ip", "address"]], "user", { onchange: () => fit() }), name = h("input", { placeholder: "all without one of their own", autocomplete: "off" }), client = h("input", { placeholder: "all without one of their own", autocomplete: "off" });
  const clients = field("With the client id", client, "empty: the default");
  const fit = () => { clients.hidden = kind.value !== "user client-id"; };
  fit();
  const which = choice(["producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate", "connection_creation_rate"]), value = h("input", { type: "number", min: 0, step: "any", required: true });
  const entity = () => clients.hidden ? { [kind.value]: name.value || null } : { user: name.value || null, "client-id": client.value || null };
  ask("Set a quota", "set-quota", [field("Of a", kind), field("Named", name, "empty: the default"), clients, field("Quota", which), field("Value", value, "bytes a second, percent, or changes a second")], () => ({ entity: entity(), values: { [which.value]: Number(value.value) } }), () => context.again());
}
export async function users(context) {
  const found = await api.get("/users", context.signal);
  const rows = found.flatMap(({ user, credentials }) => credentials.map((one) => ({ user, ...one })));
  return [head("Users", null, h("button", { class: "main", onclick: () => user(context) }, "Set a password")), note("Users that log in by SCRAM. Passwords are kept as salted hashes, and are shown to no one."), card(null, table("Users", [
    ["User", (one) => one.user, "name"], ["Mechanism", (one) => one.mechanism.replaceAll("_", "-").toUpperCase()], ["Iterations", (one) => one.iterations.toLocaleString("en"), "num"],
    ["", (one) => h("button", { class: "small danger", "aria-label": `Delete the password of ${one.user}`, onclick: () => change(`Delete the password of ${one.user}`, "delete-user", { user: one.user, mechanism: one.mechanism }, () => context.again(), one.user) }, "Delete")],
  ], rows, "No user logs in by SCRAM.", "cards"))];
}
function user(context) {
  const name = h("input", { required: true, autocomplete: "off" }), password = h("input", { type: "password", required: true, autocomplete: "new-password" }), mechanism = choice(["SCRAM-SHA-512", "SCRAM-SHA-256"]);
  ask("Set a password", "set-user", [field("User", name), field("Password", password), field("Mechanism", mechanism)], () => ({ user: name.value, password: password.value, mechanism: mechanism.value }), () => context.again());
}
