import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';

/** Counts all statements by name, over any connection, and knows when all are answered. */
export function countStatements() {
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  const counts = new Map<string, number>();
  let open = 0;
  prototype.query = function (this: unknown, ...given: unknown[]) {
    const [statement] = given as [string | { name?: string; text?: string }];
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement;
    const label = name ?? (text ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    counts.set(label, (counts.get(label) ?? 0) + 1);
    open += 1;
    const answered = () => {
      open -= 1;
    };
    const last = given.at(-1);
    if (typeof last !== 'function') {
      const answer = query.apply(this, given) as Promise<unknown>;
      void answer.then(answered, answered);
      return answer;
    }
    const tell = (...result: unknown[]) => {
      answered();
      last(...result);
    };
    return query.apply(this, given.with(-1, tell));
  };
  return {
    counts,
    /** Waits until no statement is in flight, and no answer has started another. */
    async settled() {
      for (let quiet = 0; quiet < 5; quiet += 1) {
        await turn();
        if (open > 0) quiet = 0;
      }
    },
    stop() {
      prototype.query = query;
    },
  };
}
