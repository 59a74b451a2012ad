import type { Mutation } from './list.ts';

/** Faults of what runs the tests. */
export const testRunMutations: Mutation[] = [
  {
    name: 'the browser is unpacked in the shared temporary folder',
    file: 'server/test/browser/browser.ts',
    find: ', TMPDIR: folder }',
    replace: ' }',
    test: 'server/test/run.long.test.ts',
  },
  {
    name: 'a run of the tests leaves its browser behind',
    file: 'server/test/run.ts',
    find: "makeFolder('zimbo-browser-')",
    replace: "mkdtempSync(join(tmpdir(), 'zimbo-browser-'))",
    test: 'server/test/run.long.test.ts',
  },
];
