import { test } from 'node:test';
import { torture } from './torture.ts';

/** Its four rounds hold every kind of strike but the long ones; `npm run torture` has those too. */
const seed = 4265;

test('gateways and PostgreSQL are killed, frozen and cut off under load: every promise is kept', (context) =>
  torture({ rounds: 4, seed, restEvery: 4, tell: (line) => context.diagnostic(line) }).then(
    () => {},
  ));
