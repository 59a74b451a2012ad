import { test } from 'node:test';
import { tortureOperators } from './torture.ts';

const options = { payments: 200, disturbed: 0.3, kills: 2, seed: 5, watchSeconds: 36 };

test(
  'leaves nothing stuck and debits nothing twice, with an unreliable operator and kills of both sides',
  { timeout: 480_000 },
  (context) => tortureOperators({ ...options, tell: (line) => context.diagnostic(line) }),
);
