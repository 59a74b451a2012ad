import { DomainError } from '../../src/platform/errors/errors.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import type { Random } from '../torture/random.ts';
import { liveNames, type World } from './dependencies.ts';
import type { Gateway } from './gateway.ts';
import type { Customer } from './operator-records.ts';
import { between } from './random-values.ts';
import { newActor } from './scheduler.ts';

export interface DisburserDependencies {
  world: World;
  /** A gateway that takes requests now. */
  gateway: () => Gateway | undefined;
  customers: Map<string, Customer>;
  /** Of its own, so that payments repeat without disbursements. */
  random: Random;
}

type Wanted = Parameters<Gateway['createDisbursement']>[0];
type WantedBatch = Parameters<Gateway['createBatch']>[0];

const terms = {
  ...standardTerms,
  disbursements: { ...standardTerms.disbursements, isAllowed: true },
};

/** Merchants who pay out of what they have received; each payee is paid once, however often they ask for it. */
export class Disbursers {
  #dependencies: DisburserDependencies;
  #actor = newActor('a payer');
  #busy = 0;
  #wanted: Wanted[] = [];
  #wantedBatches: WantedBatch[] = [];

  constructor(dependencies: DisburserDependencies) {
    this.#dependencies = dependencies;
  }

  /** No request is still planned. */
  get isIdle(): boolean {
    return this.#busy === 0;
  }

  plan(payments: number): void {
    const { world, random } = this.#dependencies;
    const { disbursed, rushMs } = world.dials;
    for (let made = 0; made < Math.round(payments * disbursed); made++) {
      this.#schedule(between(random, 10_000, rushMs + 60_000), () => this.#want(made));
    }
  }

  /** After a set-back, the merchant sends again what the database has lost, under the same key. */
  repeatLost(when: string): void {
    const { world, random } = this.#dependencies;
    const { mirror, dials, counts } = world;
    const isLost = (table: string, { idempotency }: Pick<Wanted, 'idempotency'>) =>
      ![...mirror.rows(table).values()].some(({ row }) => row.idempotency_key === idempotency.key);
    for (const wanted of this.#wanted) {
      if (!isLost('disbursements', wanted) || !random.chance(dials.repeatedRefunds)) continue;
      counts.add(`disbursement repeated ${when}`);
      this.#schedule(between(random, 100, 100_000), () => this.#send(wanted));
    }
    for (const wanted of this.#wantedBatches) {
      if (!isLost('disbursement_batches', wanted) || !random.chance(dials.repeatedRefunds))
        continue;
      counts.add(`batch repeated ${when}`);
      this.#schedule(between(random, 100, 100_000), () => this.#sendBatch(wanted));
    }
  }

