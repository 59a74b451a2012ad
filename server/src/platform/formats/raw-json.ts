/**
 * Replaces placeholders in JSON by other JSON that is stored as text: parsing and serializing it can block the event
 * loop for a hundred milliseconds. A quoted name cannot occur inside a string, where quotes are escaped. @param json
 * null: the placeholder stays
 */
export function putJson(
  text: string,
  name: string,
  placeholder: string,
  json: string | null,
): string {
  return json === null ? text : splitJson(text, name, placeholder, json).join('');
}

/** The same in pieces, for JSON too large to copy. */
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
