import { DomainError } from '../../src/platform/errors/errors.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { liveNames, type Tenant, type World } from './dependencies.ts';
import type { Disbursers } from './disbursers.ts';
import type { Gateway } from './gateway.ts';
import type { Customer } from './operator-records.ts';
import { between } from './random-values.ts';
import { newActor } from './scheduler.ts';

export interface PeopleDependencies {
  world: World;
  /** A gateway that takes requests now. */
  gateway(): Gateway | undefined;
  customers: Map<string, Customer>;
  disbursers: Disbursers;
}

/** A refund that a merchant wants once. */
interface Wish {
  tenantId: string;
  mode: 'live' | 'test';
  paymentId: string;
  amountMinor: bigint | null;
  wish: string;
  key: string;
}

/** Phone suffixes that the simulated operators of test mode know. */
const testSuffixes = ['345', '346', '049', '139', '119', '109'];

/** Merchants, and the customers who pay them. */
export class People {
  #dependencies: PeopleDependencies;
  #actor = newActor('a merchant');
  #busy = 0;
  #phones = 0;
  #wishes: Wish[] = [];

  constructor(dependencies: PeopleDependencies) {
    this.#dependencies = dependencies;
  }

  /** No request is still planned. */
  get isIdle(): boolean {
    return this.#busy === 0 && this.#dependencies.disbursers.isIdle;
  }

  /** Plans the requests of all merchants. */
  plan(payments: number): void {
    const { world } = this.#dependencies;
    const { dials, random } = world;
    for (let made = 0; made < payments; made += dials.burst) {
      const atMs = between(random, 0, dials.rushMs);
      for (let each = made; each < Math.min(made + dials.burst, payments); each++) {
        this.#schedule(atMs + between(random, 0, 200), () => this.#pay());
      }
    }
    for (let cut = 0; cut < dials.settlements; cut++) {
      const atMs = between(random, 10_000, dials.rushMs + 200_000);
      this.#schedule(atMs, () => this.#settle());
    }
    this.#dependencies.disbursers.plan(payments);
  }

