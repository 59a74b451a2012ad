import { monotonicClock } from '../../platform/process/clock.ts';
import type { PageLimits } from '../../storefront/checkout/page/open-pages.ts';
import type { FromWorker, Questions, Topic, ToWorker } from './messages.ts';
import { Figures } from './metrics-collector.ts';
import { SharedLimits } from './shared-limits.ts';

/** The part of a worker needed to answer it. */
export interface Asker {
  /** Whether it should stop. */
  isLeaving: boolean;
  tell(message: ToWorker): void;
}

type Asked<T extends Topic> = Questions[T]['asked'];

/** Answers the workers' requests: tokens of limits, slots for pages, and the metrics of the others. */
export class Answers {
  #limits: SharedLimits;
  #figures: Figures<Asker>;
  #ready: ReadonlySet<Asker>;

  constructor({ count, pages }: { count: number; pages: PageLimits }, ready: ReadonlySet<Asker>) {
    this.#limits = new SharedLimits({ clock: monotonicClock, processes: count, pages });
    this.#figures = new Figures((worker, id) => worker.tell({ type: 'METRICS', id }));
    this.#ready = ready;
  }

  hear(message: FromWorker, worker: Asker): void {
    if (message.type === 'ASK') this.#answer(message, worker);
    else if (message.type === 'CHARGE') this.#limits.charge(message.tokens);
    else if (message.type === 'PAGE_CLOSED') this.#limits.leave(worker, message.id);
    else if (message.type === 'METRICS') this.#figures.heard(worker, message.id, message.metrics);
  }

  forget(worker: Asker): void {
    this.#limits.forget(worker);
    this.#figures.forget(worker, { died: !worker.isLeaving });
  }

  #answer({ id, topic, asked }: Extract<FromWorker, { type: 'ASK' }>, worker: Asker): void {
    const answer = (given: Questions[Topic]['answer']) =>
      worker.tell({ type: 'ANSWER', id, answer: given });
    if (topic === 'TOKENS') answer(this.#limits.take(asked as Asked<'TOKENS'>));
    else if (topic === 'PAGE') answer(this.#limits.enter(worker, asked as Asked<'PAGE'>));
    else {
      const own = asked as Asked<'METRICS'>;
      void this.#figures.gather(worker, own, [...this.#ready]).then(answer);
    }
  }
}
