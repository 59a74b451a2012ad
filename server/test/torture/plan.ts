import type { Random } from './random.ts';

export type Role = 'all' | 'api' | 'worker';

/** A fault of a round. Gateways are numbered from 0. */
export type Strike = { afterAnswers: number } & (
  | { kind: 'kill a gateway'; gateway: number; nextRole: Role }
  | { kind: 'freeze a gateway'; gateway: number; forMs: number }
  | { kind: 'kill PostgreSQL' }
  | { kind: 'freeze sessions of PostgreSQL'; share: number; forMs: number }
  | { kind: 'terminate sessions of PostgreSQL'; share: number }
  | { kind: 'cut the line'; gateway: number }
  | { kind: 'stall the line'; gateway: number; forMs: number }
  | { kind: 'lose answers'; gateway: number }
);

export interface Plan {
  /** How many requests each client makes. */
  requests: number;
  strikes: Strike[];
}

export const gatewayCount = 2;

/** The first gateway always takes requests; the second may be a worker only, or complete. */
const roles: readonly (readonly Role[])[] = [
  ['all', 'api'],
  ['all', 'worker'],
];

export const roleOf = (gateway: number, random: Random): Role => random.pick(roles[gateway]!);

/** Some last longer than every lease (with an operator timeout of 1 s: payments 6 s; deliveries 9 s). */
const freezesMs = [300, 1_500, 7_000, 10_500];
/** Some last longer than the statement timeout (5 s) and the client's timeout (6 s). */
const stallsMs = [200, 1_500, 6_500];
const shares = [0.1, 0.5, 1];

export function planRound(random: Random): Plan {
  const count = random.weighted([
    [5, 1],
    [4, 2],
    [2, 3],
  ]);
  const strikes = Array.from({ length: count }, () => planStrike(random));
  strikes.sort((a, b) => a.afterAnswers - b.afterAnswers);
  return { requests: 15 + random.below(20), strikes };
}

function planStrike(random: Random): Strike {
  const gateway = random.below(gatewayCount);
  const share = random.pick(shares);
  const strike: Strike = {
    afterAnswers: 20 + random.below(160),
    ...random.weighted<DistributiveOmit<Strike, 'afterAnswers'>>([
      [5, { kind: 'kill a gateway', gateway, nextRole: roleOf(gateway, random) }],
      [3, { kind: 'freeze a gateway', gateway, forMs: random.pick(freezesMs) }],
      [3, { kind: 'kill PostgreSQL' }],
      [2, { kind: 'freeze sessions of PostgreSQL', share, forMs: random.pick(stallsMs) }],
      [2, { kind: 'terminate sessions of PostgreSQL', share }],
      [1, { kind: 'cut the line', gateway }],
      [1, { kind: 'stall the line', gateway, forMs: random.pick(stallsMs) }],
      [4, { kind: 'lose answers', gateway }],
    ]),
  };
  return strike;
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** Describes a fault in words. */
export function wordsOf(strike: Strike): string {
  switch (strike.kind) {
    case 'kill a gateway':
      return `kill gateway ${strike.gateway}, back as ${strike.nextRole}`;
    case 'freeze a gateway':
      return `freeze gateway ${strike.gateway} for ${strike.forMs} ms`;
    case 'kill PostgreSQL':
      return 'kill PostgreSQL';
    case 'freeze sessions of PostgreSQL':
      return `freeze ${strike.share * 100} % of the sessions for ${strike.forMs} ms`;
    case 'terminate sessions of PostgreSQL':
      return `terminate ${strike.share * 100} % of the sessions`;
    case 'cut the line':
      return `cut the line of gateway ${strike.gateway}`;
    case 'stall the line':
      return `stall the line of gateway ${strike.gateway} for ${strike.forMs} ms`;
    case 'lose answers':
      return `lose the answers to gateway ${strike.gateway}`;
  }
}
