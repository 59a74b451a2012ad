/**
 * Several test files in one process. Each file alone would load the whole gateway and warm it up for itself: two seconds of
 * a processor, which is more than most of them then need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Enough to share the start, and few enough that no lane is still busy when all others have ended. */
const filesPerLane = 16;

const urlOf = (path: string) => JSON.stringify(pathToFileURL(path));

/** A browser takes its time with any page. */
export const isLong = (path: string) => /[\\/]browser[\\/]|\.long\.test\.ts$/.test(path);

/** A test that began while its file is still being loaded would lack what stands below it. */
const start = `import { after, before } from 'node:test';
import { dropKept } from ${urlOf(join(import.meta.dirname, 'support', 'kept-databases.ts'))};
const { promise, resolve: loaded } = Promise.withResolvers();
before(() => promise);
after(dropKept);
`;

/** Hooks of a file would be those of its whole lane, and statements of a gateway that others share would be counted. */
const ownProcess =
  /^(before|after|beforeEach|afterEach)\(|\bcountStatements\(|\bpg\.(Client|Pool)\.prototype\b|\bmock\.timers\b/m;

/** A long file would hold up its lane. */
const runsAlone = (path: string) => isLong(path) || ownProcess.test(readFileSync(path, 'utf8'));

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
    const imports = lane.map((file) => `await import(${urlOf(file)});\n`);
    writeFileSync(path, [start, ...imports, 'loaded();\n'].join(''));
    return path;
  });
}
