import { type Random, seeded } from '../torture/random.ts';
import { between } from './chances.ts';
import { type ListFault, listFaults } from './lists.ts';
import type { ListClock } from './messages.ts';
import { scenarios } from './scenarios.ts';

/** How an operator behaves. Shares are chances, from 0 to 1. */
export interface OperatorDials {
  /** A repeated reference is known as one; else it is one more request. */
  deduplicates: boolean;
  /** A repetition is refused for the state that the first request has brought about, not as a duplicate. */
  checksStateFirst: boolean;
  /** The share of requests that wait in a queue, unknown to questions, and for how long at most. */
  queued: number;
  longestQueueMs: number;
  /** Requests that are answered just before or just after the time-out. */
  slowAnswers: number;
  slowQueries: number;
  /** Calls to which nobody opens. */
  refusedConnections: number;
  /** Requests that never arrive, and answers that never come back. */
  lostRequests: number;
  lostAnswers: number;
  /** Requests whose end is known to questions only minutes later. */
  hiddenEnds: number;
  /** Answers with the transaction itself, where that is there in time. */
  synchronous: number;
  /** Debits of another amount than was asked for. */
  wrongAmounts: number;
  /** Transactions that get an id that another has. */
  reusedIds: number;
  /** Ends in other words than "completed", such as "reversed" for what went back. */
  otherWords: number;
  /** Numbers, capitals and zeros where others write none: they can mean only one thing. */
  otherNotations: number;
  /** Amounts and currencies of which nobody can tell what was moved. */
  unreadable: number;
  /** Ids with control characters, or with letters of another alphabet. */
  strangeIds: number;
  /** Returns that are taken for an earlier one: they are told as that, and nothing goes back. */
  repeatedReturns: number;
  /** Returns under the id of their debit, of another debit, or of another return. */
  borrowedIds: number;
  /** Answers to questions that are about another request. */
  strayAnswers: number;
  /** Requests that have failed, and succeed later; a callback tells that. */
  revived: number;
  /** Walks through the list of transactions that go wrong, and how. */
  wrongLists: number;
  listFaults: readonly ListFault[];
  listClock: ListClock;
  /** Callbacks that come after more junk than is kept of one request. */
  afterJunk: number;
  callbacks: CallbackDials;
}

export interface CallbackDials {
  /** Requests whose end is told by callback at all. */
  share: number;
  late: number;
  twice: number;
  /** With a fee on top of the amount. */
  otherAmount: number;
  /** A failure where there was a success, and the other way round. */
  contradictory: number;
}

export interface GatewayDials {
  skewMs: number;
  operatorTimeoutMs: number;
  maxCalls: number;
}

/**
 * How far apart instants are. What falls on one instant comes in any order, and goes to the database together:
 * the further apart, the more meets, and the faster is a seed.
 */
const ticksMs = [1, 20, 100, 250, 500, 500, 1_000, 1_000] as const;

export interface Dials {
  tickMs: number;
  gateways: GatewayDials[];
  operators: Record<'CVMOVEL' | 'UNITEL_TMAIS', OperatorDials>;
  /** The chance of each step to be held up, and for how long at most. */
  frozenSteps: number;
  longestFreezeMs: number;
  /** Only steps of such a name are held up. */
  frozenLabel?: string;
  /** How often what befalls the world. */
  frozenGateways: number;
  kills: number;
  setBacks: number;
  forgedCallbacks: number;
  /** Forged for payments, refunds and reversals in this state only. */
  forgedFor?: string;
  /** Payments come within this time. */
  rushMs: number;
  /** How many of them at once. */
  burst: number;
  cancelled: number;
  refunded: number;
  /** Customers who confirm late, decline, have not enough, or never answer. */
  lateCustomers: number;
  unwillingCustomers: number;
  settlements: number;
  failedSettlements: number;
  /** After how long without a definite word a payment is listed for a person. */
  reviewAfterMs: number;
  /** Findings that a person mistypes. */
  slips: number;
  /** Refunds that were lost with a database that was set back, and that merchants ask for again. */
  repeatedRefunds: number;
  /** Payments of test mode. */
  test: number;
}

/** Dials of the seed that can be left out, to see which of them breaks something: `--without NAME`. */
export const optional = [
  'otherWords',
  'otherNotations',
  'unreadable',
  'strangeIds',
  'repeatedReturns',
  'borrowedIds',
  'strayAnswers',
  'revived',
  'wrongLists',
  'listClock',
  'afterJunk',
  'repeatedRefunds',
] as const;
export type OptionalDial = (typeof optional)[number];

