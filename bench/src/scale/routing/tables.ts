import { coresOf } from '../arithmetic.ts';
import type { Assumed } from '../assumed.ts';
import { bytesTold, hoursTold, percentTold, tableOf, told } from '../format.ts';
import { measured as m } from '../measured.ts';
import type { Policy } from './cells.ts';
import { binsOf, hitRate, keysSeen, unseenAfter } from './keys.ts';
import { type RoutingParameters, standardParameters } from './parameters.ts';
import type { Year, YearOfPolicy } from './year.ts';

/** Tables of the directory, computed at once. */
export function directoryTables(a: Assumed): Record<string, string> {
  const bins = binsOf(standardParameters);
  const { gateways } = coresOf(a);
  const all = a.paymentsPerSecond * (1 + a.getsPerPayment);
  const each = all / gateways;
  return {
    directory: directoryTable(bins, all),
    cold: coldTable(bins, each, gateways),
  };
}

type Bins = ReturnType<typeof binsOf>;

const directoryTable = (bins: Bins, all: number) =>
  tableOf([
    [
      'Keys remembered',
      'Memory of a process',
      'Found in memory',
      'Asked of the home, by all',
      'Fail while the home is down',
    ],
    ...[10_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000].map((room) => {
      const missed = 1 - hitRate(bins, room);
      return [
        told(room),
        bytesTold(room * m.memoryOfKey.value),
        percentTold(1 - missed),
        `${told(missed * all)}/s`,
        percentTold(missed),
      ];
    }),
  ]);

const moments: [name: string, seconds: number][] = [
  ['1 s', 1],
  ['10 s', 10],
  ['1 min', 60],
  ['10 min', 600],
  ['1 h', 3_600],
  ['1 day', 86_400],
  ['7 days', 604_800],
];

/** A process that forgets nothing, from its start on; and all of them started at once. */
const coldTable = (bins: Bins, each: number, gateways: number) =>
  tableOf([
    [
      'After',
      'Keys known',
      'Memory',
      'Lookups of one process',
      'Lookups of all, if all were started at once',
      'Fail, if the home goes down then for an hour',
    ],
    ...moments.map(([name, seconds]) => {
      const requests = each * seconds;
      const keys = keysSeen(bins, requests);
      const unseen = unseenAfter(bins, requests);
      return [
        name,
        told(keys),
        bytesTold(keys * m.memoryOfKey.value),
        `${told(unseen * each)}/s`,
        `${told(unseen * each * gateways)}/s`,
        percentTold(unseen),
      ];
    }),
  ]);

/** What is asked of the simulated year: where merchants are put, and when they are moved. */
export const policies: readonly Policy[] = [
  { placement: 'random', movesAbove: undefined },
  { placement: 'fewest merchants', movesAbove: undefined },
  { placement: 'least paid', movesAbove: undefined },
  { placement: 'better of two', movesAbove: undefined },
  { placement: 'random', movesAbove: 1.2 },
  { placement: 'fewest merchants', movesAbove: 1.2 },
  { placement: 'least paid', movesAbove: 1.2 },
  { placement: 'better of two', movesAbove: 1.2 },
  { placement: 'better of two', movesAbove: 1.5 },
];

/** The same where no merchant is larger than a cell. */
export const flatParameters: RoutingParameters = { ...standardParameters, shift: 20 };
export const flatPolicies = policies.filter(({ placement }) => placement === 'better of two');

export const yearTables = (year: Year, flat: Year, a: Assumed): Record<string, string> => ({
  result: resultList(year, flat),
  balance: balanceTable(year),
  flat: balanceTable(flat),
  moves: movesTable(year),
  giants: giantsTable(year, flat, a),
});

const found = ({ policies }: Year, placement: string, movesAbove?: number) =>
  policies.find(
    ({ policy }) => policy.placement === placement && policy.movesAbove === movesAbove,
  )!;

