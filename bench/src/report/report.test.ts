import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quickPlan } from '../plan.ts';
import { ratioBars } from './bar-chart.ts';
import { doubtsOf } from './doubts.ts';
import { addRatios, judge, type Limit } from './limits.ts';
import { pageOf } from './page.ts';
import { spreadOf, summarize } from './summary.ts';
import { tablesOf } from './tables.ts';

test('computes medians and ranges over the runs', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
  assert.deepEqual(spreadOf([4, 1]), { median: 2.5, min: 1, max: 4 });
  assert.deepEqual(spreadOf([9, 100, 20]), { median: 20, min: 9, max: 100 });
  const summary = summarize([new Map([['a', 1]]), new Map([['a', 3]])]);
  assert.deepEqual(summary.get('a'), { median: 2, min: 1, max: 3 });
});

test('meets a limit exactly at it but not beyond, and gives no verdict without a measurement', () => {
  const limits: Limit[] = [
    { figure: 'ratio', about: '', atLeast: 0.8 },
    { figure: 'p99Ms', about: '', atMost: 15 },
    { figure: 'missing', about: '', atLeast: 1 },
  ];
  const met = (ratio: number, p99Ms: number) =>
    judge(summarize([new Map(Object.entries({ ratio, p99Ms }))]), limits).map((one) => one.met);
  assert.deepEqual(met(0.8, 15), [true, true]);
  assert.deepEqual(met(0.79, 15.1), [false, false]);
});

test('computes ratios within one run, from the best of each sweep', () => {
  const figures = new Map(
    quickPlan.connections.flatMap((count): [string, number][] => [
      [`creates.real.${count}.perSecond`, count === 64 ? 800 : 100],
      [`lives.${count}.perSecond`, 50],
    ]),
  );
  figures.set('creates.real.half.perSecond', 900);
  figures.set('floor.insert.perSecond', 1_000);
  addRatios(figures);
  assert.equal(figures.get('ratio.creates.insert'), 0.8);
  assert.equal(figures.has('ratio.lives.tpcb'), false);
});

test('reports by how much the machine was slower in a run', () => {
  const run = (beforeMs: number, afterMs: number) =>
    new Map(Object.entries({ 'calibration.beforeMs': beforeMs, 'calibration.afterMs': afterMs }));
  assert.deepEqual(doubtsOf([run(300, 320), run(310, 330)], quickPlan), []);
  const [doubt, ...others] = doubtsOf([run(300, 310), run(450, 305)], quickPlan);
  assert.match(doubt!, /50 % slower before run 2/);
  assert.deepEqual(others, []);
});

test('needs no network for the page, and draws every figure', () => {
  const figures = new Map<string, number>();
  for (const count of quickPlan.connections) {
    for (const sweep of ['creates.real', 'lives']) {
      figures.set(`${sweep}.${count}.perSecond`, count * 100);
      figures.set(`${sweep}.${count}.p50Ms`, 1 + count / 10);
      figures.set(`${sweep}.${count}.p99Ms`, 2 + count);
    }
  }
  for (const count of quickPlan.fanOuts) {
    figures.set(`fanout.${count}.perSecond`, 100 / count);
    figures.set(`fanout.${count}.deliveriesPerSecond`, 100);
  }
  const summary = summarize([figures]);
  const machine = { date: '2026-01-01T00:00:00.000Z', commit: 'abc', processor: 'Two & <four>' };
  const page = pageOf({
    machine: { ...machine, cores: 2, memoryGigabytes: 8, system: 'Linux', node: 'v26' },
    plan: quickPlan,
    summary,
    verdicts: [],
    tables: tablesOf(summary, quickPlan),
    doubts: ['slow & <noisy>'],
  });
  assert.doesNotMatch(page, /https?:|src=|@import|<script|url\(/);
  assert.doesNotMatch(page, /NaN|Infinity|undefined/);
  assert.match(page, /Two &amp; &lt;four&gt;/);
  assert.match(page, /slow &amp; &lt;noisy&gt;/);
});

test('shows every table of the terminal on the page, and the limits with their ranges', () => {
  const run = (rate: number) =>
    new Map([
      ['gets.perSecond', rate],
      ['commands.getMs', 292],
    ]);
  const summary = summarize([run(5_000), run(6_000), run(6_500)]);
  const limit: Limit = { figure: 'gets.perSecond', about: 'gets & more', atLeast: 7_000 };
  const tables = tablesOf(summary, quickPlan);
  const machine = { date: '2026-01-01T00:00:00.000Z', commit: 'abc', processor: 'four' };
  const page = pageOf({
    machine: { ...machine, cores: 2, memoryGigabytes: 8, system: 'Linux', node: 'v26' },
    plan: { ...quickPlan, runs: 3 },
    summary,
    verdicts: judge(summary, [limit]),
    tables,
    doubts: [],
  });
  const cells = [...page.matchAll(/<(?:b|td|th)>([^<]*)</g)].map(([, cell]) => cell);
  assert.ok(tables.length >= 2);
  for (const cell of tables.flatMap(({ title, rows }) => [title, ...rows.flat()]))
    assert.ok(cells.includes(cell), cell);
  const row = ['✗ gets &amp; more', '6,000/s', '≥ 7,000/s', '5,000/s … 6,500/s'];
  assert.deepEqual(cells.slice(cells.indexOf(row[0]!)).slice(0, 4), row);
});

test('draws ratios above and below a limit on either side of its line', () => {
  const verdict = (median: number) =>
    judge(summarize([new Map([['ratio', median]])]), [
      { figure: 'ratio', about: '', atLeast: 1.5 },
    ]);
  const ends = (median: number) => {
    const drawn = ratioBars(verdict(median));
    const [, from, long] = /class="(?:met|missed)" x="([\d.]+)".*?width="([\d.]+)"/.exec(drawn)!;
    const [, line] = /class="limit" x1="([\d.]+)"/.exec(drawn)!;
    return Number(from) + Number(long) - Number(line);
  };
  assert.ok(ends(1.25) < 0);
  assert.ok(ends(1.75) > 0);
});

test('omits unmeasured figures from the page', () => {
  const summary = summarize([new Map([['gets.perSecond', 5_000]])]);
  const tables = tablesOf(summary, quickPlan);
  assert.deepEqual(
    tables.map(({ title, rows }) => [title, rows]),
    [
      [
        'Requests',
        [
          ['', 'rate'],
          ['gets', '5,000/s'],
        ],
      ],
    ],
  );
  const machine = { date: '2026-01-01T00:00:00.000Z', commit: 'abc', processor: 'four' };
  const page = pageOf({
    machine: { ...machine, cores: 2, memoryGigabytes: 8, system: 'Linux', node: 'v26' },
    plan: quickPlan,
    summary,
    verdicts: [],
    tables,
    doubts: [],
  });
  assert.doesNotMatch(page, /NaN|Infinity|undefined/);
});
