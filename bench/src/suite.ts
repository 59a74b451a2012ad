import { styleText } from 'node:util';
import type { Figures } from './figures.ts';
import type { Plan, ScenarioName } from './plan.ts';
import { runSteps, type Step } from './progress.ts';
import { doubtsOf } from './report/doubts.ts';
import { writeResult } from './report/files.ts';
import { addRatios, judge, limits } from './report/limits.ts';
import { thisMachine } from './report/machine.ts';
import { pageOf } from './report/page.ts';
import { summarize } from './report/summary.ts';
import { tablesOf } from './report/tables.ts';
import { printTitled, printVerdicts } from './report/terminal.ts';
import { commandSteps } from './scenarios/commands.ts';
import { costSteps } from './scenarios/costs.ts';
import { createSteps } from './scenarios/creates.ts';
import { deliverySteps } from './scenarios/deliveries.ts';
import { calibration } from './scenarios/floors.ts';
import { historySteps } from './scenarios/history.ts';
import { lifeSteps } from './scenarios/lives.ts';
import { startSteps } from './scenarios/starts.ts';

const legend = `
  gateway, PostgreSQL: what a request took of the processor there, in microseconds
  load: what the load itself took of the processor, in cores`;

/** Measures everything as often as planned, and reports medians and ranges. */
export async function runSuite(plan: Plan): Promise<void> {
  const machine = thisMachine();
  const runs: Figures[] = Array.from({ length: plan.runs }, () => new Map());
  const steps: Step[] = [];
  for (const [index, figures] of runs.entries()) {
    const ofRun = stepsOfRun(plan, figures);
    const told = plan.runs > 1 ? `run ${index + 1}: ` : '';
    steps.push(...ofRun.map((step) => ({ ...step, name: told + step.name })));
  }
  await runSteps(steps);
  for (const figures of runs) addRatios(figures);
  const summary = summarize(runs);
  const verdicts = judge(summary, limits);
  const tables = tablesOf(summary, plan);
  for (const table of tables) printTitled(table);
  console.log(styleText('dim', legend));
  printVerdicts(verdicts);
  const doubts = doubtsOf(runs, plan);
  for (const doubt of doubts) console.log(`\n  ${doubt}`);
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
  const page = pageOf({ machine, plan, summary, verdicts, tables, doubts });
  const html = await writeResult('bench.html', machine.date, page);
  console.log(`\n  ${json}\n  ${html}`);
}

/** Every run has its floors, so that a ratio compares figures of the same minutes. */
export function stepsOfRun(plan: Plan, figures: Figures): Step[] {
  const of: Partial<Record<ScenarioName, typeof createSteps>> = {
    starts: startSteps,
    commands: commandSteps,
    creates: createSteps,
    lives: lifeSteps,
    deliveries: deliverySteps,
    costs: costSteps,
  };
  const alone = plan.scenarios.flatMap((name) => of[name]?.(plan, figures) ?? []);
  return [
    calibration(figures, 'before'),
    ...alone,
    ...historySteps(plan, figures),
    calibration(figures, 'after'),
  ];
}
