import type { Fault } from './list.ts';

export const operatorFaults: Fault[] = [
  {
    name: 'operators: an operator hears of a debit before that is committed',
    file: 'server/src/payments/attend.ts',
    find: `  const sent = await parts.advance(payment, change, leaseMs);
  if (sent) await request(parts, sent);`,
    replace: `  await request(parts, { ...payment, dueAtMs, sentAtMs: nowMs });
  await parts.advance(payment, change, leaseMs);`,
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: what may have been refunded is refunded again without a question',
    file: 'server/src/refunds/attend.ts',
    find: '  if (!isFirst) {',
    replace: '  if (!isFirst && isFirst) {',
    test: 'server/test/operators/killed.test.ts',
  },
  {
    name: 'operators: basic authentication leaves the user out',
    file: 'server/src/operators/gsma/auth.ts',
    find: "basic(clientId ?? '', secret)",
    replace: "basic('', secret)",
    test: 'server/test/operators/credentials.test.ts',
  },
  {
    name: 'operators: a secret from a file keeps its line break',
    file: 'server/src/platform/config-operators.ts',
    find: "readFileSync(file, 'utf8').trim()",
    replace: "readFileSync(file, 'utf8')",
    test: 'server/test/operators/credentials.test.ts',
  },
  {
    name: 'operators: one without an account of ours is configured',
    file: 'server/src/platform/config-operators.ts',
    find: "  require('ACCOUNT',",
    replace: "  if (prefix === '') require('ACCOUNT',",
    test: 'server/test/operators/commands.test.ts',
  },
];
