import { createResolvePayment } from '../../src/cli/resolve-payment.ts';
import { noHandover } from '../../src/events/handover.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { answerOfFinding, type Finding, paymentsForReview } from '../../src/payments/review.ts';
import type { OperatorSettings } from '../../src/platform/config-operators.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { parseId } from '../../src/platform/ids.ts';
import { completeSettlement, failSettlement } from '../../src/settlements/finish.ts';
import { findSettlementById } from '../../src/settlements/store.ts';
import { between } from './chances.ts';
import type { Gateway } from './gateway.ts';
import { type LiveName, liveNames, type Tenant, type World } from './parts.ts';
import type { Customer, Provider } from './provider.ts';
import { newActor } from './scheduler.ts';
import { logOf, operatorSettings, publicUrl, settings } from './settings.ts';

export interface PeopleParts {
  world: World;
  /** One that takes requests now. */
  gateway(): Gateway | undefined;
  customers: Map<string, Customer>;
}

/** The suffixes of phones that the simulated operators of test mode know. */
const testSuffixes = ['345', '346', '049', '139', '119', '109'];

/** Merchants and customers, the people who run the gateway, and somebody who forges callbacks. */
export class People {
  #parts: PeopleParts;
  #merchants = newActor('a merchant');
  #operatorOfGateway = newActor('a person');
  #busy = 0;
  #phones = 0;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** Nobody has anything in mind any more. */
  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Makes everybody's plans. */
  plan(payments: number): void {
    const { world } = this.#parts;
    const { dials, random } = world;
    for (let made = 0; made < payments; made += dials.burst) {
      const atMs = between(random, 0, dials.rushMs);
      for (let each = made; each < Math.min(made + dials.burst, payments); each++) {
        this.#later(atMs + between(random, 0, 200), () => this.#pay());
      }
    }
    for (let cut = 0; cut < dials.settlements; cut++) {
      const atMs = between(random, 10_000, dials.rushMs + 200_000);
      this.#later(atMs, () => this.#settle());
    }
    for (let round = 0; round < 400; round++) {
      this.#later(round * 20_000, () => this.#lookAround(), 'a person');
    }
  }

