import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'results');

/** Writes a result into bench/results; returns its path for people. */
export async function writeResult(name: string, date: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const [kind, extension] = name.split('.');
  const path = join(folder, `${kind}-${date.slice(0, 19).replaceAll(':', '-')}.${extension}`);
  await writeFile(path, text);
  return relative(process.cwd(), path);
}
