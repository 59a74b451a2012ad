import type { Store } from './store.ts';

interface Write {
  run: () => unknown;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Writes that come together share one commit, so that they share the wait for the disk. */
export class Commits {
  #store: Store;
  #waiting: Write[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves when what was written is on the disk. What throws leaves nothing written. */
  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#commit());
      this.#waiting.push({ run: write, resolve: resolve as Write['resolve'], reject });
    });
  }

  #commit(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    try {
      this.#store.exec('BEGIN IMMEDIATE');
      const answers = writes.map((write) => this.#attempt(write));
      this.#store.exec('COMMIT');
      for (const answer of answers) answer();
    } catch (error) {
      this.#store.rollBack();
      for (const { reject } of writes) reject(error);
    }
  }

  #attempt({ run, resolve, reject }: Write): () => void {
    this.#store.exec('SAVEPOINT write');
    try {
      const result = run();
      this.#store.exec('RELEASE write');
      return () => resolve(result);
    } catch (error) {
      this.#store.exec('ROLLBACK TO write; RELEASE write');
      return () => reject(error);
    }
  }
}