export interface Chosen {
  seed: number;
  payments: number;
  /** A scenario, in place of dials of the seed. */
  only?: string | undefined;
  /** Dials of {@link optional} that do nothing. */
  without?: readonly OptionalDial[] | undefined;
}

export function dialsOf({ seed, payments, only, without = [] }: Chosen): Dials {
  const random = seeded(seed, 1);
  if (only !== undefined) return scenarios[only]!(random);
  // More payments at once need more calls at once, and more strangers to meet one.
  const crowd = Math.max(1, Math.round(payments / 200));
  // Chances of their own: what is left out changes nothing else.
  const manners = seeded(seed, 5);
  const skews = [0, 0, 5_000, -5_000, 15_000, -15_000];
  const gateways = Array.from({ length: between(random, 1, 3) }, (_, index) => ({
    // One whose clock is off by minutes takes no work, so there is another.
    skewMs: random.pick(index === 0 ? skews : [...skews, 300_000, -300_000]),
    operatorTimeoutMs: random.pick([10_000, 10_000, 5_000, 20_000]),
    maxCalls: random.pick([2, 4, 16, 64]) * crowd,
  }));
  const some = (share: number) => (random.chance(0.5) ? random.pick([share / 4, share]) : 0);
  const times = (most: number) => (random.chance(0.5) ? between(random, 1, most) : 0);
  return {
    tickMs: seeded(seed, 6).pick(ticksMs),
    gateways,
    operators: {
      CVMOVEL: { ...operatorDials(random), ...mannersOf(manners, without) },
      UNITEL_TMAIS: { ...operatorDials(random), ...mannersOf(manners, without) },
    },
    frozenSteps: some(0.01),
    longestFreezeMs: 90_000,
    frozenGateways: times(3),
    kills: times(3),
    setBacks: random.chance(0.3) ? between(random, 1, 2) : 0,
    forgedCallbacks: times(30) * crowd,
    rushMs: random.pick([60_000, 180_000]),
    burst: random.pick([1, 5, 20]),
    cancelled: random.pick([0.05, 0.3]),
    refunded: random.pick([0.1, 0.5]),
    lateCustomers: random.pick([0.05, 0.3]),
    unwillingCustomers: 0.1,
    settlements: random.pick([3, 12]),
    failedSettlements: random.pick([0.1, 0.5]),
    reviewAfterMs: random.pick([120_000, 300_000]),
    slips: some(0.3),
    repeatedRefunds: without.includes('repeatedRefunds') ? 0 : 0.7,
    test: 0.1,
  };
}

type MannerDials = Pick<OperatorDials, Exclude<OptionalDial, 'repeatedRefunds'> | 'listFaults'>;

/** How an operator writes and answers, and what it does twice. */
function mannersOf(random: Random, without: readonly OptionalDial[]): MannerDials {
  const some = (name: OptionalDial, share: number) => {
    const chosen = random.chance(0.3) ? random.pick([share / 4, share]) : 0;
    return without.includes(name) ? 0 : chosen;
  };
  const clock = random.pick(['right', 'right', 'behind', 'ahead', 'without a zone'] as const);
  return {
    otherWords: some('otherWords', 0.4),
    otherNotations: some('otherNotations', 0.4),
    unreadable: some('unreadable', 0.04),
    strangeIds: some('strangeIds', 0.04),
    repeatedReturns: some('repeatedReturns', 0.2),
    borrowedIds: some('borrowedIds', 0.1),
    strayAnswers: some('strayAnswers', 0.1),
    revived: some('revived', 0.2),
    wrongLists: some('wrongLists', 1),
    listFaults,
    listClock: without.includes('listClock') ? 'right' : clock,
    afterJunk: some('afterJunk', 0.04),
  };
}

function operatorDials(random: Random): Omit<OperatorDials, keyof MannerDials> {
  const some = (share: number) => (random.chance(0.4) ? random.pick([share / 4, share]) : 0);
  return {
    deduplicates: random.chance(0.5),
    checksStateFirst: random.chance(0.3),
    queued: some(0.3),
    longestQueueMs: random.pick([15_000, 60_000]),
    slowAnswers: some(0.5),
    slowQueries: some(0.3),
    refusedConnections: some(0.2),
    lostRequests: some(0.2),
    lostAnswers: some(0.2),
    hiddenEnds: some(0.05),
    synchronous: random.pick([0, 0.3, 1]),
    wrongAmounts: some(0.04),
    reusedIds: some(0.04),
    callbacks: {
      share: random.pick([0, 0.5, 1]),
      late: some(0.3),
      twice: some(0.5),
      otherAmount: some(0.1),
      contradictory: some(0.1),
    },
  };
}
