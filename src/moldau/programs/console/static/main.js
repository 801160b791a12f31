// Finds the page by the address, shows it, and lets it end when another one is shown.
import { h, replace, note, head } from "./dom.js";
import { api, everywhere, toLogin } from "./api.js";
import { cluster as current, pages as root, pagesOf, rest, within } from "./place.js";
import { watch } from "./watch.js";
import * as cluster from "./cluster.js";
import * as clusters from "./clusters.js";
import * as topics from "./topics.js";
import * as topic from "./topic.js";
import * as groups from "./groups.js";
import * as access from "./access.js";
import * as roles from "./roles.js";
import * as pipelines from "./pipelines.js";
import * as operations from "./operations.js";
import * as map from "./map.js";
import * as search from "./search.js";
import * as schemas from "./schemas.js";

const PAGES = [
  ["", cluster.overview], ["clusters", clusters.list], ["map", map.page], ["brokers/:broker", cluster.broker],
  ["topics", topics.list], ["topics/:topic", topic.overview], ["topics/:topic/:tab", topic.tab],
  ["groups", groups.list], ["groups/:group", groups.one],
  ["schemas", schemas.list], ["schemas/:subject", schemas.one],
  ["acls", access.acls], ["quotas", access.quotas], ["users", access.users], ["roles", roles.list],
  ["search", search.page], ["pipelines", pipelines.list], ["transactions", operations.transactions], ["reassignments", operations.moving], ["changes", operations.changes],
];
const NAV = [
  ["/ui", "Cluster"], ["/ui/map", "Live map"], ["/ui/topics", "Topics"], ["/ui/groups", "Groups"], ["/ui/search", "Search"], ["/ui/schemas", "Schemas"], ["/ui/pipelines", "Pipelines"],
  [null, "Access"], ["/ui/acls", "Access rules"], ["/ui/roles", "Roles"], ["/ui/quotas", "Quotas"], ["/ui/users", "Users"],
  [null, "Operations"], ["/ui/transactions", "Transactions"], ["/ui/reassignments", "Reassignments"], ["/ui/changes", "Changes"],
];
let ending = null;
export let about = null;
// Fulfilled when `about` is known, or why it is not; the data of pages is asked for meanwhile.
let ready = null;

