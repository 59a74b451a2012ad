/** Runs work as soon as fewer than `maxRunning` are under way, in the order of the calls. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(maxRunning: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // The woken waiter takes over the slot directly, so that nobody overtakes it.
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
