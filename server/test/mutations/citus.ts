import type { Mutation } from './list.ts';

/** Faults of cells on Citus that show without one. */
export const citusMutations: readonly Mutation[] = [
  {
    name: 'citus: a migration is cut at the semicolons in the body of a function',
    file: 'server/src/postgres/sql-statements.ts',
    find: String.raw`|\$(\w*)\$[\s\S]*?\$\1\$|`,
    replace: '|',
    test: 'server/src/postgres/sql-statements.test.ts',
  },
  {
    name: 'citus: the plan setting of a cell is overridden by that of the gateway',
    file: 'server/src/postgres/url-options.ts',
    find: '`${defaults} ${own}`',
    replace: '`${own} ${defaults}`',
    test: 'server/src/postgres/url-options.test.ts',
  },
];