function find(address) {
  const names = (rest(address) ?? "").split("/").filter(Boolean);
  for (const [pattern, page] of PAGES) {
    const words = pattern.split("/").filter(Boolean);
    if (words.length !== names.length) continue;
    const given = {};
    if (words.every((word, at) => word.startsWith(":") ? (given[word.slice(1)] = decodeURIComponent(names[at])) !== undefined : word === names[at])) return [page, given];
  }
  return [null, {}];
}
function nameOf(address) {
  const at = NAV.find(([to]) => to && to !== "/ui" && address.startsWith(within(to)));
  return at ? at[1] : "Cluster";
}
async function show(moved) {
  ending?.abort();
  ending = new AbortController();
  const here = ending;
  const main = document.getElementById("main");
  main.setAttribute("aria-busy", "true");
  mark();
  const context = {
    signal: here.signal, get about() { return about; }, ready, query: new URLSearchParams(location.search), go, again: () => show(false),
    every(ms, call) { const timer = setInterval(() => { if (!document.hidden) call(); }, ms); here.signal.addEventListener("abort", () => clearInterval(timer)); },
    end(call) { here.signal.addEventListener("abort", call); },
  };
  let shown;
  const slow = moved || !main.querySelector(".stack") ? patience() : null;
  try {
    const [page, given] = find(location.pathname);
    shown = page ? await page(context, given) : [head("No such page"), note("This address leads nowhere. Choose one from the menu.")];
  } catch (error) {
    if (here.signal.aborted) return;
    shown = error.status === 403 ? [head(nameOf(location.pathname)), note(error.message, "warn")]
      : [head("This page could not be shown"), note(error.message, "bad"), h("p", {}, h("button", { onclick: () => show(false) }, "Try again"))];
  } finally { clearTimeout(slow); }
  if (here.signal.aborted) return;
  replace(main, h("div", { class: "stack" }, shown));
  main.removeAttribute("aria-busy");
  if (moved) { main.focus({ preventScroll: true }); scrollTo(0, 0); }
}
export function go(to, replaces = false) {
  history[replaces ? "replaceState" : "pushState"](null, "", within(to));
  show(!replaces);
}
function mark() {
  const address = location.pathname.replace(/\/$/, "");
  for (const one of document.querySelectorAll("#nav a")) {
    const to = one.getAttribute("href");
    const is = to === root ? address === root || address.startsWith(`${root}/brokers`) : address === to || address.startsWith(`${to}/`);
    is ? one.setAttribute("aria-current", "page") : one.removeAttribute("aria-current");
  }
  close();
}
function close() {
  document.getElementById("nav").classList.remove("open");
  document.getElementById("menu").setAttribute("aria-expanded", "false");
}
document.addEventListener("click", (event) => {
  const anchor = event.target.closest("a");
  if (!anchor || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const to = new URL(anchor.href, location.href);
  if (to.origin !== location.origin || rest(to.pathname) === null || anchor.hasAttribute("download")) return;
  event.preventDefault();
  go(to.pathname + to.search);
});
addEventListener("popstate", () => show(true));
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/input|textarea|select/i.test(event.target.tagName)) {
    const box = document.querySelector("main input[type=search]");
    if (box) { event.preventDefault(); box.focus(); }
  }
});
document.getElementById("menu").addEventListener("click", () => {
  const open = document.getElementById("nav").classList.toggle("open");
  document.getElementById("menu").setAttribute("aria-expanded", String(open));
});
const theme = document.getElementById("theme");
function paint(name) {
  document.documentElement.dataset.theme = name;
  theme.textContent = name === "dark" ? "☀" : "☾";
}
let kept = null;
try { kept = localStorage.getItem("theme"); } catch { /* a browser without storage */ }
paint(kept ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
theme.addEventListener("click", () => {
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  paint(name);
  try { localStorage.setItem("theme", name); } catch { /* as above */ }
});
export function menu(more) {
  replace(document.getElementById("nav"), [...NAV, ...more].map(([to, text]) => to ? h("a", { href: within(to) }, text) : h("p", {}, text)));
  mark();
}
menu([]);
// A cluster that is gone is asked for as long as clients ask: the page must not be empty meanwhile.
function patience() { return setTimeout(() => replace(document.getElementById("main"), note("The cluster has not answered yet. It is still being asked.", "warn")), 2000); }
// The others too where this one does not answer.
async function switcher() {
  const all = await everywhere.get("/clusters").catch(() => []);
  if (!current || !all.length) return;
  menu([[null, "Console"], ["/ui/clusters", "All clusters"]]);
  const box = document.getElementById("cluster");
  replace(box, all.map((one) => h("option", { value: one.name, selected: one.name === current }, one.is_read_only ? `${one.name} (read-only)` : one.name)));
  box.hidden = false;
  box.addEventListener("change", () => location.assign(`${pagesOf(box.value)}/${section()}`));
}
// A list of things is there in each cluster, and a single thing may not be.
const section = () => (rest(location.pathname) ?? "").split("/")[0].replace("brokers", "");
function begin() {
  switcher();
  ready = load();
  watch(() => api.get("/map"), gone, () => document.hidden);
  show(false);
}
async function load() {
  const where = document.getElementById("where");
  try {
    about = await api.get("");
    where.textContent = [about.servers, about.user && `as ${about.user}`, about.is_read_only && "read-only"].filter(Boolean).join(" · ");
    if (about.can_log_out) where.append(" ", h("button", { class: "small", type: "button", onclick: logOut }, "Log out"));
  } catch (error) {
    where.textContent = error.login ? "" : error.message;
    if (error.login) where.append(h("button", { class: "small", type: "button", onclick: () => location.assign(toLogin(error.login)) }, "Log in again"));
  }
}
function gone(text) {
  const place = document.getElementById("gone");
  if (place.textContent !== text) place.textContent = text;
}
async function logOut() {
  await everywhere.post("/logout", {});
  location.assign("/ui");
}
begin();
