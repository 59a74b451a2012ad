/** Work of one key runs in the order of the calls, one after the other; work of other keys does not wait for it. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** For what would wait in the database anyway: here it waits without a connection that others could use. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const turn = before ? before.then(work, work) : work();
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
