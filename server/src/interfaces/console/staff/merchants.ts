import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import { createMerchantOnce } from '../../../tenants/merchants/create-merchant.ts';
import { type Merchant, searchMerchants } from '../../../tenants/merchants/store.ts';
import { filtersOf, text } from '../parts/filters.ts';
import { button, field, form } from '../parts/form.ts';
import { formErrors, refusalOr } from '../parts/form-errors.ts';
import { day, given, idText } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { listPage, type Refused, type StaffListPage } from '../parts/list-page.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { cellColumn, createdIn } from './cells.ts';
import { words as allWords } from './merchants.words.ts';

/** The merchants, found by name or id. */
export const merchantsPage: StaffListPage = listPage({
  path: 'merchants',
  permission: 'merchants.read',
  words: allWords,
  filters: (visit, words) => filtersOf(visit, { q: text(words.search, { type: 'search' }) }),
  async load(visit, { q = '' }, { limit, startingAfter }) {
    const asked = { id: parseId('me', q), name: q };
    const page = { afterId: startingAfter, limit: limit + 1 };
    const rows = await everywhere(visit, (database) =>
      searchMerchants(database, { ...asked, ...page }),
    );
    return mergeRows(rows, ({ id }) => [id]);
  },
  cursor: 'me',
  columns: (visit, words) => [
    {
      head: words.name,
      cell: (row) =>
        html`<a href="${visitOf(visit, row).to(`merchants/${formatId('me', row.id)}`)}"><b>${given(row.name)}</b></a>`,
    },
    ...cellColumn(visit),
    { head: words.id, cell: ({ id }) => idText('me', id) },
    { head: words.since, cell: ({ createdAtMs }) => day(visit, createdAtMs) },
  ],
  below: (visit, _, refused) =>
    visit.can('merchants.write') ? createCard(visit, refused) : undefined,
  actions: {
    create: {
      permission: 'merchants.write',
      async run(visit, sent) {
        const made = await refusalOr(makeOnce(visit, sent));
        if ('id' in made) return { to: visit.to(`merchants/${formatId('me', made.id)}`) };
        const wrong = { name: allWords[visit.language].wrongName };
        const errors = formErrors(visit, made, { wrong });
        return merchantsPage.view(visit, { sent, errors });
      },
    },
  },
});

async function makeOnce(visit: StaffContext, sent: SentForm): Promise<Merchant> {
  const { database, clock, ids } = visit.services;
  const name = sent.text('name');
  const { key } = keyedRequest(sent, { name });
  const once = { by: visit.person.id, key };
  return (await createMerchantOnce({ database, clock, ids, ...visit.author }, name, once)).merchant;
}

function createCard(visit: StaffContext, { sent, errors }: Refused): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${words.create}</h2>${createdIn(visit)}
${form(
  visit,
  html`${keyField(visit)}${field('name', words.name, { value: sent?.text('name') ?? '', error: errors?.name, hint: words.createHint, isRequired: true, maxLength: 255 })}
${button('create', words.create)}`,
)}</section>`;
}
