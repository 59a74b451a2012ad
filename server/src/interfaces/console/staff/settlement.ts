import {
  longestBankReference,
  parseBankReference,
  recordBankReference,
} from '../../../money/settlements/bank-reference.ts';
import { downloadPayout } from '../../../money/settlements/download.ts';
import { completeByHand, failByHand } from '../../../money/settlements/manual-outcome.ts';
import type { Settlement } from '../../../money/settlements/settlement.ts';
import { findSettlementById } from '../../../money/settlements/store.ts';
import { type PayoutFormat, payoutFormats } from '../../../platform/config/payout-account.ts';
import { ApprovalNeeded, DomainError, NotNow, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { findMerchant } from '../../../tenants/merchants/store.ts';
import type { Redirect, StaffAction, StaffPage, View } from '../page.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { button, field, form, hidden, notice } from '../parts/form.ts';
import { given } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { accountFact, settlementItems, settlementSummary } from '../parts/settlement.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './settlements.words.ts';

/** One payout: its items, its progress and, for people who may decide, whether the bank has paid it. */
export const staffSettlementPage: StaffPage = {
  path: 'settlements/:id',
  permission: 'settlements.read',
  show: (visit) => view(visit),
  actions: {
    complete: decision('COMPLETE'),
    fail: decision('FAIL'),
    reference: { permission: 'settlements.decide', run: recordReference },
  },
};

/** The order for the bank, as a file. */
export const payoutOrderPage: StaffPage = {
  path: 'settlements/:id/order',
  permission: 'settlements.download',
  async show(visit) {
    const seen = await settlementOf(visit);
    const format = payoutFormats.find((each) => each === visit.query.get('format'));
    const { services, author } = visit;
    const { payouts } = services.staff.config;
    try {
      const file = await downloadPayout({ ...services, ...author, payouts }, seen, format);
      return {
        send: (reply) =>
          reply
            .header('content-type', `${contentTypes[file.format]}; charset=utf-8`)
            .header('content-disposition', `attachment; filename="${file.fileName}"`)
            .send(file.content),
      };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_STATE') throw error;
      return refused(visit, allWords[visit.language].noOrder);
    }
  },
};

const contentTypes: Record<PayoutFormat, string> = {
  csv: 'text/csv',
  'pain.001': 'application/xml',
};

/** @throws NOT_FOUND */
async function settlementOf({ services, params }: StaffContext): Promise<Settlement> {
  const id = parseId('se', params.id ?? '');
  const found = id && (await findSettlementById(services.database, id));
  if (!found) throw notFound('settlement');
  return found;
}

/** The decision applies to the state that was shown: a form of an older state decides nothing. */
function decision(to: 'COMPLETE' | 'FAIL'): StaffAction {
  return {
    permission: 'settlements.decide',
    isSensitive: true,
    async run(visit, sent): Promise<View | Redirect> {
      const words = allWords[visit.language];
      const seen = await settlementOf(visit);
      if (sent.text('version') !== String(seen.version)) return refused(visit, words.changed);
      try {
        // The reference completes nothing, so it stays if another person must approve the rest.
        const isGiven = to === 'COMPLETE' && sent.text('bankReference') !== '';
        if (isGiven && seen.status === 'PROCESSING') await keepReference(visit, sent, seen);
        return await decide(visit, sent, seen, to);
      } catch (error) {
        if (error instanceof NotNow) return refused(visit, words.notNow);
        const isWrong = error instanceof DomainError && error.code === 'VALIDATION_ERROR';
        if (isWrong) return refused(visit, words.wrongReference);
        const isOver = error instanceof DomainError && error.code === 'INVALID_STATE';
        if (!isOver) throw error;
        return refused(visit, words.changed);
      }
    },
  };
}

/** Records the bank's reference, before or after the payout is completed. */
async function recordReference(visit: StaffContext, sent: SentForm): Promise<View | Redirect> {
  const seen = await settlementOf(visit);
  try {
    await keepReference(visit, sent, seen);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isWrong = error.code === 'VALIDATION_ERROR';
    const words = allWords[visit.language];
    return refused(visit, isWrong ? words.wrongReference : words.changed);
  }
  return { to: visit.to(`settlements/${formatId('se', seen.id)}`, { done: 'referenced' }) };
}

async function keepReference(
  { services, author }: StaffContext,
  sent: SentForm,
  seen: Settlement,
): Promise<void> {
  const reference = parseBankReference(sent.text('bankReference'));
  await services.database.transaction((transaction) =>
    recordBankReference(transaction, { ...services, ...author }, { seen, reference }),
  );
}

async function refused(visit: StaffContext, problem: string): Promise<View> {
  return { ...(await view(visit, problem)), status: 409 };
}

async function decide(
  visit: StaffContext,
  sent: SentForm,
  seen: Settlement,
  to: 'COMPLETE' | 'FAIL',
): Promise<Redirect> {
  const { services, author } = visit;
  const { database, clock, ids, fourEyes, staff } = services;
  const { payoutFolder } = staff;
  const page = `settlements/${formatId('se', seen.id)}`;
  const act = to === 'COMPLETE' ? completeByHand : failByHand;
  try {
    const dependencies = { database, clock, ids, fourEyes, payoutFolder, ...author };
    const { warning } = await act(dependencies, seen);
    const done = to === 'COMPLETE' ? 'completed' : 'failed';
    return { to: visit.to(page, { done, ...(warning && { warning: warning.kind }) }) };
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    const { key } = keyedRequest(sent, { to });
    const asking = { tenantId: seen.tenantId, asker: askerOf(visit), key };
    await services.askApproval.settlement(asking, { settlementId: seen.id, to });
    return { to: visit.to('approvals', { done: 'asked' }) };
  }
}

async function view(visit: StaffContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const settlement = await settlementOf(visit);
  const [merchant, account] = await Promise.all([
    findMerchant(database, settlement.merchantId),
    accountFact(visit, settlement),
  ]);
  const id = formatId('me', settlement.merchantId);
  const whose = html`<a href="${visit.to(`merchants/${id}`)}">${given(merchant?.name) ?? id}</a>`;
  const main = html`${problem === undefined ? doneNotices(visit) : notice(problem, 'bad')}
${settlementSummary(visit, settlement, { more: [[words.merchant, whose], account], meanings: words.meanings })}
${visit.can('settlements.download') ? order(visit, settlement) : undefined}
${visit.can('settlements.decide') ? html`${forms(visit, settlement)}${referenceForm(visit, settlement)}` : undefined}
<h2>${words.items}</h2>
${await settlementItems(visit, settlement)}`;
  return { title: words.one, main, scripts: ['money.css'] };
}

function order(visit: StaffContext, { id, status }: Settlement): Html | undefined {
  const words = allWords[visit.language];
  if (status !== 'PROCESSING' && status !== 'COMPLETED') return undefined;
  const link = (format: PayoutFormat, label: string) =>
    html`<a class="button plain" download href="${visit.to(`settlements/${formatId('se', id)}/order`, { format })}">${label}</a>`;
  return html`<section class="card"><h2>${words.order}</h2><p class="hint">${words.orderHint}</p>
<p class="bar">${link('pain.001', 'XML (pain.001)')} ${link('csv', 'CSV')}</p></section>`;
}

const referenceField = (visit: StaffContext, value: string | null) => {
  const words = allWords[visit.language];
  return field('bankReference', words.bankReference, {
    value: value ?? undefined,
    hint: words.bankReferenceHint,
    maxLength: longestBankReference,
  });
};

/** Once the bank has paid, its reference can still be added or corrected. */
function referenceForm(
  visit: StaffContext,
  { status, bankReference }: Settlement,
): Html | undefined {
  const words = allWords[visit.language];
  if (status !== 'COMPLETED') return undefined;
  return html`<section class="card">${form(visit, html`${referenceField(visit, bankReference)}${button('reference', words.saveReference, 'plain')}`)}</section>`;
}

function doneNotices(visit: StaffContext): Html {
  const words = allWords[visit.language];
  const warning = visit.query.get('warning') ?? '';
  const said = Object.hasOwn(words.warnings, warning) ? words.warnings[warning] : undefined;
  return html`${doneNotice(visit, words.done)}${said === undefined ? undefined : notice(said, 'bad')}`;
}

function forms(visit: StaffContext, settlement: Settlement): Html | undefined {
  const words = allWords[visit.language];
  const { status } = settlement;
  if (status !== 'PROCESSING' && status !== 'PENDING') return undefined;
  const needsTwo = visit.services.fourEyes.has('settlements');
  const fold = (action: 'complete' | 'fail', means: string, label: string) => {
    const asks = action === 'complete' ? words.askComplete : words.askFail;
    const kind = action === 'complete' ? 'primary' : 'danger';
    const reference =
      action === 'complete' ? referenceField(visit, settlement.bankReference) : undefined;
    const fields = html`${keyField(visit)}${hidden('version', String(settlement.version))}${reference}`;
    return html`<details class="more"><summary>${words[action]}</summary><section class="card"><p>${means}</p>
${needsTwo ? notice(words.needsTwo) : undefined}
${form(visit, html`${fields}${button(action, needsTwo ? asks : label, kind)}`)}</section></details>`;
  };
  return html`<h2>${words.decide}</h2>
${status === 'PROCESSING' ? fold('complete', words.completeMeans, words.completeNow) : undefined}
${fold('fail', words.failMeans, words.failNow)}`;
}
