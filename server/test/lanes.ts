/**
 * Runs several test files in one process. Alone, each file would load and warm up the whole
 * gateway: two seconds of CPU, more than most of them then need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Enough files to share the start, few enough that all lanes end at about the same time. */
const filesPerLane = 16;

const urlOf = (path: string) => JSON.stringify(pathToFileURL(path));

/** One command runs each: `npm test`, `npm run test:pages`, `npm run test:long`, `npm run test:faults`. */
export type Suite = 'quick' | 'pages' | 'long' | 'faults';

/** What people use: customers' pages, the console, and the API and the work of staff. */
const isOfPages =
  /[\\/](backoffice|browser)[\\/]|[\\/](admin-|approvals|console-|payment-page|payment-links|who-may)[^\\/]*$/;
const isLong =
  /\.long\.test\.ts$|server[\\/]test[\\/](cells|costs|operators|wallet)[\\/]|(^|[\\/])bench[\\/]/;
/** Of the long ones: processes and machines die, and data comes back from backups. */
const isOfFaults =
  /[\\/](failover|operator-torture|processes|simulation|torture|upgrade)[\\/]|[\\/](backup|outage|restart|restore)[^\\/]*$|[\\/]backup[\\/]/;

/** @param path of a test file, in the repository */
export function suiteOf(path: string): Suite {
  if (isOfPages.test(path)) return 'pages';
  if (!isLong.test(path)) return 'quick';
  return isOfFaults.test(path) ? 'faults' : 'long';
}

/**
 * A test that started while its file is still loading would lack the definitions below it. A file that cannot be loaded
 * fails under its name, and the others run.
 */
const start = `import { after, before, test } from 'node:test';
import { dropKept } from ${urlOf(join(import.meta.dirname, 'support', 'kept-databases.ts'))};
const { promise, resolve: loaded } = Promise.withResolvers();
before(() => promise);
after(dropKept);
const load = (url) =>
  import(url).catch((error) => void test('loads ' + url, () => { throw error; }));
`;

/**
 * Hooks of a file would apply to its whole lane, statement counts would include a shared gateway's, and mocked timers and
 * functions would mix with the work that an earlier file left running.
 */
const ownProcess =
  /^(before|after|beforeEach|afterEach)\(|\bcountStatements\(|\bpg\.(Client|Pool)\.prototype\b|\btimers\.enable\(|\bmock\.method\(/m;

/** A long file would hold up its lane. */
const mayShare = (path: string) =>
  !/[\\/]browser[\\/]|\.long\.test\.ts$/.test(path) && !ownProcess.test(readFileSync(path, 'utf8'));

/**
 * The files for `node --test` to run instead of these. @param folder a private folder of the
 * caller, where the lanes are written
 */
export function lanesOf(files: readonly string[], folder: string): string[] {
  const shared = files.filter(mayShare);
  const lanes = files.filter((file) => !mayShare(file)).map((file) => [file]);
  const laneCount = Math.ceil(shared.length / filesPerLane);
  // Neighbours in a folder take about as long, so deal them out like cards.
  for (let first = 0; first < laneCount; first += 1) {
    lanes.push(shared.filter((_, index) => index % laneCount === first));
  }
  return lanes.map((lane, index) => {
    // Node sorts them by name.
    const path = join(folder, `lane-${String(index).padStart(3, '0')}.test.mjs`);
    const imports = lane.map((file) => `await load(${urlOf(file)});\n`);
    writeFileSync(path, [start, ...imports, 'loaded();\n'].join(''));
    return path;
  });
}
