/** JSON with the keys of every object sorted: equal for two bodies that differ only in key order. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Put together without lists in between: it is made of each request with an idempotency key.
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  const keys = sorted(Object.keys(members));
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    text += `${index === 0 ? '{' : ','}${JSON.stringify(key)}:${canonicalJson(members[key])}`;
  }
  return keys.length === 0 ? '{}' : `${text}}`;
}

/** Above this length, sorting by insertion takes longer than the sort of the language. */
const fewKeys = 16;

/** Sorts as `sort()` does, which allocates more working space than the few keys of most requests need. */
function sorted(keys: string[]): string[] {
  if (keys.length > fewKeys) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let at = index;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}
