import { styleText } from 'node:util';
import type { Figures } from './figures.ts';
import type { Plan } from './plan.ts';
import { runSteps, type Step } from './progress.ts';
import { writeResult } from './report/files.ts';
import { addRatios, judge, limits } from './report/limits.ts';
import { thisMachine } from './report/machine.ts';
import { pageOf } from './report/page.ts';
import { summarize } from './report/summary.ts';
import { tablesOf } from './report/tables.ts';
import { printTitled, printVerdicts } from './report/terminal.ts';
import { costSteps } from './scenarios/costs.ts';
import { createSteps } from './scenarios/creates.ts';
import { floorSteps } from './scenarios/floors.ts';
import { lifeSteps } from './scenarios/lives.ts';
import { startSteps } from './scenarios/starts.ts';

/** Measures everything, as often as planned, and reports medians and ranges. */
export async function runSuite(plan: Plan): Promise<void> {
  const machine = thisMachine();
  const runs: Figures[] = Array.from({ length: plan.runs }, () => new Map());
  const steps: Step[] = [];
  for (const [index, figures] of runs.entries()) {
    const ofRun = await stepsOfRun(plan, figures);
    const told = plan.runs > 1 ? `run ${index + 1}: ` : '';
    steps.push(...ofRun.map((step) => ({ ...step, name: told + step.name })));
  }
  await runSteps(steps);
  for (const figures of runs) addRatios(figures, plan);
  const summary = summarize(runs);
  const verdicts = judge(summary, limits);
  const tables = tablesOf(summary, plan);
  for (const table of tables) printTitled(table);
  console.log(styleText('dim', '\n  load: what the load itself took of the processor, in cores'));
  printVerdicts(verdicts);
  printDoubts(runs);
  const result = {
    machine,
    plan,
    summary: Object.fromEntries(summary),
    verdicts,
    runs: runs.map((run) => Object.fromEntries(run)),
  };
  const json = await writeResult(
    'bench.json',
    machine.date,
    `${JSON.stringify(result, null, 2)}\n`,
  );
  const page = pageOf({ machine, plan, summary, verdicts, tables });
  const html = await writeResult('bench.html', machine.date, page);
  console.log(`\n  ${json}\n  ${html}`);
}

/** The floors come in every run, so that a ratio is of two figures of the same minutes. */
async function stepsOfRun(plan: Plan, figures: Figures): Promise<Step[]> {
  return [
    ...startSteps(figures),
    ...(await floorSteps(plan, figures)),
    ...createSteps(plan, figures),
    ...lifeSteps(plan, figures),
    ...costSteps(plan, figures),
  ];
}

/** What makes figures worth less. */
function printDoubts(runs: readonly Figures[]): void {
  const all = runs.flatMap((run) => [...run]);
  const lost = all.filter(([name]) => name.endsWith('.unfinished'));
  for (const [name, count] of lost) {
    console.log(`\n  ${name}: ${count} requests were not done 15 seconds after the load.`);
  }
  if (!runs[0]!.has('floor.insert.perSecond')) {
    console.log('\n  pgbench was not found: there are no ratios to PostgreSQL.');
  }
}
