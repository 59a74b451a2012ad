import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';
import { type Kind, type Order, type OutsideRecord, pathOf } from './record.ts';

/** How long a merchant waits for an answer: a frozen gateway gives none. */
const patienceMs = 4_000;
/** A merchant without an answer waits before repeating a request. */
const pauseMs = 30;
const clients = 12;
/** Picks recent objects, which are still under way. */
const recent = 150;

/** Most are debited at once; the others fail, or their callback is late or missing. */
const suffixes = ['345', '346', '119', '149', '049', '129', '139', '109'];
const sessionSuffixes = ['345', '129', '049'];
/** Most are paid; the others are not, or are paid without an answer or a callback, or with two. */
const payeeSuffixes = ['345', '346', '347', '129', '149', '159', '019', '029', '069'];
/** So that some batches need more than one chunk. */
const mostRows = 120;

export interface LoadDependencies {
  record: OutsideRecord;
  key: string;
  /** An endpoint that is disabled and enabled again and again. */
  fickleId: string;
  /** Whether the merchant disburses too: older gateways cannot. */
  disburses?: boolean;
  /** The gateways that take requests now. */
  urls: () => readonly string[];
}

interface Answer {
  status: number;
  text: string;
}

/** Merchants and customers who act regardless of the gateways' state. */
export class Load {
  #dependencies: LoadDependencies;
  readonly #sessionUrls = new Map<string, string>();

  constructor(dependencies: LoadDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when every client has made this many requests, or time is up. */
  async run(random: Random, requests: number, limitMs: number): Promise<void> {
    const deadlineMs = Date.now() + limitMs;
    await this.runWhile(random, (made) => made < requests && Date.now() < deadlineMs);
  }

  /** Each client continues while the callback, called with its number of requests, says so. */
  async runWhile(random: Random, goesOn: (made: number) => boolean): Promise<void> {
    const client = async () => {
      for (let made = 0; goesOn(made); made++) await this.#act(random);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /** Repeats all unanswered requests; returns how many stay unanswered. */
  async askAgain(random: Random): Promise<number> {
    const open = this.#open(Number.POSITIVE_INFINITY);
    for (let first = 0; first < open.length; first += clients) {
      await Promise.all(
        open.slice(first, first + clients).map((order) => this.#submit(order, random)),
      );
    }
    return this.#open(Number.POSITIVE_INFINITY).length;
  }

  #open(limit: number): Order[] {
    const { orders } = this.#dependencies.record;
    return orders.slice(-limit).filter(({ answer, refused }) => !answer && refused === undefined);
  }

  async #act(random: Random): Promise<void> {
    const act = random.weighted<() => Promise<void>>([
      [46, () => this.#pay(random)],
      [10, () => this.#repeat(random)],
      [14, () => this.#retry(random)],
      [8, () => this.#cancel(random)],
      [10, () => this.#refund(random)],
      [4, () => this.#session(random)],
      [5, () => this.#look(random)],
      [3, () => this.#settle(random)],
      [2, () => this.#toggle(random)],
      ...(this.#dependencies.disburses ? this.#disbursing(random) : []),
    ]);
    await act();
  }

  #disbursing(random: Random): [number, () => Promise<void>][] {
    return [
      [10, () => this.#disburse(random)],
      [2, () => this.#disburseMany(random)],
      [4, () => this.#stopDisbursing(random)],
    ];
  }

  async #pay(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const country = random.chance(0.2) ? '+24492345' : '+2389912';
    const order = record.order('payment', {
      amount: record.nextAmount(),
      operator: random.pick(['MOCK', 'CVMOVEL']),
      operatorPhone: `${country}${random.pick(suffixes)}`,
      metadata: { order: record.orders.length },
    });
    await this.#submitImpatiently(order, random);
  }

  /** Impatient merchants send the same request twice at once, perhaps to two gateways. */
  async #submitImpatiently(order: Order, random: Random): Promise<void> {
    const copies = random.chance(0.1) ? 2 : 1;
    await Promise.all(Array.from({ length: copies }, () => this.#submit(order, random)));
  }

  #disbursement(random: Random) {
    const country = random.chance(0.2) ? '+24492345' : '+2389912';
    return {
      amount: this.#dependencies.record.nextDisbursedAmount(),
      operator: random.pick(['MOCK', 'CVMOVEL']),
      operatorPhone: `${country}${random.pick(payeeSuffixes)}`,
    };
  }

  async #disburse(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const order = record.order('disbursement', this.#disbursement(random));
    await this.#submitImpatiently(order, random);
  }

  async #disburseMany(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const length = 1 + random.below(mostRows);
    const items = Array.from({ length }, () => this.#disbursement(random));
    await this.#submitImpatiently(record.order('batch', { items }), random);
  }

  async #stopDisbursing(random: Random): Promise<void> {
    const kind = random.pick(['disbursement', 'batch'] as const);
    const id = this.#recentId(random, kind);
    if (id === undefined) return;
    this.#dependencies.record.stopped.add(id);
    const answer = await this.#ask(random, 'POST', `${pathOf[kind]}/${id}/cancel`);
    if (answer?.status === 200) this.#sight(answer.text);
  }

  async #repeat(random: Random): Promise<void> {
    const answered = this.#dependencies.record.orders.filter(({ answer }) => answer);
    if (answered.length > 0) await this.#submit(random.pick(answered), random);
  }

  async #retry(random: Random): Promise<void> {
    const open = this.#open(500);
    if (open.length > 0) await this.#submit(random.pick(open), random);
    else await this.#pay(random);
  }

  async #cancel(random: Random): Promise<void> {
    const id = this.#recentId(random, 'payment');
    if (id === undefined) return;
    const answer = await this.#ask(random, 'POST', `/v1/payments/${id}/cancel`);
    if (answer?.status === 200) this.#sight(answer.text);
  }

  async #refund(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const id = this.#recentId(random, 'payment', ['DEBITED', 'SETTLED']);
    if (id === undefined) return;
    const part = random.chance(0.5) ? { amount: 1 + random.below(6_000) } : {};
    await this.#submit(record.order('refund', { paymentIntentId: id, ...part }), random);
  }

  async #session(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const order = record.order('session', { amount: record.nextAmount() });
    await this.#submit(order, random);
    const url = order.answer && this.#sessionUrls.get(order.answer.id);
    if (url === undefined) return;
    if (random.chance(0.2)) {
      const answer = await this.#ask(
        random,
        'POST',
        `/v1/checkout/sessions/${order.answer!.id}/expire`,
      );
      if (answer?.status === 200) this.#sight(answer.text);
    } else {
      const form = new URLSearchParams({
        phone: `+2389912${random.pick(sessionSuffixes)}`,
        operator: 'MOCK',
        attempt: '0',
      });
      await this.#ask(random, 'POST', new URL(url).pathname, { body: form });
    }
  }

  async #look(random: Random): Promise<void> {
    const kinds: Kind[] = ['payment', 'refund'];
    if (this.#dependencies.disburses) kinds.push('disbursement', 'batch');
    const kind = random.pick(kinds);
    const id = this.#recentId(random, kind);
    if (id === undefined) return;
    const answer = await this.#ask(random, 'GET', `${pathOf[kind]}/${id}`);
    if (answer?.status === 200) this.#sight(answer.text);
    else if (answer?.status === 404)
      this.#dependencies.record.broken.push(`${id} was answered, and is lost`);
  }

  async #settle(random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const currency = random.chance(0.7) ? 'CVE' : 'AOA';
    await this.#submit(record.order('settlement', { currency }), random);
  }

  async #toggle(random: Random): Promise<void> {
    await this.#setFickle(random, random.pick(['ACTIVE', 'DISABLED']));
  }

  /** False if the request may not have taken effect. */
  enable(random: Random): Promise<boolean> {
    return this.#setFickle(random, 'ACTIVE');
  }

  async #setFickle(random: Random, status: string): Promise<boolean> {
    const answer = await this.#ask(random, 'PATCH', `/v1/webhooks/${this.#dependencies.fickleId}`, {
      body: JSON.stringify({ status }),
      headers: { 'content-type': 'application/json' },
    });
    return answer?.status === 200;
  }

