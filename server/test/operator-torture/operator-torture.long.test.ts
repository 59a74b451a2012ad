import { test } from 'node:test';
import { tortureOperators } from './torture.ts';

const options = { payments: 200, disturbed: 0.3, kills: 2, seed: 5, watchSeconds: 36 };

test(
  'an operator is unreliable, and it and the gateway are killed: nothing is stuck, nothing debited twice',
  { timeout: 300_000 },
  (context) => tortureOperators({ ...options, tell: (line) => context.diagnostic(line) }),
);
