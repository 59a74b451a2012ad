import { majorOf } from '../../src/integrations/operators/amount.ts';
import { DomainError } from '../../src/platform/errors/errors.ts';
import { type LiveName, liveNames, type World } from './dependencies.ts';
import type { Gateway } from './gateway.ts';
import { between } from './random-values.ts';
import { newActor } from './scheduler.ts';
import { publicUrl } from './settings.ts';

const tables = {
  DEBIT: 'payments',
  REFUND: 'refunds',
  REVERSAL: 'reversals',
  DISBURSEMENT: 'disbursements',
} as const;

/** Delivers true and forged callbacks to a gateway; a forger knows every address. */
export class CallbackDelivery {
  #world: World;
  #actor = newActor('the internet');
  #gateway: () => Gateway | undefined;

  constructor(world: World, gateway: () => Gateway | undefined) {
    this.#world = world;
    this.#gateway = gateway;
  }

  /** @param tries how often a provider tries while no gateway is up */
  send(operator: LiveName, url: string, body: unknown, words: string, tries = 3): void {
    const { trace, scheduler, tokens, random } = this.#world;
    const gateway = this.#gateway();
    const token = url.slice(url.lastIndexOf('/') + 1);
    const again = () => {
      if (tries > 1) {
        const waitMs = between(random, 5_000, 20_000);
        const retry = () => this.send(operator, url, body, words, tries - 1);
        scheduler.after(this.#actor, waitMs, 'a callback again', retry);
      }
    };
    if (!gateway) {
      again();
      return;
    }
    const address = tokens.read(operator, token)!;
    const name = trace.nameOf('?', address.reference);
    trace.add(operator, `calls back about ${name} at ${gateway.actor.name}: ${words}`);
    gateway.takeCallback({ address, authenticated: false, body }).catch((error) => {
      trace.add(gateway.actor.name, `refuses the callback: ${error.message}`);
      if (!(error instanceof DomainError)) again();
    });
  }

  plan(): void {
    const { dials, random, scheduler } = this.#world;
    for (let forged = 0; forged < dials.forgedCallbacks; forged++) {
      const atMs = between(random, 5_000, dials.rushMs + 120_000);
      scheduler.after(this.#actor, atMs, 'a forged callback', () => this.#forge());
    }
  }

  #forge(): void {
    const { random, providers, mirror, tokens, dials } = this.#world;
    const operator = random.pick(liveNames);
    const kinds = ['DEBIT', 'DEBIT', 'REFUND', 'REVERSAL'] as const;
    const isDisbursed = mirror.rows('disbursements').size > 0;
    const kind = random.pick(isDisbursed ? ([...kinds, 'DISBURSEMENT'] as const) : kinds);
    const table = tables[kind];
    const { forgedFor } = dials;
    const rows = [...mirror.rows(table).values()].filter(
      ({ row }) => row.operator === operator && (forgedFor ?? row.status) === row.status,
    );
    if (rows.length === 0) return;
    const { row } = random.pick(rows);
    const { reference = row.id, tenant_id: tenantId } = row;
    const token = tokens.make({ operator, kind, tenantId, reference });
    const known = providers[operator].transactions;
    const named = known.length > 0 && random.chance(0.7) ? random.pick(known).id : 'TX-FORGED';
    const amountMinor = BigInt(row.amount_minor) + (random.chance(0.3) ? 100n : 0n);
    const body = random.chance(0.2)
      ? { errorCategory: 'businessRule', errorCode: 'genericError' }
      : {
          transactionReference: named,
          transactionStatus: 'completed',
          amount: majorOf(amountMinor),
          currency: row.currency,
        };
    const words = 'errorCode' in body ? 'FORGED, failed' : `FORGED, completed as ${named}`;
    this.send(operator, `${publicUrl}/${token}`, body, words);
  }
}
