/**
 * Puts JSON that is stored as text in the place of what stands for it in other JSON: reading it into objects
 * only to write them again can take a hundred milliseconds, in which nobody else is answered. A name with
 * its quotes cannot be part of anybody's text, where quotes are escaped.
 * @param json null: it stays as it is
 */
export function putJson(
  text: string,
  name: string,
  placeholder: string,
  json: string | null,
): string {
  return json === null ? text : splitJson(text, name, placeholder, json).join('');
}

/** The same in pieces, for what is so large that a copy of it counts. */
export function splitJson(
  text: string,
  name: string,
  placeholder: string,
  json: string,
): [before: string, json: string, after: string] {
  const key = `"${name}":`;
  const at = text.indexOf(key + placeholder) + key.length;
  return [text.slice(0, at), json, text.slice(at + placeholder.length)];
}
