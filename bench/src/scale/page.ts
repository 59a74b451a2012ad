/** A generated part of a page, between two comments; the rest is written by hand. */
export function withTables(page: string, tables: Record<string, string>): string {
  let filled = page;
  for (const [name, table] of Object.entries(tables)) {
    const place = placeOf(name);
    if (!place.test(filled)) throw new Error(`The page has no place for "${name}".`);
    filled = filled.replace(place, (_, begin, end) => `${begin}\n${table}\n${end}`);
  }
  return filled;
}

const placeOf = (name: string) => new RegExp(`(<!-- scale ${name} -->)[^]*?(<!-- end -->)`);
