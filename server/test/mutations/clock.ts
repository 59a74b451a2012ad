import type { Mutation } from './list.ts';

const clock = 'server/src/postgres/database-clock.ts';
const clockTest = 'server/src/postgres/database-clock.test.ts';
const keeperTest = 'server/src/app/clock-keeper.test.ts';
const workerTest = 'server/src/jobs/worker.test.ts';
const settingsTest = 'server/src/config/shared-settings.test.ts';
const processesTest = 'server/src/doctor/running-processes.test.ts';
const flow = 'server/test/flows/clock.test.ts';

/** Faults of the one clock, and of the settings that must agree. */
export const clockMutations: Mutation[] = [
  {
    name: 'clock: it goes backwards with that of the database',
    file: clock,
    find: 'this.#latestMs = Math.max(this.#latestMs, Math.floor(databaseMs));',
    replace: 'this.#latestMs = Math.floor(databaseMs);',
    test: clockTest,
  },
  {
    name: 'clock: it moves with that of the machine',
    file: clock,
    find: 'this.#dependencies.monotonicClock.nowMs() + this.#aheadMs',
    replace: 'this.#dependencies.wallClock.nowMs() - this.#wallAheadMs + this.#aheadMs',
    test: clockTest,
  },
  {
    name: 'clock: a machine that slept goes on as if no time had passed',
    file: clock,
    find: 'Math.abs(this.#wallAhead() - this.#wallAheadMs) > longestMoveMs',
    replace: 'Math.abs(this.#wallAhead() - this.#wallAheadMs) > longestMoveMs * 1_000_000',
    test: clockTest,
  },
  {
    name: 'clock: a slow answer spoils what is known',
    file: clock,
    find: 'Math.min(Math.max(this.#aheadMs, least), most)',
    replace: '(least + most) / 2',
    test: clockTest,
  },
  {
    name: 'clock: an answer that took seconds is believed',
    file: clock,
    find: 'if (tookMs <= longestRoundTripMs) return best;',
    replace: 'if (tookMs <= longestRoundTripMs * 1_000) return best;',
    test: clockTest,
  },
  {
    name: 'clock: work goes on while it stands still',
    file: clock,
    find: 'if (leadMs > longestLeadMs)',
    replace: 'if (leadMs > longestLeadMs * 1_000)',
    test: clockTest,
  },
  {
    name: 'clock: work goes on however wrong the machine’s is',
    file: clock,
    find: 'if (Math.abs(offsetMs) > longestOffsetMs)',
    replace: 'if (Math.abs(offsetMs) > longestOffsetMs * 1_000)',
    test: flow,
    only: 'a gateway that is',
  },
  {
    name: 'clock: it is measured at the start only',
    file: 'server/src/app/clock-keeper.ts',
    find: 'this.#failure === undefined ? this.#dependencies.intervalMs : retryBackoffMs',
    replace: 'Number.POSITIVE_INFINITY',
    test: keeperTest,
  },
  {
    name: 'clock: a connection that breaks is not heard of',
    file: 'server/src/postgres/database.ts',
    find: "if (isLoss(error)) options.onConnection?.('lost');",
    replace: 'isLoss(error);',
    test: keeperTest,
  },
  {
    name: 'clock: a doubt is told again and again',
    file: 'server/src/app/clock-keeper.ts',
    find: 'if (doubt?.kind === this.#told) return;',
    replace: 'if (!doubt && !this.#told) return;',
    test: keeperTest,
  },
  {
    name: 'clock: due rows are claimed while it is in doubt',
    file: 'server/src/jobs/poller.ts',
    find: 'if (!isReliable(clock)) {',
    replace: "if (!isReliable(clock) && name === '') {",
    test: workerTest,
  },
  {
    name: 'clock: what is written while it is in doubt is kept from others',
    file: 'server/src/jobs/worker.ts',
    find: 'this.#hasRoom(row) && isReliable(clock);',
    replace: 'this.#hasRoom(row);',
    test: workerTest,
  },
  {
    name: 'clock: what waits in memory is worked on while it is in doubt',
    file: 'server/src/jobs/worker.ts',
    find: 'row.dueAtMs <= clock.nowMs() || !isReliable(clock)',
    replace: 'row.dueAtMs <= clock.nowMs()',
    test: workerTest,
  },
  {
    name: 'clock: a request begins although nobody knows how late it is',
    file: 'server/src/jobs/send-under-lease.ts',
    find: ' || !isReliable(clock);',
    replace: ';',
    test: 'server/src/jobs/send-under-lease.test.ts',
  },
  {
    name: 'clock: deliveries are kept from others while it is in doubt',
    file: 'server/src/webhooks/worker.ts',
    find: ' && isReliable(this.#dependencies.clock);',
    replace: ';',
    test: flow,
    only: 'a gateway that is',
  },
  {
    name: 'clock: leases go by that of the machine',
    file: 'server/src/app/compose/base.ts',
    find: 'const { clock, processId } = timekeeping;',
    replace: 'const { processId } = timekeeping; const clock = systemClock;',
    test: flow,
    only: 'a gateway that is',
  },
  {
    name: 'clock: webhooks are signed by that of the database',
    file: 'server/src/webhooks/worker.ts',
    find: 'Math.floor(wallClock.nowMs() / 1_000)',
    replace: 'Math.floor(startedMs / 1_000)',
    test: flow,
    only: 'a gateway that is',
  },
  {
    name: 'clock: operators read dates by that of the database',
    file: 'server/src/operators/gsma/gsma.ts',
    find: 'createGsmaClient(settings, wallClock,',
    replace: 'createGsmaClient(settings, dependencies.clock,',
    test: flow,
    only: 'operators read dates',
  },
  {
    name: 'clock: commands go by that of the machine',
    file: 'server/src/cli/workspace.ts',
    find: 'await clock.measure();',
    replace: '',
    test: 'server/src/cli/workspace.test.ts',
  },
  {
    name: 'settings: two that differ are taken for the same',
    file: 'server/src/doctor/running-processes.ts',
    find: 'values.length > 1 ?',
    replace: 'values.length > 2 ?',
    test: settingsTest,
  },
  {
    name: 'settings: the same difference is told every minute',
    file: 'server/src/app/timekeeping.ts',
    find: 'if (this.#told.get(setting) === values) continue;',
    replace: '',
    test: flow,
    only: 'settings that differ are logged once, and so is the end of the difference',
  },
  {
    name: 'settings: a secret stands in the database',
    file: 'server/src/config/shared-settings.ts',
    find: 'mayBeShown(name) || text === notSet ? text : digest(text)',
    replace: 'text',
    test: settingsTest,
  },
  {
    name: 'settings: those of a process that runs no more are compared',
    file: 'server/src/doctor/running-processes.ts',
    find: "now() - interval '3 minutes'",
    replace: "now() - interval '30 minutes'",
    test: processesTest,
  },
  {
    name: 'the doctor overlooks the wrong clock of a running gateway',
    file: 'server/src/doctor/process-checks.ts',
    find: 'if (wrong.length > 0)',
    replace: 'if (wrong.length > 1)',
    test: 'server/src/doctor/checks.test.ts',
  },
];
