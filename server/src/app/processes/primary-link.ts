import type { FromWorker, Questions, Topic, ToWorker } from './messages.ts';

/** A live primary answers within a tenth of a millisecond; a stopped one must not block anything for long. */
const patienceMs = 50;

type Late<Answer> = (answer: Answer) => void;

interface Waiting {
  hear: (answer: never) => void;
  late: Late<never>;
  isLate: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** The connection of a worker to the primary. */
export class PrimaryLink {
  #send: (message: FromWorker) => void;
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  /** The primary has not answered in time; until it does, no further requests are sent. */
  #isSilent = false;

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  tell(message: FromWorker): void {
    this.#send(message);
  }

  /**
   * @param late receives a response that arrives too late @returns undefined if the primary does not answer
   */
  ask<T extends Topic>(
    topic: T,
    asked: Questions[T]['asked'],
    late: Late<Questions[T]['answer']>,
    waitMs = patienceMs,
  ): Promise<Questions[T]['answer'] | undefined> {
    if (this.#isSilent) return Promise.resolve(undefined);
    const id = ++this.#lastId;
    return new Promise((hear) => {
      const waiting: Waiting = { hear, late, isLate: false, timer: undefined };
      const giveUp = () => {
        if (!this.#waiting.has(id)) return;
        waiting.isLate = true;
        this.#isSilent = true;
        hear(undefined);
      };
      // If this process itself was too busy, the response has arrived, and is read first.
      waiting.timer = setTimeout(() => setImmediate(giveUp), waitMs);
      this.#waiting.set(id, waiting);
      this.#send({ type: 'ASK', id, topic, asked });
    });
  }

  answered({ id, answer }: Extract<ToWorker, { type: 'ANSWER' }>): void {
    this.#isSilent = false;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    if (waiting?.isLate) waiting.late(answer as never);
    else waiting?.hear(answer as never);
  }
}