  #recentId(random: Random, kind: string, statuses?: string[]): string | undefined {
    const ids: string[] = [];
    for (const [id, seen] of [...this.#dependencies.record.seen].slice(-recent)) {
      const fits = statuses === undefined || statuses.some((status) => seen.statuses.has(status));
      if (seen.kind === kind && fits) ids.push(id);
    }
    return ids.length === 0 ? undefined : random.pick(ids);
  }

  async #submit(order: Order, random: Random): Promise<void> {
    const { record } = this.#dependencies;
    const isRepetition = order.answer !== undefined;
    order.tries += 1;
    const answer = await this.#ask(random, 'POST', pathOf[order.kind], {
      body: JSON.stringify(order.body),
      headers: { 'content-type': 'application/json', 'idempotency-key': order.key },
    });
    if (!answer || answer.status >= 500) return;
    if (answer.status !== 200) {
      return record.refused(order, isRepetition, `${answer.status} ${answer.text}`);
    }
    const { id, url } = JSON.parse(answer.text) as { id: string; url?: string };
    record.answered(order, id, answer.text);
    if (url !== undefined) this.#sessionUrls.set(id, url);
    this.#sight(answer.text);
  }

  #sight(text: string): void {
    const { id, status } = JSON.parse(text) as { id: string; status: string };
    this.#dependencies.record.sight(id, status);
  }

  /** Undefined without an answer. */
  async #ask(
    random: Random,
    method: string,
    path: string,
    { body, headers }: { body?: string | URLSearchParams; headers?: Record<string, string> } = {},
  ): Promise<Answer | undefined> {
    const { urls, key, record } = this.#dependencies;
    const open = urls();
    if (open.length === 0) {
      await delay(pauseMs);
      return undefined;
    }
    try {
      const answer = await fetch(`${random.pick(open)}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(patienceMs),
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      record.answers += 1;
      if (answer.status >= 500) record.failed.push(`${method} ${path}: ${answer.status} ${text}`);
      return { status: answer.status, text };
    } catch (error) {
      record.failed.push(`${method} ${path}: ${String(error)}: ${String((error as Error).cause)}`);
      await delay(pauseMs);
      return undefined;
    }
  }
}
