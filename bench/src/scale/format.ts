/** With significant digits only: at most three. */
export function told(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  const rounded = value >= 1_000 ? Number(value.toPrecision(3)) : value;
  return rounded.toLocaleString('en', { maximumFractionDigits: digits });
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

export function bytesTold(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  return `${told(bytes / 1_000 ** power)} ${units[power]}`;
}

export function hoursTold(hours: number): string {
  if (hours < 1) return `${told(hours * 60)} min`;
  return hours < 48 ? `${told(hours)} h` : `${told(hours / 24)} days`;
}

/** A Markdown table; the first row is its head. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const line = `|${rows[0]!.map(() => '---').join('|')}|`;
  return [head, line, ...body].join('\n');
}
