import { newActor, type Scheduler } from './scheduler.ts';

/**
 * Short waits of the product that use Node's timers, such as those between two batches, take
 * virtual time too; otherwise the machine's speed would decide which items share a batch.
 */
export async function withTimersOf(scheduler: Scheduler, run: () => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const actor = newActor('a timer of Node');
  const wait = (run: () => void, waitMs = 0) => scheduler.after(actor, waitMs, 'a timer', run);
  const callOff = (timer: unknown) => {
    if (typeof timer === 'function') timer();
    else clearTimeout(timer as NodeJS.Timeout | undefined);
  };
  Object.assign(globalThis, { setTimeout: wait, clearTimeout: callOff });
  performance.now = () => scheduler.nowMs;
  try {
    await run();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Reflect.deleteProperty(performance, 'now');
  }
}
