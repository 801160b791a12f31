// Every change goes through one dialogue: the command line and the difference, then yes or no.
import { h, replace, note, announce } from "./dom.js";
import { api } from "./api.js";
import { about } from "./main.js";

export function dialogue(title, ...content) {
  const box = h("dialog", { "aria-label": title }, h("div", { class: "stack" }, h("h2", {}, title), content));
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  box.showModal();
  return box;
}
// Asks for values, then shows the change: `fields` is a form, `body` reads it, which may decide `kind` too.
// `target` is the API of the cluster that is changed, where that is another one.
export function ask(title, kind, fields, body, done, button = "Show the change", target = () => api) {
  const problem = h("div", {}), show = h("button", { class: "main", type: "submit" }, button);
  const box = dialogue(title, h("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    replace(problem);
    const end = busy(show, problem, ASKED);
    try {
      const given = body();
      const at = target(), which = typeof kind === "function" ? kind() : kind, plan = await at.post(`/changes/${which}/plan`, given);
      if (!box.isConnected) return;
      box.close();
      confirm(dialogue(title), title, which, given, plan, done, null, at);
    } catch (error) { end(); replace(problem, refusal(error)); }
  } }, h("div", { class: "form" }, fields), problem,
  h("div", { class: "bar" }, show, h("button", { type: "button", onclick: () => box.close() }, "Cancel"))));
}
export async function change(title, kind, given, done, retype, at = api) {
  const place = h("div", {}, note(ASKED));
  const box = dialogue(title, place, h("div", { class: "bar" }, h("button", { onclick: () => box.close() }, "Cancel")));
  try {
    const plan = await at.post(`/changes/${kind}/plan`, given);
    if (box.isConnected) confirm(box, title, kind, given, plan, done, retype, at);
  } catch (error) { replace(place, refusal(error)); }
}
// The cluster is already as the change would make it: that is no failure.
const NOTHING_TO_DO = 40901;
const refusal = (error) => note(error.message, error.code === NOTHING_TO_DO ? "good" : "bad");
const ASKED = "The cluster is asked what this would change…";
const UNKNOWN = "No answer came, so the change may have been made. Pressing again does not make it twice, unless the console has been started anew.";
// A button that waits cannot be pressed again, and the place beside it says for what it waits.
function busy(button, place, words) {
  button.disabled = true;
  const slow = setTimeout(() => replace(place, note(words)), 300);
  return () => { clearTimeout(slow); replace(place); button.disabled = false; };
}
function confirm(box, title, kind, given, plan, done, retype, at) {
  const isClosed = at === api && Boolean(about?.is_read_only);
  const problem = h("div", {}), once = `${Date.now()}-${Math.random()}`;
  const typed = retype && h("input", { autocomplete: "off", oninput: () => { run.disabled = typed.value !== retype || isClosed; } });
  const run = h("button", { class: `main ${plan.warning ? "danger" : ""}`, disabled: Boolean(retype) || isClosed, onclick: async () => {
    const end = busy(run, problem, "The change is being made. Closing this does not stop it: the page Changes will have it.");
    try {
      const result = await at.post(`/changes/${kind}`, { ...given, expected: plan.differences, once });
      end();
      announce(`${title}: done`);
      if (box.isConnected) finished(box, title, plan, result, done, at);
    } catch (error) { end(); replace(problem, note(error.status ? error.message : `${error.message} ${UNKNOWN}`, "bad")); }
  } }, "Do it");
  replace(box.firstChild, h("h2", {}, title), differences(plan.differences), h("div", {}, h("p", { class: "quiet small" }, "The same on a command line:"), command(plan.command)),
    plan.warning && note(plan.warning, "warn"), isClosed && note("This console is read-only: copy the command, and run it in a shell."),
    retype && h("label", { class: "field" }, `Type ${retype} to confirm`, typed), problem,
    h("div", { class: "bar" }, run, h("button", { onclick: () => box.close() }, "Cancel")));
  // Not the button that does it: the key that asked for this may be pressed twice.
  if (typed) typed.focus(); else { box.tabIndex = -1; box.focus(); }
}
function finished(box, title, plan, result, done, at) {
  const close = () => { box.close(); done?.(result); };
  const undo = plan.undo && h("button", { onclick: () => { box.close(); change(`Undo: ${title}`, plan.undo[0], plan.undo[1], done, null, at); } }, "Undo");
  replace(box.firstChild, h("h2", {}, title), note("Done.", "good"), result.result && h("p", {}, Object.entries(result.result).map(([name, value]) => `${name} ${value}`).join(", ")),
    command(plan.command), h("div", { class: "bar" }, h("button", { class: "main", onclick: close }, "Close"), undo));
  box.addEventListener("cancel", () => done?.(result));
  box.querySelector("button.main").focus();
}
export function command(text) {
  const copy = h("button", { class: "small", type: "button", onclick: async () => { try { await navigator.clipboard.writeText(text); copy.textContent = "Copied"; } catch { copy.textContent = "Select it and copy"; } } }, "Copy");
  return h("div", {}, h("pre", { class: "command" }, text), h("p", { class: "bar" }, copy));
}
function differences(lines) {
  return h("div", { class: "scroll" }, h("table", { class: "diff" }, h("thead", {}, h("tr", {}, ["", "Before", "After"].map((title) => h("th", { scope: "col" }, title || h("span", { class: "unseen" }, "What"))))),
    h("tbody", {}, lines.map(([what, before, after]) => h("tr", {}, h("td", {}, what), h("td", { class: "minus" }, before ?? "–"), h("td", { class: "plus" }, after ?? "–"))))));
}
