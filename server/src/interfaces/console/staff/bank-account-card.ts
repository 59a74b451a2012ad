import { type Approval, requestOf } from '../../../backoffice/approvals/approval.ts';
import { type ListedApproval, listOpen } from '../../../backoffice/approvals/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import type { BankAccount } from '../../../tenants/merchants/bank-account.ts';
import {
  listAccounts,
  listCurrentAccounts,
} from '../../../tenants/merchants/bank-account-store.ts';
import { changeBankAccount } from '../../../tenants/merchants/change-bank-account.ts';
import { findTenant } from '../../../tenants/merchants/store.ts';
import { askerOf } from '../parts/approval-actor.ts';
import { accountEnd, accountFacts } from '../parts/bank-account.ts';
import { accountWords } from '../parts/bank-account.words.ts';
import { button, field, form, select } from '../parts/form.ts';
import { given, instant } from '../parts/format.ts';
import { freshKey, keyField } from '../parts/idempotency-key.ts';
import { type Column, facts, table } from '../parts/table.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { words as allWords } from './bank-account-card.words.ts';
import type { Shown } from './merchant.ts';

const shownEarlier = 10;
const shownWaiting = 10;

const needsTwo = ({ services }: StaffContext) => services.fourEyes.has('bank-accounts');

/** Changes the account, or requests an approval. @returns a word for the result */
export async function changeAccount(
  visit: StaffContext,
  sent: SentForm,
  merchantId: string,
): Promise<string> {
  const { database, clock, ids, fourEyes, askApproval } = visit.services;
  const typed = {
    currency: sent.text('currency'),
    accountNumber: sent.text('accountNumber'),
    holder: sent.text('holder'),
    bic: sent.text('bic') || null,
  };
  if (!needsTwo(visit)) {
    await changeBankAccount({ database, clock, ids, fourEyes, ...visit.author }, merchantId, typed);
    return 'accountChanged';
  }
  const live = await findTenant(database, merchantId, 'live');
  const asking = { tenantId: live!.id, merchantId, asker: askerOf(visit) };
  await askApproval.bankAccount({ ...asking, key: freshKey(visit, sent) }, typed);
  return 'accountAsked';
}

/** The merchant's bank account for payouts, a requested change, and former accounts. */
export async function bankAccountCard(visit: StaffContext, shown: Shown): Promise<Html> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const { id } = shown.merchant;
  const [current, all, waiting] = await Promise.all([
    listCurrentAccounts(database, id),
    // The current accounts may be among them.
    listAccounts(database, id, { limit: shownEarlier + currencies.length }),
    listOpen(database, shown.tenants.live, ['BANK_ACCOUNT'], shownWaiting),
  ]);
  const earlier = all.filter(({ validUntilMs }) => validUntilMs !== null).slice(0, shownEarlier);
  const mayWrite = visit.can('bank_accounts.write');
  return html`<section class="card"><h2>${words.title}</h2>
<p class="hint">${words.hint}</p>
${visit.can('audit.read') ? html`<p><a href="${visit.to('audit', { action: 'merchant.bank_account_changed', merchant: formatId('me', id) })}">${words.whoChanged}</a></p>` : undefined}
${current.length === 0 ? html`<p>${words.none}</p>` : current.map((account) => one(visit, account, mayWrite))}
${waiting.map((approval) => asked(visit, approval, mayWrite))}
${mayWrite ? changeForm(visit, shown) : undefined}
${earlier.length === 0 ? undefined : history(visit, earlier)}</section>`;
}

const one = (visit: StaffContext, account: BankAccount, mayWrite: boolean): Html =>
  facts([
    ...accountFacts(visit, account, mayWrite),
    [allWords[visit.language].since, instant(visit, account.validFromMs)],
  ]);

function asked(visit: StaffContext, approval: ListedApproval, mayWrite: boolean): Html {
  const words = allWords[visit.language];
  const details = requestOf(approval as Approval<'BANK_ACCOUNT'>);
  return html`<h3>${accountWords[visit.language].change}</h3>
<p class="notice note">${words.waiting}</p>
${facts([
  ...accountFacts(visit, details, mayWrite),
  [words.askedBy, given(approval.askerName) ?? words.gone],
  [words.askedAt, instant(visit, approval.askedAtMs)],
])}`;
}

function changeForm(visit: StaffContext, { errors, sent }: Shown): Html {
  const words = allWords[visit.language];
  const labels = accountWords[visit.language];
  const isSent = sent?.text('action') === 'bank-account';
  const typed = isSent ? sent : visit.kept;
  const value = (name: string) => typed?.text(name);
  const isOpen = isSent || value('accountNumber') ? html` open` : undefined;
  const isTwo = needsTwo(visit);
  const choices = currencies.map((each) => [each, each] as const);
  return html`<details class="more"${isOpen}><summary>${words.change}</summary>
${isTwo ? html`<p class="hint">${words.needsTwo}</p>` : undefined}
${form(
  visit,
  html`${keyField(visit, typed)}
${select('currency', labels.currency, choices, { value: value('currency'), error: errors.currency })}
${field('accountNumber', labels.account, { value: value('accountNumber'), error: errors.accountNumber, hint: words.numberHint, isRequired: true, maxLength: 64, autoComplete: 'off' })}
${field('holder', labels.holder, { value: value('holder'), error: errors.holder, isRequired: true, maxLength: 140, autoComplete: 'off' })}
${field('bic', labels.bic, { value: value('bic'), error: errors.bic, hint: words.bicHint, maxLength: 16, autoComplete: 'off' })}
${button('bank-account', isTwo ? words.ask : words.save)}`,
)}</details>`;
}

function history(visit: StaffContext, earlier: readonly BankAccount[]): Html {
  const words = allWords[visit.language];
  const labels = accountWords[visit.language];
  const columns: Column<BankAccount>[] = [
    { head: labels.currency, cell: ({ currency }) => currency },
    { head: labels.account, cell: ({ accountNumber }) => accountEnd(accountNumber) },
    { head: labels.holder, cell: ({ holder }) => given(holder) },
    { head: words.since, cell: ({ validFromMs }) => instant(visit, validFromMs) },
    { head: words.until, cell: ({ validUntilMs }) => instant(visit, validUntilMs!) },
  ];
  return html`<details class="more"><summary>${words.history}</summary>${table(words.history, columns, earlier)}</details>`;
}
