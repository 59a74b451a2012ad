import { type Random, seeded } from '../torture/random.ts';
import { between } from './chances.ts';

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

export interface Dials {
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
  /** Payments of test mode. */
  test: number;
}

const honest: OperatorDials = {
  deduplicates: true,
  checksStateFirst: false,
  queued: 0,
  longestQueueMs: 0,
  slowAnswers: 0,
  slowQueries: 0,
  refusedConnections: 0,
  lostRequests: 0,
  lostAnswers: 0,
  hiddenEnds: 0,
  synchronous: 0.3,
  wrongAmounts: 0,
  reusedIds: 0,
  callbacks: { share: 0.8, late: 0, twice: 0, otherAmount: 0, contradictory: 0 },
};

/** One gateway with a right clock, honest operators, nobody who slips. */
const calm: Dials = {
  gateways: [{ skewMs: 0, operatorTimeoutMs: 10_000, maxCalls: 16 }],
  operators: { CVMOVEL: honest, UNITEL_TMAIS: honest },
  frozenSteps: 0,
  longestFreezeMs: 0,
  frozenGateways: 0,
  kills: 0,
  setBacks: 0,
  forgedCallbacks: 0,
  rushMs: 120_000,
  burst: 1,
  cancelled: 0.05,
  refunded: 0.1,
  lateCustomers: 0.05,
  unwillingCustomers: 0.1,
  settlements: 4,
  failedSettlements: 0,
  reviewAfterMs: 300_000,
  slips: 0,
  test: 0.1,
};

const right = { skewMs: 0, operatorTimeoutMs: 10_000, maxCalls: 16 };

/** What one fault needs and nothing else, by name: `--only NAME`. */
export const scenarios: Record<string, (random: Random) => Dials> = {
  calm: () => calm,
  'slow-refunds': () => ({
    ...calm,
    refunded: 0.8,
    operators: both({
      ...honest,
      deduplicates: false,
      slowAnswers: 0.5,
      slowQueries: 0.5,
      queued: 0.2,
      longestQueueMs: 12_000,
    }),
  }),
  'full-lanes': () => ({
    ...calm,
    gateways: [
      { ...right, maxCalls: 2 },
      { ...right, maxCalls: 2 },
    ],
    rushMs: 20_000,
    burst: 20,
    lateCustomers: 0.8,
    cancelled: 0.9,
    operators: both({
      ...honest,
      checksStateFirst: true,
      slowAnswers: 0.7,
      callbacks: { ...honest.callbacks, share: 0 },
    }),
  }),
  'fee-on-top': () => ({
    ...calm,
    operators: both({ ...honest, callbacks: { ...honest.callbacks, share: 1, otherAmount: 0.3 } }),
  }),
  forged: () => ({ ...calm, forgedCallbacks: 40 }),
  'forged-for-failed': () => ({ ...calm, forgedCallbacks: 40, forgedFor: 'FAILED' }),
  'reused-ids': () => ({ ...calm, operators: both({ ...honest, reusedIds: 0.1 }) }),
  'clocks-apart': (random) => ({
    ...calm,
    gateways: [right, { ...right, skewMs: random.pick([-15_000, 15_000]) }],
    cancelled: 0.3,
    lateCustomers: 0.3,
    operators: both({
      ...honest,
      slowAnswers: 0.3,
      queued: 0.3,
      longestQueueMs: 15_000,
      callbacks: { ...honest.callbacks, share: 0 },
    }),
  }),
  queued: () => ({
    ...calm,
    cancelled: 0.3,
    operators: both({
      ...honest,
      queued: 0.3,
      longestQueueMs: 40_000,
      callbacks: { ...honest.callbacks, share: 0 },
    }),
  }),
  'queued-states': () => ({
    ...calm,
    cancelled: 0.3,
    lateCustomers: 0.3,
    refunded: 0.5,
    operators: both({
      ...honest,
      checksStateFirst: true,
      queued: 0.4,
      longestQueueMs: 40_000,
      callbacks: { ...honest.callbacks, share: 0 },
    }),
  }),
  frozen: () => ({
    ...calm,
    gateways: [right, right],
    refunded: 0.5,
    cancelled: 0.3,
    lateCustomers: 0.3,
    frozenSteps: 0.03,
    longestFreezeMs: 60_000,
    frozenGateways: 3,
  }),
  'set-back': () => ({
    ...calm,
    gateways: [{ ...right, maxCalls: 2 }],
    setBacks: 2,
    cancelled: 0,
    burst: 20,
    operators: both({
      ...honest,
      slowAnswers: 0.3,
      callbacks: { ...honest.callbacks, share: 0 },
    }),
  }),
  payouts: () => ({
    ...calm,
    gateways: [right, right, right],
    settlements: 40,
    failedSettlements: 0.7,
    frozenSteps: 0.2,
    longestFreezeMs: 400_000,
    frozenLabel: 'settlements',
  }),
  slips: () => ({
    ...calm,
    cancelled: 0,
    unwillingCustomers: 0,
    slips: 0.8,
    reviewAfterMs: 60_000,
    operators: both({
      ...honest,
      synchronous: 0,
      hiddenEnds: 0.2,
      callbacks: { ...honest.callbacks, share: 1, late: 1 },
    }),
  }),
};

function both(dials: OperatorDials): Dials['operators'] {
  return { CVMOVEL: dials, UNITEL_TMAIS: dials };
}

export function dialsOf(seed: number, only: string | undefined): Dials {
  const random = seeded(seed, 1);
  if (only !== undefined) return scenarios[only]!(random);
  const skews = [0, 0, 5_000, -5_000, 15_000, -15_000];
  const gateways = Array.from({ length: between(random, 1, 3) }, (_, index) => ({
    // One whose clock is off by minutes takes no work, so there is another.
    skewMs: random.pick(index === 0 ? skews : [...skews, 300_000, -300_000]),
    operatorTimeoutMs: random.pick([10_000, 10_000, 5_000, 20_000]),
    maxCalls: random.pick([2, 4, 16, 64]),
  }));
  const some = (share: number) => (random.chance(0.5) ? random.pick([share / 4, share]) : 0);
  const times = (most: number) => (random.chance(0.5) ? between(random, 1, most) : 0);
  return {
    gateways,
    operators: { CVMOVEL: operatorDials(random), UNITEL_TMAIS: operatorDials(random) },
    frozenSteps: some(0.01),
    longestFreezeMs: 90_000,
    frozenGateways: times(3),
    kills: times(3),
    setBacks: random.chance(0.3) ? between(random, 1, 2) : 0,
    forgedCallbacks: times(30),
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
    test: 0.1,
  };
}

function operatorDials(random: Random): OperatorDials {
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
