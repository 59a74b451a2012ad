/** Strings, bodies of functions, names in quotes and remarks: what looks like an end in them is none. */
const parts = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"[^"]*"|--[^\n]*|;|[^'$";-]+|[\s\S]/g;

/** The statements of a migration, one by one; remarks stay with the one that they stand before. */
export function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(parts)) {
    statements[statements.length - 1] += part;
    if (part === ';') statements.push('');
  }
  return statements.filter((statement) => statement.replaceAll(/--[^\n]*/g, '').trim() !== '');
}