  /** Does something after so long; what is refused is an answer too. */
  #later(waitMs: number, act: () => Promise<unknown>, who = 'a merchant'): void {
    const { scheduler, trace } = this.#parts.world;
    if (who === 'a merchant') this.#busy += 1;
    scheduler.after(this.#merchants, waitMs, who, () => {
      if (who === 'a merchant') this.#busy -= 1;
      act().catch((error) => {
        const level = error instanceof DomainError ? 'is refused' : 'FAILS';
        trace.tell(who, `${level}: ${error.message}`);
      });
    });
  }

  async #pay(): Promise<void> {
    const { world, customers } = this.#parts;
    const { dials, random, trace } = world;
    const gateway = this.#parts.gateway();
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
    });
    const id = parseId('pi', JSON.parse(json).id)!;
    trace.tell('a merchant', `wants ${trace.nameOf('P', id)} from ${phone} over ${operator}`);
    this.#planPayment(tenant, id);
  }

  #planPayment({ id: tenantId }: Tenant, id: string): void {
    const { dials, random, trace } = this.#parts.world;
    const name = trace.nameOf('P', id);
    if (random.chance(dials.cancelled)) {
      this.#later(between(random, 500, 70_000), async () => {
        trace.tell('a merchant', `cancels ${name}`);
        await this.#parts.gateway()?.cancelPayment(tenantId, id);
      });
    }
    if (!random.chance(dials.refunded)) return;
    const times = between(random, 1, 2);
    for (let refund = 0; refund < times; refund++) {
      const amountMinor = random.chance(0.4) ? null : BigInt(between(random, 1, 40)) * 100n;
      this.#later(between(random, 10_000, 200_000), async () => {
        trace.tell('a merchant', `refunds ${amountMinor ?? 'all'} of ${name}`);
        const input = { tenantId, paymentId: id, amountMinor, reason: null, metadata: null };
        await this.#parts.gateway()?.createRefund({ ...input, idempotency: null });
      });
    }
  }

  #phone(): string {
    this.#phones += 1;
    return `+238${String(this.#phones).padStart(7, '0')}`;
  }

  #testPhone(): string {
    this.#phones += 1;
    const suffix = this.#parts.world.random.pick(testSuffixes);
    return `+238${String(this.#phones).padStart(4, '0')}${suffix}`;
  }

  #customer(): Customer {
    const { dials, random } = this.#parts.world;
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
    const { world } = this.#parts;
    const { id: tenantId, merchantId } = world.random.pick(world.tenants);
    const input = { tenantId, merchantId, currency: 'CVE', idempotencyKey: null };
    await this.#parts.gateway()?.processSettlement(input);
  }

  /** Says what the bank did, and what the operators say of payments whose outcome nobody knows. */
  async #lookAround(): Promise<void> {
    const { world } = this.#parts;
    const { mirror, random, dials } = world;
    for (const { row } of mirror.rows('settlements').values()) {
      const isLive = world.tenants.some(({ id, mode }) => id === row.tenant_id && mode === 'live');
      if (!isLive || row.status !== 'PROCESSING' || row.due_at !== null) continue;
      if (random.chance(0.5)) continue;
      await this.#finish(row.id, random.chance(dials.failedSettlements) ? 'fail' : 'complete');
    }
    const database = world.store.databaseOf(this.#operatorOfGateway);
    const sentBeforeMs = world.scheduler.nowMs - dials.reviewAfterMs;
    for (const payment of await paymentsForReview(database, sentBeforeMs)) {
      const finding = this.#ask(payment);
      if (finding) await this.#resolve(payment, finding);
    }
  }

  async #finish(id: string, how: 'complete' | 'fail'): Promise<void> {
    const { store, trace, bank } = this.#parts.world;
    const name = trace.nameOf('S', id);
    await store.databaseOf(this.#operatorOfGateway).transaction(async (database) => {
      const seen = await findSettlementById(database, id);
      if (!seen) return;
      const parts = { ...this.#desk(), database, handover: noHandover };
      trace.tell(
        'a person',
        `says that the bank ${how === 'fail' ? 'did not pay' : 'paid'} ${name}`,
      );
      if (how === 'complete') await completeSettlement(parts, seen);
      else {
        await failSettlement(parts, seen);
        bank.withdraw(id);
      }
    });
  }

  /** What the operator says on the telephone, which is the truth; undefined where it does not know yet. */
  #ask(payment: Payment): Finding | undefined {
    const provider = this.#parts.world.providers[payment.operator as LiveName];
    const transaction = provider.transactions.find(
      ({ isDebit, reference }) => isDebit && reference === payment.id,
    );
    if (transaction) {
      const { id: operatorTxId, amountMinor } = transaction;
      return { operatorTxId: this.#written(provider, operatorTxId), amountMinor };
    }
    return provider.mayStillMove(payment.id) ? undefined : 'not debited';
  }

  /** As a person writes it down. */
  #written(provider: Provider, operatorTxId: string): string {
    const { dials, random } = this.#parts.world;
    if (!random.chance(dials.slips)) return operatorTxId;
    const swapped = operatorTxId.replace(/(.)(.)$/, '$2$1');
    return random.pick([swapped, swapped, random.pick(provider.transactions).id]);
  }

  async #resolve(payment: Payment, finding: Finding): Promise<void> {
    const { trace, checks } = this.#parts.world;
    const name = trace.nameOf('P', payment.id);
    const said = finding === 'not debited' ? finding : `debited with ${finding.operatorTxId}`;
    trace.tell('a person', `says that ${name} was ${said} (${answerOfFinding(finding).kind})`);
    const desk = this.#desk();
    checks.onFinding(payment.id, true);
    await createResolvePayment(desk)(payment, finding).catch((error) => {
      checks.onFinding(payment.id, false);
      trace.tell('a person', `is refused: ${error.message}`);
    });
  }

  #desk() {
    const { scheduler, trace, store, ids, dials } = this.#parts.world;
    const config = {
      publicUrl,
      operatorTimeoutMs: 10_000,
      paymentExpiryGraceMs: settings.timing.expiryGraceMs,
      paymentWatchMs: settings.timing.watchMs,
      operators: {
        CVMOVEL: operatorSettings(dials.operators.CVMOVEL) as OperatorSettings,
        UNITEL_TMAIS: operatorSettings(dials.operators.UNITEL_TMAIS) as OperatorSettings,
      },
    };
    return {
      clock: { nowMs: () => scheduler.nowMs },
      log: logOf(trace, 'a person'),
      database: store.databaseOf(this.#operatorOfGateway),
      ids,
      config,
    };
  }
}

/** The payments that wait for a person, as the command line lists them. */
export async function listedForReview({ store, scheduler, dials }: World): Promise<Set<string>> {
  const rows = await paymentsForReview(store, scheduler.nowMs - dials.reviewAfterMs);
  return new Set(rows.map(({ id }) => id));
}
