import type { Mutation } from './list.ts';

const test = 'server/src/payments/export.test.ts';
const file = 'server/src/payments/export.ts';

/** Faults of exports. */
export const exportMutations: Mutation[] = [
  {
    name: 'exports: phones are shown to whoever may not read them',
    file: 'server/src/payments/export-rows.ts',
    find: 'const operatorPhone = order.showPhones',
    replace: 'const operatorPhone = !order.showPhones',
    test,
  },
  {
    name: 'exports: instants are those of Greenwich',
    file: 'server/src/payments/export-rows.ts',
    find: 'return atMs + offsetMs;',
    replace: 'return atMs;',
    test,
  },
  {
    name: 'exports: the audit log knows nothing of one',
    file,
    find: "action: 'payments.exported',",
    replace: "action: 'audit.exported',",
    test,
  },
  {
    name: 'exports: as many run as anybody likes',
    file: 'server/src/payments/export-store.ts',
    find: 'export const mostRunning = 2;',
    replace: 'export const mostRunning = 99;',
    test,
  },
  {
    name: 'exports: a page begins with the last payment of the one before',
    file: 'server/src/payments/export-store.ts',
    find: "asked.where('id > ?', page.afterId);",
    replace: "asked.where('id >= ?', page.afterId);",
    test,
  },
  {
    name: 'exports: a reader who goes is a success',
    file,
    find: ": 'CANCELLED';",
    replace: ": 'SUCCEEDED';",
    test,
  },
  {
    name: 'exports: a reader who takes nothing keeps its place',
    file,
    find: 'setTimeout(() => stalled.abort(), stallMs)',
    replace: 'setTimeout(() => {}, stallMs)',
    test,
    only: 'a reader who takes nothing',
  },
];
