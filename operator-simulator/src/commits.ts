import type { Store } from './store.ts';

interface Write {
  run: () => unknown;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Concurrent writes share one commit, and so one wait for the disk. */
export class Commits {
  #store: Store;
  #waiting: Write[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves once the write is on disk. A write that throws leaves nothing. */
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
