/**
 * Several test files in one process. Each file alone would load the whole gateway and warm it up for itself: two seconds of
 * a processor, which is more than most of them then need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Enough to share the start, and few enough that no lane is still busy when all others have ended. */
const filesPerLane = 8;

/** A browser takes its time with any page. */
export const isLong = (path: string) => /[\\/]browser[\\/]|\.long\.test\.ts$/.test(path);

/** A test that began while its file is still being loaded would lack what stands below it. */
const wait = `import { before } from 'node:test';
const { promise, resolve: loaded } = Promise.withResolvers();
before(() => promise);
`;

/** Hooks of a file would be those of its whole lane; what is long would hold up its lane. */
const runsAlone = (path: string) =>
  isLong(path) || /^(before|after|beforeEach|afterEach)\(/m.test(readFileSync(path, 'utf8'));

/**
 * What `node --test` runs instead of these files.
 * @param folder a private one of the caller's, for the lanes to be written in
 */
export function lanesOf(files: readonly string[], folder: string): string[] {
  const shared = files.filter((file) => !runsAlone(file));
  const lanes = files.filter(runsAlone).map((file) => [file]);
  for (let first = 0; first < shared.length; first += filesPerLane) {
    lanes.push(shared.slice(first, first + filesPerLane));
  }
  return lanes.map((lane, index) => {
    // Node sorts them by name.
    const path = join(folder, `lane-${String(index).padStart(3, '0')}.test.mjs`);
    const imports = lane.map((file) => `await import(${JSON.stringify(pathToFileURL(file))});\n`);
    writeFileSync(path, [wait, ...imports, 'loaded();\n'].join(''));
    return path;
  });
}
