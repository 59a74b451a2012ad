import { confirmFinding, type LookUp } from '../../src/backoffice/resolutions/confirm-finding.ts';
import type {
  DisbursementFinding,
  Finding,
  FindingOf,
  PaymentFinding,
  RefundFinding,
  ReversalFinding,
} from '../../src/backoffice/resolutions/finding.ts';
import type { Resolving } from '../../src/backoffice/resolutions/resolution-checks.ts';
import { resolveDisbursement } from '../../src/backoffice/resolutions/resolve-disbursement.ts';
import { resolvePayment } from '../../src/backoffice/resolutions/resolve-payment.ts';
import { resolveRefund } from '../../src/backoffice/resolutions/resolve-refund.ts';
import { resolveReversal } from '../../src/backoffice/resolutions/resolve-reversal.ts';
import { ReviewRefusal } from '../../src/backoffice/resolutions/review-error.ts';
import type { Workspace } from '../../src/cli/workspace.ts';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { lookUpTransaction } from '../../src/integrations/operators/gsma/check-transaction.ts';
import type { GsmaClient } from '../../src/integrations/operators/gsma/client.ts';
import { listOpenCases, type Waiting } from '../../src/money/review/open-cases.ts';
import { closeReviewItem, openReviewItems } from '../../src/money/review/store.ts';
import { completeSettlement, failSettlement } from '../../src/money/settlements/finish.ts';
import { findSettlementById } from '../../src/money/settlements/store.ts';
import { isLive, type LiveName, type World } from './dependencies.ts';
import { customerOf } from './ledger.ts';
import { recoverAll } from './recovery.ts';
import { newActor } from './scheduler.ts';
import { workspaceOf } from './workspace.ts';

const roundIntervalMs = 20_000;
const rounds = 500;
const retryAfterMs = 300_000;

/** Ends a mistyped number that the person reads over, and that no transaction has. */
const overlooked = '-';

/**
 * The people who run the gateway. They enter what the bank did, and what operators tell them by
 * telephone.
 */
