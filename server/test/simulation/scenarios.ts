import type { Random } from '../torture/random.ts';
import type { Dials, OperatorDials } from './dials.ts';
import { listFaults } from './transaction-list.ts';

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
  otherWords: 0,
  otherNotations: 0,
  unreadable: 0,
  strangeIds: 0,
  repeatedReturns: 0,
  borrowedIds: 0,
  strayAnswers: 0,
  revived: 0,
  wrongLists: 0,
  listFaults,
  listClock: 'right',
  afterJunk: 0,
  callbacks: { share: 0.8, late: 0, twice: 0, otherAmount: 0, contradictory: 0 },
};

/** One gateway with a right clock, honest operators, and people who make no mistakes. */
const calm: Dials = {
  tickMs: 1,
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
  repeatedRefunds: 0,
  test: 0.1,
};

const right = { skewMs: 0, operatorTimeoutMs: 10_000, maxCalls: 16 };

/** The conditions that one fault needs, and nothing else, by name: `--only NAME`. */
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
  'returned-in-other-words': () => ({
    ...calm,
    refunded: 0.8,
    lateCustomers: 0.3,
    operators: both({ ...honest, otherWords: 0.8 }),
  }),
  'repeated-returns': () => ({
    ...calm,
    refunded: 0.8,
    lateCustomers: 0.3,
    operators: both({ ...honest, repeatedReturns: 0.3 }),
  }),
  'borrowed-ids': () => ({
    ...calm,
    refunded: 0.8,
    lateCustomers: 0.3,
    operators: both({ ...honest, borrowedIds: 0.2 }),
  }),
  'stray-answers': () => ({
    ...calm,
    refunded: 0.3,
    operators: both({
      ...honest,
      synchronous: 0,
      strayAnswers: 0.2,
      callbacks: { ...honest.callbacks, share: 0.3 },
    }),
  }),
  'odd-notations': () => ({
    ...calm,
    refunded: 0.3,
    operators: both({ ...honest, otherNotations: 0.6, unreadable: 0.1 }),
  }),
  'strange-ids': () => ({
    ...calm,
    refunded: 0.3,
    setBacks: 1,
    operators: both({ ...honest, strangeIds: 0.15 }),
  }),
  'junk-first': () => ({
    ...calm,
    unwillingCustomers: 0.5,
    operators: both({ ...honest, revived: 0.5, afterJunk: 0.7 }),
  }),
  'wrong-lists': (random) => ({
    ...calm,
    setBacks: 2,
    refunded: 0.3,
    operators: both({
      ...honest,
      wrongLists: 1,
      listClock: random.pick(['right', 'behind', 'ahead', 'without a zone']),
    }),
  }),
  'refunded-again': () => ({ ...calm, setBacks: 2, refunded: 0.9, repeatedRefunds: 1 }),
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
