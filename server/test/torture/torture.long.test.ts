import { test } from 'node:test';
import { torture } from './torture.ts';

/** Its four rounds hold every kind of strike but the long ones; `npm run torture` has those too. */
const seed = 4265;

/** Longer than a round waits for what has not ended, so that it says what that is. */
const timeout = 400_000;

test(
  'gateways and PostgreSQL are killed, frozen and cut off under load: every promise is kept',
  {
    timeout,
  },
  (context) =>
    torture({ rounds: 4, seed, restEvery: 4, tell: (line) => context.diagnostic(line) }).then(
      () => {},
    ),
);