export class Staff {
  #world: World;
  #actor = newActor('a person');
  /** When to look again at a case that could not be decided. */
  #retryAtMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  plan(): void {
    const { scheduler, trace } = this.#world;
    for (let round = 1; round <= rounds; round++) {
      scheduler.after(this.#actor, round * roundIntervalMs, 'a round', () => {
        this.#doRound().catch((error) => trace.add('a person', `FAILS: ${error.message}`));
      });
    }
  }

  /**
   * After a restore, withdraws each file whose settlement is missing, or is PENDING again, from the
   * bank.
   */
  holdBackFiles(): void {
    const { bank, mirror } = this.#world;
    for (const { settlementId } of bank.files.values()) {
      const row = mirror.get('settlements', settlementId)?.row;
      if (!row || row.status === 'PENDING') bank.withdraw(settlementId);
    }
  }

  /** Repeats `zimbo operators recover` until it succeeds. */
  recover(): Promise<void> {
    return recoverAll(this.#world, this.#workspace());
  }

  async #doRound(): Promise<void> {
    const { mirror, random, dials, scheduler } = this.#world;
    for (const { row } of mirror.rows('settlements').values()) {
      if (!isLive(this.#world, row.tenant_id) || row.status !== 'PROCESSING' || row.due_at !== null)
        continue;
      if (random.chance(0.5)) continue;
      await this.#finish(row.id, random.chance(dials.failedSettlements) ? 'fail' : 'complete');
    }
    const workspace = this.#workspace();
    const sentBeforeMs = scheduler.nowMs - dials.reviewAfterMs;
    if (!this.#mayHaveOpenCases(sentBeforeMs)) return;
    for (const openCase of await listOpenCases(workspace.database, sentBeforeMs)) {
      const isDue = (this.#retryAtMs.get(openCase.subjectId) ?? 0) <= scheduler.nowMs;
      if (openCase.mode === 'live' && isDue) await this.#handle(workspace, openCase);
    }
  }

  /** Avoids the query if no case can be listed. */
  #mayHaveOpenCases(sentBeforeMs: number): boolean {
    const { mirror } = this.#world;
    const isOpen = [...mirror.rows('review_items').values()].some(({ row }) => !row.closed_at);
    const isIdle = [...mirror.rows('reversals').values()].some(({ row }) =>
      ['HELD', 'FAILED'].includes(row.status),
    );
    const isOld = [...mirror.rows('payments').values()].some(
      ({ row }) =>
        row.due_at !== null && row.sent_at !== null && Date.parse(row.sent_at) < sentBeforeMs,
    );
    return isOpen || isIdle || isOld;
  }

  async #finish(id: string, how: 'complete' | 'fail'): Promise<void> {
    const { trace, bank } = this.#world;
    const name = trace.nameOf('S', id);
    const workspace = this.#workspace();
    const answer = how === 'fail' ? 'did not pay' : 'paid';
    await workspace.database
      .transaction(async (database) => {
        const settlement = await findSettlementById(database, id);
        if (!settlement) return;
        const dependencies = { ...workspace, database, dispatcher: noDispatcher };
        if (how === 'complete') await completeSettlement(dependencies, settlement);
        else {
          await failSettlement(dependencies, settlement);
          bank.withdraw(id);
        }
        trace.add('a person', `says that the bank ${answer} ${name}`);
      })
      .catch((error) => trace.add('a person', `is refused for ${name}: ${error.message}`));
  }

  async #handle(workspace: Workspace, openCase: Waiting): Promise<void> {
    const { trace } = this.#world;
    const { kind, subject, subjectId } = openCase;
    const name = trace.nameOf('?', subjectId);
    try {
      if (kind === 'CONTRADICTION' || kind === 'CLASH') {
        if (openCase.subject?.byHand && (await this.#correct(workspace, openCase))) return;
        const sides = [subjectId, ...otherSideOf(openCase)];
        if (openCase.item && sides.every((id) => this.#isBookedCorrectly(id))) {
          const nowMs = workspace.clock.nowMs();
          await closeReviewItem(workspace.database, openCase.item.id, {
            nowMs,
            by: 'a person',
            reason: 'the ledger is correct',
          });
        }
      } else if (subject && kind !== 'REFUSED') await this.#resolve(workspace, openCase);
    } catch (error) {
      this.#retryAtMs.set(subjectId, this.#world.scheduler.nowMs + retryAfterMs);
      trace.add('a person', `is refused for ${name}: ${(error as Error).message}`);
    }
  }

  /** Corrects a mistyped transaction, because the operator's answer contradicts it. */
  async #correct(workspace: Workspace, openCase: Waiting): Promise<boolean> {
    if (openCase.subjectKind !== 'PAYMENT') return false;
    const finding = this.#debitFinding(openCase);
    if (finding?.kind !== 'DEBITED' || openCase.subject?.operatorTxId === finding.operatorTxId) {
      return false;
    }
    const confirmed = await this.#confirm(workspace, openCase, finding, finding);
    const resolving = await this.#resolving(workspace, openCase, finding.operatorTxId);
    await resolvePayment(resolving, confirmed);
    return true;
  }

  #isBookedCorrectly(id: string): boolean {
    const customer = customerOf(this.#world, id);
    return customer !== undefined && customer.paidMinor === customer.bookedMinor;
  }

  async #resolve(workspace: Workspace, openCase: Waiting): Promise<void> {
    const { checks } = this.#world;
    const { operator, subjectId, subjectKind } = openCase;
    switch (subjectKind) {
      case 'PAYMENT': {
        const told = this.#debitFinding(openCase);
        if (!told) return;
        const typed = told.kind === 'DEBITED' ? this.#typed(operator as LiveName, told) : told;
        const finding = await this.#confirm(workspace, openCase, typed, told);
        const wasFound = checks.onFinding(subjectId);
        const answer = finding.kind === 'DEBITED' ? finding.operatorTxId : 'not debited';
        const resolving = await this.#resolving(workspace, openCase, answer);
        await resolvePayment(resolving, finding).catch((error) => {
          if (!wasFound) checks.removeFinding(subjectId);
          throw error;
        });
        return;
      }
      case 'REFUND': {
        const answer = this.#returnTransactionId(openCase);
        if (!answer) return;
        const finding: RefundFinding =
          answer === 'nothing'
            ? { kind: 'NOT_REFUNDED' }
            : { kind: 'REFUNDED', operatorTxId: answer };
        const confirmed = await this.#confirm(workspace, openCase, finding, finding);
        await resolveRefund(await this.#resolving(workspace, openCase, answer), confirmed);
        return;
      }
      case 'DISBURSEMENT': {
        const answer = this.#returnTransactionId(openCase);
        if (!answer) return;
        const finding: DisbursementFinding =
          answer === 'nothing'
            ? { kind: 'NOT_PAID_OUT' }
            : { kind: 'PAID_OUT', operatorTxId: answer };
        const confirmed = await this.#confirm(workspace, openCase, finding, finding);
        checks.disbursements.onFinding(openCase.subject!.reference);
        await resolveDisbursement(await this.#resolving(workspace, openCase, answer), confirmed);
        return;
      }
      case 'REVERSAL': {
        const answer = this.#returnTransactionId(openCase);
        if (!answer) return;
        const isHeld = openCase.subject?.status === 'HELD';
        const notBack = isHeld ? 'REVERSE' : 'NOT_GIVEN_BACK';
        const finding: ReversalFinding =
          answer === 'nothing' ? { kind: notBack } : { kind: 'GIVEN_BACK', operatorTxId: answer };
        const confirmed = await this.#confirm(workspace, openCase, finding, finding);
        await resolveReversal(await this.#resolving(workspace, openCase, answer), confirmed);
      }
    }
  }

  async #resolving(workspace: Workspace, openCase: Waiting, answer: string): Promise<Resolving> {
    const { trace } = this.#world;
    const { subject, subjectId } = openCase;
    const name = trace.nameOf('?', subjectId);
    const items = await openReviewItems(workspace.database);
    const open = items.filter((item) => item.subjectId === subjectId);
    const record = async () => trace.add('a person', `says of ${name}: ${answer}`);
    return { workspace, subject: subject!, open, record };
  }

  /**
   * As the commands do, has the operator confirm the number before money moves on it. If the
   * operator does not, the person has the number read again, and insists.
   */
  async #confirm<Kind extends Finding>(
    workspace: Workspace,
    { operator, subject }: Waiting,
    typed: Kind,
    told: Kind,
  ): Promise<Kind> {
    const lookUp: LookUp = (_, lookup) => lookUpTransaction(this.#lineTo(operator), lookup);
    try {
      await confirmFinding(workspace, subject!, typed, lookUp);
      return typed;
    } catch (error) {
      if (!(error instanceof ReviewRefusal) || error.why !== 'NOT_CONFIRMED') throw error;
      this.#world.counts.add('number not confirmed');
      // A number of no transaction is read over twice; any other slip is noticed.
      const isOverlooked = 'operatorTxId' in typed && typed.operatorTxId.endsWith(overlooked);
      const again = isOverlooked ? typed : told;
      const insisting = { ...again, isUnconfirmed: true } as Finding;
      await confirmFinding(workspace, subject!, insisting, lookUp);
      return again;
    }
  }

  /** To the operator's records, which it may not answer from. */
  #lineTo(operator: string): Pick<GsmaClient, 'call'> {
    const { dials, random, providers } = this.#world;
    const name = operator as LiveName;
    return {
      call: (call) => {
        if (random.chance(dials.operators[name].refusedConnections)) {
          return Promise.resolve({ kind: 'unreachable', reason: 'ECONNREFUSED', begun: false });
        }
        return new Promise((resolve) =>
          providers[name].receive(call, ({ status, body }) =>
            resolve({ kind: 'answered', retryAfterMs: 0, status, body }),
          ),
        );
      },
    };
  }

  /** The operator's answer by telephone, always true; undefined while the operator does not know. */
  #debitFinding({ operator, subject, subjectId }: Waiting): PaymentFinding | undefined {
    const provider = this.#world.providers[operator as LiveName];
    const transaction = provider.transactions.find(
      ({ isDebit, reference }) => isDebit && reference === subjectId,
    );
    if (!transaction) {
      return provider.mayStillMove(subjectId) ? undefined : { kind: 'NOT_DEBITED' };
    }
    const { amountMinor, id: operatorTxId } = transaction;
    const isOtherAmount = amountMinor !== subject?.amountMinor;
    return { kind: 'DEBITED', operatorTxId, amountMinor, isOtherAmount };
  }

  #returnTransactionId({ operator, subject, subjectId }: Waiting): string | undefined {
    const provider = this.#world.providers[operator as LiveName];
    const ours = subject?.reference ?? subjectId;
    const transaction = provider.transactions.find(({ reference }) => reference === ours);
    if (transaction) return transaction.id;
    return provider.mayStillMove(ours) ? undefined : 'nothing';
  }

  /** A debit with the id as a person types it, perhaps with a slip. */
  #typed(operator: LiveName, told: FindingOf<'DEBITED'>): FindingOf<'DEBITED'> {
    const { dials, random, providers } = this.#world;
    if (!random.chance(dials.slips)) return told;
    const { operatorTxId: id } = told;
    const swapped = id.replace(/(.)(.)$/, '$2$1');
    const another = random.pick(providers[operator].transactions).id;
    const operatorTxId = random.pick([swapped, another, `${id}${overlooked}`]);
    if (operatorTxId !== id) this.#world.checks.onMistypedId(operatorTxId);
    return { ...told, operatorTxId };
  }

  #workspace(): Workspace {
    return workspaceOf(this.#world, this.#actor);
  }
}

/**
 * The other payments that an item shows: the owner of the transaction, and the payment that it was
 * returned from.
 */
function otherSideOf({ item }: Waiting): string[] {
  type Shown = { paymentId?: string } | undefined;
  const { booked, reserved } = (item?.detail ?? {}) as { booked?: Shown; reserved?: Shown };
  return [booked, reserved].flatMap((shown) => shown?.paymentId ?? []);
}

/** The ids of all payments, refunds and reversals that `zimbo review` lists. */
export async function listedForReview({ store, scheduler, dials }: World): Promise<Set<string>> {
  const sentBeforeMs = scheduler.nowMs - dials.reviewAfterMs;
  const openCases = await listOpenCases(store.database, sentBeforeMs);
  return new Set(
    openCases.flatMap((each) =>
      [each.subjectId, each.item?.subjectId ?? [], otherSideOf(each)].flat(),
    ),
  );
}
