export function examples(...lines: string[]): string {
  const [first] = lines;
  const heading = lines.length === 1 ? 'Example' : 'Examples';
  return first === undefined
    ? ''
    : `\n${heading}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