  /** Acts after a delay. A refusal is an answer too. */
  #schedule(waitMs: number, act: () => Promise<unknown>): void {
    const { scheduler, trace, counts } = this.#dependencies.world;
    this.#busy += 1;
    scheduler.after(this.#actor, waitMs, 'a payer', () => {
      this.#busy -= 1;
      act().catch((error: Error & { code?: string }) => {
        const level = error instanceof DomainError ? 'is refused' : 'FAILS';
        counts.add(`disbursement ${level}: ${error.code ?? error.message}`);
        trace.add('a payer', `${level}: ${error.message}`);
      });
    });
  }

  async #want(index: number): Promise<void> {
    const { world, random } = this.#dependencies;
    const { dials, tenants } = world;
    const mode = random.chance(dials.test) ? 'test' : 'live';
    const tenantId = random.pick(tenants.filter((each) => each.mode === mode)).id;
    const isBatch = mode === 'live' && random.chance(dials.batched);
    const send = isBatch ? this.#wantBatch(tenantId, index) : this.#wantOne(tenantId, mode, index);
    if (random.chance(0.2)) {
      const waitMs = random.chance(0.5) ? 0 : between(random, 1, 60_000);
      this.#schedule(waitMs, send);
    }
    await send();
  }

  #wantOne(tenantId: string, mode: 'live' | 'test', index: number): () => Promise<void> {
    const row = this.#rowOf(mode, index);
    const asSent = `${row.operatorPhone} ${row.amountMinor}`;
    const idempotency = { key: `pay ${index}`, meaning: asSent, asSent };
    const wanted = { ...row, tenantId, mode, apiKey: null, terms, idempotency };
    this.#wanted.push(wanted);
    return () => this.#send(wanted);
  }

  #wantBatch(tenantId: string, index: number): () => Promise<void> {
    const { random } = this.#dependencies;
    const count = between(random, 2, 5);
    const rows = Array.from({ length: count }, (_, row) => this.#rowOf('live', index, row + 1));
    const asSent = rows.map((row) => `${row.operatorPhone} ${row.amountMinor}`).join();
    const idempotency = { key: `pay ${index}`, meaning: asSent, asSent };
    const own = { tenantId, mode: 'live', apiKey: null, terms, isApproved: true } as const;
    const texts = { externalId: null, description: null, retryOf: null };
    const wanted: WantedBatch = { ...own, ...texts, rows, idempotency };
    this.#wantedBatches.push(wanted);
    return () => this.#sendBatch(wanted);
  }

  /** A payee of one's own, and what they get. @param place in a batch; 0: alone */
  #rowOf(mode: 'live' | 'test', index: number, place = 0) {
    const { random, customers } = this.#dependencies;
    const number = String(index + place * 100_000).padStart(mode === 'test' ? 3 : 6, '0');
    const suffix = random.pick(['345', '346', '139', '129']);
    const operatorPhone = mode === 'test' ? `+2389${number}${suffix}` : `+2389${number}`;
    customers.set(operatorPhone, this.#payee());
    // Some want more than the balance can hold.
    const most = random.chance(0.1) ? 100_000 : 60;
    return {
      amountMinor: BigInt(between(random, 1, most)) * 100n,
      operator: mode === 'test' ? ('MOCK' as const) : random.pick(liveNames),
      operatorPhone,
      currency: 'CVE' as const,
      externalId: null,
      customerId: null,
      description: null,
      statementDescriptor: null,
      metadata: null,
    };
  }

  async #send(wanted: Wanted): Promise<void> {
    const { world, random, gateway } = this.#dependencies;
    const { trace, counts, dials } = world;
    const { operatorPhone, amountMinor, operator, tenantId, idempotency } = wanted;
    const up = gateway();
    if (!up) return;
    const words = `${amountMinor} to ${operatorPhone} over ${operator}, under ${idempotency.key}`;
    trace.add('a payer', `asks for ${words}`);
    const { disbursement, replayed } = await up.createDisbursement(wanted);
    const { id } = disbursement;
    const name = trace.nameOf('D', id);
    trace.add('a payer', `has ${name}${replayed ? ' as before' : ''}: ${words}`);
    counts.add(replayed ? 'disbursement answered as before' : 'disbursement');
    if (replayed || !random.chance(dials.cancelled)) return;
    this.#schedule(random.pick([0, 1, between(random, 5, 60_000)]), async () => {
      trace.add('a payer', `cancels ${name}`);
      await gateway()?.cancelDisbursement(tenantId, id);
      counts.add('disbursement cancelled');
    });
  }

  async #sendBatch(wanted: WantedBatch): Promise<void> {
    const { world, random, gateway } = this.#dependencies;
    const { trace, counts, dials } = world;
    const { tenantId, rows, idempotency } = wanted;
    const up = gateway();
    if (!up) return;
    trace.add('a payer', `asks for ${rows.length} disbursements, under ${idempotency.key}`);
    const { batch, replayed } = await up.createBatch(wanted);
    const name = trace.nameOf('B', batch.id);
    trace.add('a payer', `has ${name}${replayed ? ' as before' : ''}`);
    counts.add(replayed ? 'batch answered as before' : 'batch');
    if (replayed || !random.chance(dials.cancelled)) return;
    this.#schedule(random.pick([0, 1, between(random, 5, 60_000)]), async () => {
      trace.add('a payer', `cancels ${name}`);
      await gateway()?.cancelBatch(tenantId, batch.id);
      counts.add('batch cancelled');
    });
  }

  #payee(): Customer {
    const { world, random } = this.#dependencies;
    const { unwillingCustomers, lateCustomers } = world.dials;
    const isLate = random.chance(lateCustomers);
    const afterMs = isLate ? between(random, 5_000, 95_000) : between(random, 20, 3_000);
    const isRefused = random.chance(unwillingCustomers);
    const refusals = ['declines', 'has too little', 'never answers'] as const;
    return { does: isRefused ? random.pick(refusals) : 'confirms', afterMs };
  }
}