  /** Acts after a delay. A refusal is an answer too. */
  #schedule(waitMs: number, act: () => Promise<unknown>): void {
    const { scheduler, trace } = this.#dependencies.world;
    this.#busy += 1;
    scheduler.after(this.#actor, waitMs, 'a merchant', () => {
      this.#busy -= 1;
      act().catch((error) => {
        const level = error instanceof DomainError ? 'is refused' : 'FAILS';
        trace.add('a merchant', `${level}: ${error.message}`);
      });
    });
  }

  async #pay(): Promise<void> {
    const { world, customers } = this.#dependencies;
    const { dials, random, trace } = world;
    const gateway = this.#dependencies.gateway();
    if (!gateway) return;
    const mode = random.chance(dials.test) ? 'test' : 'live';
    const tenant = random.pick(world.tenants.filter((each) => each.mode === mode));
    const operator = mode === 'test' ? 'MOCK' : random.pick(liveNames);
    const phone = mode === 'test' ? this.#testPhone() : this.#phone();
    customers.set(phone, this.#customer());
    const { json } = await gateway.createPayment({
      tenantId: tenant.id,
      mode,
      amountMinor: BigInt(between(random, 1, 500)) * 100n,
      operator,
      operatorPhone: phone,
      currency: 'CVE',
      externalId: null,
      customerId: null,
      description: null,
      statementDescriptor: null,
      metadata: null,
      idempotency: null,
      apiKey: null,
      terms: standardTerms,
    });
    const id = parseId('pi', JSON.parse(json).id)!;
    trace.add('a merchant', `wants ${trace.nameOf('P', id)} from ${phone} over ${operator}`);
    this.#planPayment(tenant, mode, id);
  }

  #planPayment({ id: tenantId }: Tenant, mode: 'live' | 'test', id: string): void {
    const { dials, random, trace } = this.#dependencies.world;
    const name = trace.nameOf('P', id);
    if (random.chance(dials.cancelled)) {
      this.#schedule(between(random, 500, 70_000), async () => {
        trace.add('a merchant', `cancels ${name}`);
        await this.#dependencies.gateway()?.cancelPayment(tenantId, id);
      });
    }
    if (!random.chance(dials.refunded)) return;
    const times = between(random, 1, 2);
    for (let refund = 0; refund < times; refund++) {
      const amountMinor = random.chance(0.4) ? null : BigInt(between(random, 1, 40)) * 100n;
      const wish = `${name} ${refund} ${amountMinor ?? 'all'}`;
      const request = { tenantId, mode, paymentId: id, amountMinor, wish, key: wish };
      this.#wishes.push(request);
      this.#schedule(between(random, 10_000, 200_000), () => this.#refund(request));
    }
  }

  async #refund({ wish, key, ...request }: Wish): Promise<void> {
    const { trace } = this.#dependencies.world;
    trace.add('a merchant', `refunds ${wish}, under ${key}`);
    await this.#dependencies.gateway()?.createRefund({
      ...request,
      reason: null,
      metadata: JSON.stringify({ wish }),
      idempotency: { key, meaning: wish, asSent: wish },
      apiKey: null,
      terms: standardTerms,
    });
  }

  /**
   * After a set-back, the merchant requests a lost refund again, under the same key or another.
   * Only a refund that no longer fits into the payment can be refused as a repetition; before the
   * recovery, only the operator can refuse it.
   */
  repeatLostRefunds(when: 'while nobody has recovered' | 'afterwards'): void {
    const { dials, random, checks, counts } = this.#dependencies.world;
    this.#dependencies.disbursers.repeatLost(when);
    for (const wish of this.#wishes) {
      if (!checks.money.isLost(wish.wish) || !random.chance(dials.repeatedRefunds)) continue;
      if (wish.amountMinor !== null && wish.amountMinor <= this.#leftOf(wish.paymentId)) continue;
      if (this.#sharesItsDebit(wish)) continue;
      counts.add(`refund repeated ${when}`);
      const key = random.pick([wish.key, `${wish.key} again`]);
      this.#schedule(between(random, 1_000, 100_000), async () => {
        if (!checks.money.isLost(wish.wish) || this.#sharesItsDebit(wish)) return;
        await this.#refund({ ...wish, key });
      });
    }
  }

  /**
   * If another debit has the same id, the operator takes the repetition for a return of that debit.
   */
  #sharesItsDebit({ paymentId }: Wish): boolean {
    const { money } = this.#dependencies.world.checks;
    return liveNames.some((name) => money.sharesItsId(name, paymentId));
  }

  /** The part of a payment that the customer has not got back yet. */
  #leftOf(paymentId: string): bigint {
    const { providers } = this.#dependencies.world;
    const debits = liveNames.flatMap((name) => providers[name].movedFor(paymentId) ?? []);
    return debits.reduce((sum, each) => sum + each.amountMinor - each.givenBackMinor, 0n);
  }

  #phone(): string {
    this.#phones += 1;
    return `+238${String(this.#phones).padStart(7, '0')}`;
  }

  #testPhone(): string {
    this.#phones += 1;
    const suffix = this.#dependencies.world.random.pick(testSuffixes);
    return `+238${String(this.#phones).padStart(4, '0')}${suffix}`;
  }

  #customer(): Customer {
    const { dials, random } = this.#dependencies.world;
    if (random.chance(dials.unwillingCustomers)) {
      const does = random.pick(['declines', 'has too little', 'never answers'] as const);
      return { does, afterMs: between(random, 1_000, 30_000) };
    }
    const isLate = random.chance(dials.lateCustomers);
    return {
      does: 'confirms',
      afterMs: isLate ? between(random, 20_000, 95_000) : between(random, 300, 15_000),
    };
  }

  async #settle(): Promise<void> {
    const { world } = this.#dependencies;
    const { id: tenantId, merchantId } = world.random.pick(world.tenants);
    const input = { tenantId, merchantId, currency: 'CVE', idempotencyKey: null };
    await this.#dependencies.gateway()?.processSettlement(input);
  }
}
