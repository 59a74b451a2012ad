import type { CallOutcome } from '../../../integrations/operators/measurements/outcome.ts';
import type { AnswerCount } from '../../../integrations/operators/measurements/sums.ts';
import type { ProcessOverview } from '../../../integrations/operators/overview.ts';
import type { Html } from '../../../platform/text/html.ts';
import { count, given, instant } from '../parts/format.ts';
import { empty, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { breakerOf } from './operator-parts.ts';
import { words as allWords } from './operators.words.ts';

/** An operator's answers to each kind of call. */
export function answersTable(visit: StaffContext, answers: readonly AnswerCount[]): Html {
  const words = allWords[visit.language];
  const failures: Readonly<Record<string, string>> = visit.words.failures;
  return table<AnswerCount>(
    words.answersTitle,
    [
      { head: words.call, cell: ({ call }) => words.callNames[call] ?? call },
      {
        head: words.answer,
        cell: ({ answer }) => words.answers[answer] ?? failures[answer] ?? answer,
      },
      { head: words.amounts, cell: ({ outcome }) => words.outcomes[outcome as CallOutcome] },
      { head: words.count, isNumber: true, cell: (row) => count(visit, row.count) },
      { head: words.last, cell: ({ lastMs }) => instant(visit, lastMs) },
    ],
    answers,
  );
}

/** The circuit breaker and the waiting rows of each process. */
export function processesTable(visit: StaffContext, processes: readonly ProcessOverview[]): Html {
  const words = allWords[visit.language];
  if (processes.length === 0) return empty(words.noProcess);
  return table<ProcessOverview>(
    words.processes,
    [
      { head: words.process, cell: ({ role, host, pid }) => given(`${role} · ${host} · ${pid}`) },
      { head: words.breaker, cell: ({ pause }) => breakerOf(visit, pause) },
      { head: words.waiting, isNumber: true, cell: ({ waiting }) => count(visit, waiting) },
    ],
    processes,
  );
}
