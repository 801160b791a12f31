// Requests to the console's own API; a refusal becomes an Error with the server's sentence.
import { apiRoot, apiRootOf } from "./place.js";

export const api = clusterApi(apiRoot);
export const everywhere = clusterApi("/api");
export const apiOf = (name) => clusterApi(apiRootOf(name));
function clusterApi(root) { return {
  async get(path, signal) { return answer(await reach(root + path, { signal })); },
  async post(path, body) {
    const headers = { "Content-Type": "application/json", "X-Moldau-Console": "page" };
    return answer(await reach(root + path, { method: "POST", headers, body: JSON.stringify(body) }));
  },
}; }
async function reach(path, options) {
  try { return await fetch(path, { credentials: "same-origin", ...options }); }
  catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The console cannot be reached: is it still running?");
  }
}
async function answer(response) {
  const login = response.headers.get("X-Moldau-Login");
  if (response.status === 401 && login) location.assign(toLogin(login));
  const text = await response.text();
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { /* not ours */ }
  if (!response.ok) throw Object.assign(new Error(sentence(value?.message ?? `The console answered ${response.status}`)), { status: response.status, code: value?.error_code, login });
  return value;
}
export const toLogin = (login) => `${login}?to=${encodeURIComponent(location.pathname + location.search)}`;
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const enc = encodeURIComponent;
export function query(values) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null && value !== undefined && value !== "") found.set(name, value);
  const text = found.toString();
  return text ? `?${text}` : "";
}