function resultList(year: Year, flat: Year): string {
  const usual = (one: YearOfPolicy) => quantile(one.busiestOther, 0.5);
  const chance = found(year, 'random');
  const better = found(year, 'better of two');
  const eager = found(year, 'better of two', 1.2);
  const patient = found(year, 'better of two', 1.5);
  const times = eager.movedPayments / patient.movedPayments;
  return [
    `- **Put merchants into the less paid of two cells drawn by chance.** The busiest cell then has ${usual(better)} times the mean on half of the days, and ${usual(chance)} times if they are put anywhere. The least paid cell of all, as it was the day before, gets every new merchant of a day, and keeps them when they grow.`,
    `- **Move rarely.** Above 1.2 times the mean, ${told(eager.moves)} moves a year bring the busiest cell to ${usual(eager)}; above 1.5, ${told(patient.moves)} moves bring it to ${usual(patient)}, and carry ${times >= 10 ? Math.round(times) : told(times)} times fewer payments. The extra moves are of large, old merchants.`,
    `- **Large merchants decide.** If none is larger than a fraction of a cell, the better of two keeps the busiest at ${usual(found(flat, 'better of two'))} with no move at all.`,
  ].join('\n');
}

const nameOf = ({ placement, movesAbove }: Policy) => [
  placement,
  movesAbove === undefined ? 'never' : `above ${movesAbove}`,
];

const quantile = (values: Float64Array, share: number) =>
  values.toSorted()[Math.floor(share * (values.length - 1))]!.toFixed(2);

const balanceTable = ({ policies }: Year) =>
  tableOf([
    [
      'Placed',
      'Moved',
      'Busiest ÷ mean: half of the days',
      '95 % of the days',
      'last day',
      'half of the days, cells of giants too',
      'Merchants of a cell, in thousands',
    ],
    ...policies.map(({ policy, busiest, busiestOther, merchants }) => [
      ...nameOf(policy),
      quantile(busiestOther, 0.5),
      quantile(busiestOther, 0.95),
      busiestOther.at(-1)!.toFixed(2),
      quantile(busiest, 0.5),
      `${Math.round(merchants.fewest / 1e3)} to ${Math.round(merchants.most / 1e3)}`,
    ]),
  ]);

function movesTable({ policies }: Year): string {
  const bytesOf = (all: number, recent: number) => all * m.stays.value + recent * m.goes.value;
  const moving = policies.filter(({ moves }) => moves > 0);
  return tableOf([
    [
      'Placed',
      'Moved',
      'Moves in the year',
      'In a day: mean; days without; most',
      'Bytes of a move',
      'Bytes of a day',
      'A mover works in a day: quiet; busy machine',
      'The largest move',
    ],
    ...moving.map((one: YearOfPolicy) => {
      const days = one.busiest.length;
      const perDay = one.movedPayments / days;
      const bytes = bytesOf(one.movedPayments, one.movedRecentPayments);
      return [
        ...nameOf(one.policy),
        told(one.moves),
        `${told(one.moves / days)}; ${days - one.daysWithMoves}; ${one.mostMovesOfADay}`,
        bytesTold(bytes / one.moves),
        bytesTold(bytes / days),
        `${told(perDay / m.restored.value / 3_600)} h; ${told(perDay / m.restoredBusy.value / 3_600)} h`,
        `${told(one.mostMovedPayments / 1e9)} billion payments, ${hoursTold(one.mostMovedPayments / m.restored.value / 3_600)}`,
      ];
    }),
  ]);
}

function giantsTable(year: Year, flat: Year, a: Assumed): string {
  const row = (name: string, { largestAtFirst }: Year) => [
    name,
    ...largestAtFirst
      .slice(0, 3)
      .map(
        (size) =>
          `${told(size)}/s, ${(size / (a.paymentsPerSecond / a.cells)).toFixed(2)} mean cells`,
      ),
  ];
  return tableOf([
    ['The largest merchants', 'first', 'second', 'third'],
    row('share of rank r in proportion to 1 ÷ r', year),
    row('to 1 ÷ (r + 20)', flat),
  ]);
}
