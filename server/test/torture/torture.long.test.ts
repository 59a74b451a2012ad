import { test } from 'node:test';
import { torture } from './torture.ts';

/** Its four rounds have every kind of fault except the long ones, which `npm run torture` adds. */
const seed = 4265;

/** Longer than a round waits for unfinished rows, so that a failure names them. */
const timeout = 400_000;

test(
  'keeps every promise while gateways and PostgreSQL are killed, frozen and cut off under load',
  {
    timeout,
  },
  (context) =>
    torture({ rounds: 4, seed, restEvery: 4, tell: (line) => context.diagnostic(line) }).then(
      () => {},
    ),
);
