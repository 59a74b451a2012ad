import type {
  FindingOf,
  PaymentFinding,
  RefundFinding,
  ReversalFinding,
} from '../../src/backoffice/resolutions/finding.ts';
import type { Resolving } from '../../src/backoffice/resolutions/resolution-checks.ts';
import { resolvePayment } from '../../src/backoffice/resolutions/resolve-payment.ts';
import { resolveRefund } from '../../src/backoffice/resolutions/resolve-refund.ts';
import { resolveReversal } from '../../src/backoffice/resolutions/resolve-reversal.ts';
import type { Workspace } from '../../src/cli/workspace.ts';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
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
const patienceMs = 300_000;

/** The people who run the gateway: they say what the bank did, and what operators tell them on the telephone. */
export class Desk {
  #world: World;
  #actor = newActor('a person');
  /** When a person who could do nothing about something looks at it again. */
  #notBeforeMs = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  plan(): void {
    const { scheduler, trace } = this.#world;
    for (let round = 1; round <= rounds; round++) {
      scheduler.after(this.#actor, round * roundIntervalMs, 'a round', () => {
        this.#lookAround().catch((error) => trace.tell('a person', `FAILS: ${error.message}`));
      });
    }
  }

  /** After a restore: the bank pays no file whose settlement is not there, or has not come so far. */
  holdBackFiles(): void {
    const { bank, mirror } = this.#world;
    for (const { settlementId } of bank.files.values()) {
      const row = mirror.get('settlements', settlementId)?.row;
      if (!row || row.status === 'PENDING') bank.withdraw(settlementId);
    }
  }

  /** `zimbo operators recover`, as often as it needs. */
  recover(): Promise<void> {
    return recoverAll(this.#world, this.#workspace());
  }

  async #lookAround(): Promise<void> {
    const { mirror, random, dials, scheduler } = this.#world;
    for (const { row } of mirror.rows('settlements').values()) {
      if (!isLive(this.#world, row.tenant_id) || row.status !== 'PROCESSING' || row.due_at !== null)
        continue;
      if (random.chance(0.5)) continue;
      await this.#finish(row.id, random.chance(dials.failedSettlements) ? 'fail' : 'complete');
    }
    const workspace = this.#workspace();
    const sentBeforeMs = scheduler.nowMs - dials.reviewAfterMs;
    if (!this.#mayWait(sentBeforeMs)) return;
    for (const waiting of await listOpenCases(workspace.database, sentBeforeMs)) {
      const isWorthIt = (this.#notBeforeMs.get(waiting.subjectId) ?? 0) <= scheduler.nowMs;
      if (waiting.mode === 'live' && isWorthIt) await this.#handle(workspace, waiting);
    }
  }

  /** Spares the question where nothing can be listed. */
  #mayWait(sentBeforeMs: number): boolean {
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
    const said = how === 'fail' ? 'did not pay' : 'paid';
    await workspace.database
      .transaction(async (database) => {
        const seen = await findSettlementById(database, id);
        if (!seen) return;
        const dependencies = { ...workspace, database, dispatcher: noDispatcher };
        if (how === 'complete') await completeSettlement(dependencies, seen);
        else {
          await failSettlement(dependencies, seen);
          bank.withdraw(id);
        }
        trace.tell('a person', `says that the bank ${said} ${name}`);
      })
      .catch((error) => trace.tell('a person', `is refused for ${name}: ${error.message}`));
  }

  async #handle(workspace: Workspace, waiting: Waiting): Promise<void> {
    const { trace } = this.#world;
    const { kind, subject, subjectId } = waiting;
    const name = trace.nameOf('?', subjectId);
    try {
      if (kind === 'CONTRADICTION' || kind === 'CLASH') {
        if (waiting.subject?.byHand && (await this.#correct(workspace, waiting))) return;
        const sides = [subjectId, ...otherSideOf(waiting)];
        if (waiting.item && sides.every((id) => this.#isRight(id))) {
          const nowMs = workspace.clock.nowMs();
          await closeReviewItem(workspace.database, waiting.item.id, {
            nowMs,
            by: 'a person',
            reason: 'the ledger is correct',
          });
        }
      } else if (subject && kind !== 'REFUSED') await this.#resolve(workspace, waiting);
    } catch (error) {
      this.#notBeforeMs.set(subjectId, this.#world.scheduler.nowMs + patienceMs);
      trace.tell('a person', `is refused for ${name}: ${(error as Error).message}`);
    }
  }

  /** Of what a person had mistyped the operator's other word leads to the right number. */
  async #correct(workspace: Workspace, waiting: Waiting): Promise<boolean> {
    if (waiting.subjectKind !== 'PAYMENT') return false;
    const finding = this.#debit(waiting, false);
    if (finding?.kind !== 'DEBITED' || waiting.subject?.operatorTxId === finding.operatorTxId) {
      return false;
    }
    await resolvePayment(await this.#resolving(workspace, waiting, finding.operatorTxId), finding);
    return true;
  }

  #isRight(id: string): boolean {
    const customer = customerOf(this.#world, id);
    return customer !== undefined && customer.paidMinor === customer.bookedMinor;
  }

  async #resolve(workspace: Workspace, waiting: Waiting): Promise<void> {
    const { checks } = this.#world;
    const { subjectId, subjectKind } = waiting;
    switch (subjectKind) {
      case 'PAYMENT': {
        const finding = this.#debit(waiting, true);
        if (!finding) return;
        const wasFound = checks.onFinding(subjectId);
        const said = finding.kind === 'DEBITED' ? finding.operatorTxId : 'not debited';
        const resolving = await this.#resolving(workspace, waiting, said);
        await resolvePayment(resolving, finding).catch((error) => {
          if (!wasFound) checks.forgetFinding(subjectId);
          throw error;
        });
        return;
      }
      case 'REFUND': {
        const found = this.#givenBack(waiting);
        if (!found) return;
        const finding: RefundFinding =
          found === 'nothing'
            ? { kind: 'NOT_REFUNDED' }
            : { kind: 'REFUNDED', operatorTxId: found };
        await resolveRefund(await this.#resolving(workspace, waiting, found), finding);
        return;
      }
      case 'REVERSAL': {
        const found = this.#givenBack(waiting);
        if (!found) return;
        const isHeld = waiting.subject?.status === 'HELD';
        const notBack = isHeld ? 'REVERSE' : 'NOT_GIVEN_BACK';
        const finding: ReversalFinding =
          found === 'nothing' ? { kind: notBack } : { kind: 'GIVEN_BACK', operatorTxId: found };
        await resolveReversal(await this.#resolving(workspace, waiting, found), finding);
      }
    }
  }

  async #resolving(workspace: Workspace, waiting: Waiting, said: string): Promise<Resolving> {
    const { trace } = this.#world;
    const { subject, subjectId } = waiting;
    const name = trace.nameOf('?', subjectId);
    const items = await openReviewItems(workspace.database);
    const open = items.filter((item) => item.subjectId === subjectId);
    const record = async () => trace.tell('a person', `says of ${name}: ${said}`);
    return { workspace, subject: subject!, open, record };
  }

  /** What the operator says on the telephone, which is the truth; undefined if it does not know yet. */
  #debit({ operator, subject, subjectId }: Waiting, maySlip: boolean): PaymentFinding | undefined {
    const provider = this.#world.providers[operator as LiveName];
    const transaction = provider.transactions.find(
      ({ isDebit, reference }) => isDebit && reference === subjectId,
    );
    if (!transaction) {
      return provider.mayStillMove(subjectId) ? undefined : { kind: 'NOT_DEBITED' };
    }
    const { amountMinor } = transaction;
    const operatorTxId = maySlip
      ? this.#written(operator as LiveName, transaction.id)
      : transaction.id;
    const isOtherAmount = amountMinor !== subject?.amountMinor;
    const finding: FindingOf<'DEBITED'> = {
      kind: 'DEBITED',
      operatorTxId,
      amountMinor,
      isOtherAmount,
    };
    return finding;
  }

  #givenBack({ operator, subjectId }: Waiting): string | undefined {
    const provider = this.#world.providers[operator as LiveName];
    const transaction = provider.transactions.find(({ reference }) => reference === subjectId);
    if (transaction) return transaction.id;
    return provider.mayStillMove(subjectId) ? undefined : 'nothing';
  }

  /** As a person writes it down. */
  #written(operator: LiveName, operatorTxId: string): string {
    const { dials, random, providers } = this.#world;
    if (!random.chance(dials.slips)) return operatorTxId;
    const swapped = operatorTxId.replace(/(.)(.)$/, '$2$1');
    const written = random.pick([
      swapped,
      swapped,
      random.pick(providers[operator].transactions).id,
    ]);
    if (written !== operatorTxId) this.#world.checks.onSlip(written);
    return written;
  }

  #workspace(): Workspace {
    return workspaceOf(this.#world, this.#actor);
  }
}

/** The payments that an item shows beside its own: that which has the transaction, and that of which it went back. */
function otherSideOf({ item }: Waiting): string[] {
  type Shown = { paymentId?: string } | undefined;
  const { booked, reserved } = (item?.detail ?? {}) as { booked?: Shown; reserved?: Shown };
  return [booked, reserved].flatMap((shown) => shown?.paymentId ?? []);
}

/** What the command line lists for a person: the ids of the payments, refunds and reversals. */
export async function listedForReview({ store, scheduler, dials }: World): Promise<Set<string>> {
  const sentBeforeMs = scheduler.nowMs - dials.reviewAfterMs;
  const waiting = await listOpenCases(store.database, sentBeforeMs);
  return new Set(
    waiting.flatMap((each) =>
      [each.subjectId, each.item?.subjectId ?? [], otherSideOf(each)].flat(),
    ),
  );
}
