import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { createMerchantOnce } from '../../../tenants/merchants/create-merchant.ts';
import { type Merchant, searchMerchants } from '../../../tenants/merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { button, field, form } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { day, given, idText } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { cellColumn, createdIn } from './cells.ts';
import { words as allWords } from './merchants.words.ts';

const pageSize = 50;
const longestSearch = 100;

/** Who takes payments with this gateway: found by name or id. */
export const merchantsPage: StaffPage = {
  path: 'merchants',
  permission: 'merchants.read',
  show: (visit) => list(visit),
  actions: {
    create: {
      permission: 'merchants.write',
      async run(visit, sent) {
        const made = await refusalOr(makeOnce(visit, sent));
        if ('id' in made) return { to: visit.to(`merchants/${formatId('me', made.id)}`) };
        const wrong = allWords[visit.language].wrongName;
        return { ...(await list(visit, { name: sent.text('name'), wrong })), status: 400 };
      },
    },
  },
};

async function makeOnce(visit: StaffContext, sent: SentForm): Promise<Merchant> {
  const { database, clock, ids } = visit.services;
  const name = sent.text('name');
  const { key } = keyedRequest(sent, { name });
  const once = { by: visit.person.id, key };
  return (await createMerchantOnce({ database, clock, ids, ...visit.author }, name, once)).merchant;
}

interface Refused {
  name: string;
  wrong: string;
}

async function list(visit: StaffContext, refused?: Refused): Promise<View> {
  const asked = (visit.query.get('q') ?? '').trim().slice(0, longestSearch);
  const page = {
    id: parseId('me', asked),
    name: asked,
    afterId: parseId('me', visit.query.get('starting_after') ?? ''),
    limit: pageSize + 1,
  };
  const rows = await everywhere(visit, (database) => searchMerchants(database, page));
  const found = mergeRows(rows, ({ id }) => [id]);
  const words = allWords[visit.language];
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  const nothing = asked === '' ? empty(words.none, words.noneHint) : empty(words.noMatch);
  const main = html`<form class="filters" role="search"><div class="field"><label for="q">${words.search}</label><input id="q" name="q" type="search" maxlength="${longestSearch}" value="${asked}"></div>
<p class="bar"><button class="button plain">${words.find}</button>${asked === '' ? undefined : html`<a href="${visit.to('merchants')}">${visit.words.clear}</a>`}</p></form>
${shown.length === 0 ? nothing : table(words.title, columns(visit), shown)}
${pager(visit, 'merchants', last && formatId('me', last.id))}
${visit.can('merchants.write') ? createCard(visit, refused) : undefined}`;
  return { title: words.title, main };
}

function createCard(visit: StaffContext, refused: Refused | undefined): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${words.create}</h2>${createdIn(visit)}
${form(
  visit,
  html`${keyField(visit)}${field('name', words.name, { value: refused?.name, error: refused?.wrong, hint: words.createHint, isRequired: true, maxLength: 255 })}
${button('create', words.create)}`,
)}</section>`;
}

function columns(visit: StaffContext): Column<Merchant & InCell>[] {
  const words = allWords[visit.language];
  return [
    {
      head: words.name,
      cell: (row) =>
        html`<a href="${visitOf(visit, row).to(`merchants/${formatId('me', row.id)}`)}"><b>${given(row.name)}</b></a>`,
    },
    ...cellColumn(visit),
    { head: words.id, cell: ({ id }) => idText('me', id) },
    { head: words.since, cell: ({ createdAtMs }) => day(visit, createdAtMs) },
  ];
}
