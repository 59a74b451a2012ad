import { type Random, seeded } from '../torture/random.ts';
import type { ListClock } from './messages.ts';
import { between } from './random-values.ts';
import { scenarios } from './scenarios.ts';
import { type ListFault, listFaults } from './transaction-list.ts';

/** How an operator behaves. Shares are probabilities, from 0 to 1. */
export interface OperatorDials {
  /**
   * The operator recognises a repeated reference; otherwise it takes a repetition as another
   * request.
   */
  deduplicates: boolean;
  /**
   * The operator refuses a repetition because of the state that the first request caused, not as a
   * duplicate.
   */
  checksStateFirst: boolean;
  /**
   * The share of requests that wait in a queue, where queries do not find them, and the longest
   * wait.
   */
  queued: number;
  longestQueueMs: number;
  /** Requests answered just before or just after the timeout. */
  slowAnswers: number;
  slowQueries: number;
  /** Calls for which no connection opens. */
  refusedConnections: number;
  /** Requests that never arrive, and answers that get lost. */
  lostRequests: number;
  lostAnswers: number;
  /** Requests whose outcome queries see only minutes later. */
  hiddenEnds: number;
  /** Requests answered with the transaction itself, if it completes in time. */
  synchronous: number;
  /** Debits of an amount other than the requested amount. */
  wrongAmounts: number;
  /** Transactions that get the id of another. */
  reusedIds: number;
  /**
   * Transactions whose final status is not "completed", but "reversed" for a return, for example.
   */
  otherWords: number;
  /** Numbers, capitals and zeros in unusual but unambiguous places. */
  otherNotations: number;
  /** Amounts and currencies that do not tell how much was moved. */
  unreadable: number;
  /** Ids with control characters, or letters of another alphabet. */
  strangeIds: number;
  /**
   * Returns that the operator takes for an earlier one: it reports that one, and returns nothing.
   */
  repeatedReturns: number;
  /** Returns with the id of their debit, of another debit, or of another return. */
  borrowedIds: number;
  /** Answers to queries that concern another request. */
  strayAnswers: number;
  /** Requests that fail, and succeed later; a callback reports the success. */
  revived: number;
  /** Reads of the transaction list that go wrong, and how. */
  wrongLists: number;
  listFaults: readonly ListFault[];
  listClock: ListClock;
  /** Callbacks that follow more junk than the gateway stores for a request. */
  afterJunk: number;
  callbacks: CallbackDials;
}

export interface CallbackDials {
  /** Requests whose outcome the operator reports by callback. */
  share: number;
  late: number;
  twice: number;
  /** Callbacks whose amount includes a fee. */
  otherAmount: number;
  /** Callbacks that report a failure for a success, or a success for a failure. */
  contradictory: number;
}

export interface GatewayDials {
  skewMs: number;
  operatorTimeoutMs: number;
  maxCalls: number;
}

/**
 * How far apart instants are. Steps of one instant run in any order and reach the database
 * together: wider instants mean more interleavings, and faster seeds.
 */
const ticksMs = [1, 20, 100, 250, 500, 500, 1_000, 1_000] as const;

export interface Dials {
  tickMs: number;
  gateways: GatewayDials[];
  operators: Record<'CVMOVEL' | 'UNITEL_TMAIS', OperatorDials>;
  /** The probability that a step stalls, and the longest stall. */
  frozenSteps: number;
  longestFreezeMs: number;
  /** Only steps of this name stall. */
  frozenLabel?: string;
  /** How often each fault happens. */
  frozenGateways: number;
  kills: number;
  setBacks: number;
  forgedCallbacks: number;
  /** Forged callbacks concern only payments, refunds and reversals in this state. */
  forgedFor?: string;
  /** All payments are made within this time. */
  rushMs: number;
  /** How many payments each burst has. */
  burst: number;
  cancelled: number;
  refunded: number;
  /** Disbursements, for each payment. */
  disbursed: number;
  /** Requests for a batch, as a share of all requests for disbursements. */
  batched: number;
  /** How often each operator is down, so that no connection opens. */
  outages: number;
  /** Customers who confirm late, decline, lack funds, or never answer. */
  lateCustomers: number;
  unwillingCustomers: number;
  settlements: number;
  failedSettlements: number;
  /** How long a payment stays without a definite answer before it is listed for a person. */
  reviewAfterMs: number;
  /** Findings that a person mistypes. */
  slips: number;
  /** Refunds that a restored database has lost, and that their merchants request again. */
  repeatedRefunds: number;
  /** Payments in test mode. */
  test: number;
}

/** Dials that can be disabled, to see which of them breaks an invariant: `--without NAME`. */
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
  /** A scenario, used instead of the seed's dials. */
  only?: string | undefined;
  /** Dials of {@link optional} to disable. */
  without?: readonly OptionalDial[] | undefined;
  /** Replaces the dial: 0 leaves all other randomness as it was before there were disbursements. */
  disbursed?: number | undefined;
}

export function dialsOf(chosen: Chosen): Dials {
  const dials = chosenDials(chosen);
  const disbursed = chosen.disbursed ?? dials.disbursed;
  return { ...dials, disbursed, outages: disbursed === 0 ? 0 : dials.outages };
}

function chosenDials({ seed, payments, only, without = [] }: Chosen): Dials {
  const random = seeded(seed, 1);
  if (only !== undefined) return scenarios[only]!(random);
  // More concurrent payments need more concurrent calls, and more strangers to meet one.
  const crowd = Math.max(1, Math.round(payments / 200));
  // Separate random numbers, so that disabling a dial changes nothing else.
  const notationRandom = seeded(seed, 5);
  const skews = [0, 0, 5_000, -5_000, 15_000, -15_000];
  const gateways = Array.from({ length: between(random, 1, 3) }, (_, index) => ({
    // A gateway whose clock is minutes off takes no work, so add another.
    skewMs: random.pick(index === 0 ? skews : [...skews, 300_000, -300_000]),
    operatorTimeoutMs: random.pick([10_000, 10_000, 5_000, 20_000]),
    maxCalls: random.pick([2, 4, 16, 64]) * crowd,
  }));
  const some = (share: number) => (random.chance(0.5) ? random.pick([share / 4, share]) : 0);
  const times = (most: number) => (random.chance(0.5) ? between(random, 1, most) : 0);
  const outgoing = seeded(seed, 7);
  return {
    tickMs: seeded(seed, 6).pick(ticksMs),
    gateways,
    operators: {
      CVMOVEL: { ...operatorDials(random), ...notationDials(notationRandom, without) },
      UNITEL_TMAIS: { ...operatorDials(random), ...notationDials(notationRandom, without) },
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
    disbursed: outgoing.pick([0.15, 0.75]),
    outages: outgoing.chance(0.3) ? between(outgoing, 1, 2) : 0,
    batched: outgoing.pick([0, 0.3]),
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

/** How an operator writes and answers, and what it repeats. */
function notationDials(random: Random, without: readonly OptionalDial[]): MannerDials {
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
