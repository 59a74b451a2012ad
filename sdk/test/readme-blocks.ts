import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The blocks of a language in the README of a library. */
export function readmeBlocks(library: 'python' | 'php' | 'go'): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', library, 'README.md'), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, language]) => language === library)
    .map(([, , block]) => block!);
}
