import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './libraries.ts';
import { versionedFiles } from './versions.ts';

/** Writes the types of the API for each library from its OpenAPI document: the second half of `npm run docs`. */
const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = Object.entries(generatedFiles(read));
for (const folder of ['Model', 'Resource']) {
  rmSync(join(root, 'sdk', 'php', 'src', folder), { recursive: true, force: true });
}
for (const [path, text] of [...files, ...Object.entries(versionedFiles(read))]) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
console.log(`${files.length} files in sdk`);
