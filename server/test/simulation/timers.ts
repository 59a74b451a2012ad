import { newActor, type Scheduler } from './scheduler.ts';

/**
 * The short waits of the product that go by Node's own timers, such as those between two batches, take
 * virtual time as well; otherwise the speed of the machine would decide what goes out together.
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
