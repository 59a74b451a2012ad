import { Cells, type Policy, placeAll } from './cells.ts';
import { type Large, mend } from './moves.ts';
import type { RoutingParameters } from './parameters.ts';
import { Population, type Watcher } from './population.ts';
import { Random } from './random.ts';

export interface YearOfPolicy {
  policy: Policy;
  /** The busiest cell ÷ the mean, for each day: of all cells, and of those without a merchant above the mean. */
  busiest: Float64Array;
  busiestOther: Float64Array;
  moves: number;
  /** Days on which any merchant moved. */
  daysWithMoves: number;
  mostMovesOfADay: number;
  /** What the merchants who moved had paid, all together and most of one; in the last 30 days, all together. */
  movedPayments: number;
  mostMovedPayments: number;
  movedRecentPayments: number;
  merchants: { fewest: number; most: number };
}

export interface Year {
  policies: YearOfPolicy[];
  living: number;
  /** Payments a second in the busy hour, at the end. */
  total: number;
  /** Sizes of the largest merchants, on the first day and at the end. */
  largestAtFirst: number[];
  largestAtEnd: number[];
}

/** The same merchants under each policy: their days do not hang on where they are. */
export function simulateYear(parameters: RoutingParameters, policies: readonly Policy[]): Year {
  const population = new Population(parameters);
  const random = new Random(parameters.seed + 1);
  const all = policies.map((policy) => {
    const cells = new Cells(policy, parameters.cells, population.size.length, random);
    placeAll(cells, population);
    return { cells, result: emptyYear(policy, parameters.days) };
  });
  const largestAtFirst = largestOf(population);
  const every = all.map(({ cells }) => cells);
  const watcher = watcherOf(every);
  for (let day = 0; day < parameters.days; day++) {
    population.pass(day, watcher);
    const large = largeOf(population);
    for (const { cells, result } of all) {
      endDay(cells, result, { day, population, large, parameters });
    }
  }
  return {
    policies: all.map(({ cells, result }) => ({ ...result, merchants: rangeOf(cells.merchants) })),
    living: population.living,
    total: population.total,
    largestAtFirst,
    largestAtEnd: largestOf(population),
  };
}

const watcherOf = (every: readonly Cells[]): Watcher => ({
  changed(first, by) {
    for (const cells of every) cells.change(first, by);
  },
  ended(merchant) {
    for (const cells of every) cells.remove(merchant);
  },
  born(merchant, size) {
    for (const cells of every) cells.place(merchant, size);
  },
});

interface Day {
  day: number;
  population: Population;
  large: readonly Large[];
  parameters: RoutingParameters;
}

/** What was seen of the day is written down; then the mover works. */
function endDay(cells: Cells, result: YearOfPolicy, ended: Day): void {
  const { day, population, large, parameters } = ended;
  cells.look();
  for (const { merchant, size, today } of large) {
    cells.seen[cells.of[merchant]!]! += today - size;
  }
  note(cells, result, day, large);
  const moves = mend(cells, large, parameters.mendedAt);
  count(result, moves, population.payments, (30 * 86_400) / parameters.peakToMean);
}

function largeOf(population: Population): Large[] {
  return [...population.large].map((merchant) => {
    const size = population.size[merchant]!;
    return { merchant, size, today: size * population.today() };
  });
}

function note(cells: Cells, result: YearOfPolicy, day: number, large: readonly Large[]): void {
  const mean = meanOf(cells.seen);
  const tooLarge = large.filter(({ size }) => size > mean);
  const giants = new Set(tooLarge.map(({ merchant }) => cells.of[merchant]!));
  const others = cells.seen.filter((_, cell) => !giants.has(cell));
  result.busiest[day] = Math.max(...cells.seen) / mean;
  result.busiestOther[day] = Math.max(...others) / meanOf(others);
}

const meanOf = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function count(
  result: YearOfPolicy,
  moves: readonly Large[],
  payments: Float64Array,
  secondsOfMonth: number,
): void {
  result.moves += moves.length;
  if (moves.length > 0) result.daysWithMoves++;
  result.mostMovesOfADay = Math.max(result.mostMovesOfADay, moves.length);
  for (const { merchant, size } of moves) {
    result.movedPayments += payments[merchant]!;
    result.movedRecentPayments += Math.min(payments[merchant]!, size * secondsOfMonth);
    result.mostMovedPayments = Math.max(result.mostMovedPayments, payments[merchant]!);
  }
}

const emptyYear = (policy: Policy, days: number): YearOfPolicy => ({
  policy,
  busiest: new Float64Array(days),
  busiestOther: new Float64Array(days),
  moves: 0,
  daysWithMoves: 0,
  mostMovesOfADay: 0,
  movedPayments: 0,
  mostMovedPayments: 0,
  movedRecentPayments: 0,
  merchants: { fewest: 0, most: 0 },
});

const rangeOf = (values: Float64Array) => ({
  fewest: Math.min(...values),
  most: Math.max(...values),
});

const largestOf = ({ large, size }: Population): number[] =>
  [...large]
    .map((merchant) => size[merchant]!)
    .sort((one, other) => other - one)
    .slice(0, 5);
