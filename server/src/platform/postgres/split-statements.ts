/** Strings, function bodies, quoted names and comments: a semicolon in them does not end a statement. */
const parts = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"[^"]*"|--[^\n]*|;|[^'$";-]+|[\s\S]/g;

/** The statements of a migration, one by one; a comment belongs to the statement after it. */
export function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(parts)) {
    statements[statements.length - 1] += part;
    if (part === ';') statements.push('');
  }
  return statements.filter((statement) => statement.replaceAll(/--[^\n]*/g, '').trim() !== '');
}
