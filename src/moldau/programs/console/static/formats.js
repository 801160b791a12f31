// What decodes keys and values: as they are, or by formats that users have written in Python.
import { choice } from "./dom.js";

const AS_IT_IS = [["", "as usual"], ["text", "text"], ["hex", "hex"]];
// Those that both decode and encode.
const PLAIN = ["int32", "int64", "uint32", "uint64", "uuid", "base64"].map((name) => [name, name]);
export const FORMAT_NAMES = ["key_format", "value_format"];
const offered = (context, part) => (context.about?.formats ?? []).filter(({ parts }) => parts.includes(part));
// Two boxes, and what they say as parameters of an address.
export function formatChoices(context, given, attributes = {}) {
  const boxes = ["key", "value"].map((part) => choice([...AS_IT_IS, ...PLAIN, ...offered(context, part).map(({ name }) => [name, name])].map(([name, text]) => [name, `${part}s ${name ? "as " : ""}${text}`]), given[`${part}_format`] ?? "", { "aria-label": `What decodes ${part}s`, ...attributes }));
  return { boxes, get: () => Object.fromEntries(FORMAT_NAMES.map((name, at) => [name, boxes[at].value]).filter(([, value]) => value)) };
}
export const hasFormats = (context) => (context.about?.formats ?? []).length > 0;
// Those by which a key or a value can be sent.
export const encoding = (context, part) => [...PLAIN, ...offered(context, part).filter(({ encodes }) => encodes).map(({ name }) => [name, `by ${name}`])];
export const chosenFormats = (given) => Object.fromEntries(FORMAT_NAMES.filter((name) => given[name]).map((name) => [name, given[name]]));
