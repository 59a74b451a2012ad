import { html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import { type Merchant, searchMerchants } from '../../merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { day, given, idText } from '../parts/format.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import type { StaffVisit } from '../visit.ts';
import { words as allWords } from './merchants.words.ts';

const pageSize = 50;
const longestSearch = 100;

/** Who takes payments with this gateway: found by name or id. */
export const merchantsPage: StaffPage = {
  path: 'merchants',
  permission: 'merchants.read',
  async show(visit) {
    const asked = (visit.query.get('q') ?? '').trim().slice(0, longestSearch);
    const found = await searchMerchants(visit.services.database, {
      id: parseId('me', asked),
      name: asked,
      afterId: parseId('me', visit.query.get('starting_after') ?? ''),
      limit: pageSize + 1,
    });
    return view(visit, asked, found);
  },
};

function view(visit: StaffVisit, asked: string, found: readonly Merchant[]): View {
  const words = allWords[visit.language];
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  const nothing = asked === '' ? empty(words.none, words.noneHint) : empty(words.noMatch);
  const main = html`<form class="filters" role="search"><div class="field"><label for="q">${words.search}</label><input id="q" name="q" type="search" maxlength="${longestSearch}" value="${asked}"></div>
<p class="bar"><button class="button plain">${words.find}</button>${asked === '' ? undefined : html`<a href="${visit.to('merchants')}">${visit.words.clear}</a>`}</p></form>
${shown.length === 0 ? nothing : table(words.title, columns(visit), shown)}
${pager(visit, 'merchants', last && formatId('me', last.id))}`;
  return { title: words.title, main };
}

function columns(visit: StaffVisit): Column<Merchant>[] {
  const words = allWords[visit.language];
  return [
    { head: words.name, cell: ({ name }) => html`<b>${given(name)}</b>` },
    { head: words.id, cell: ({ id }) => idText('me', id) },
    { head: words.since, cell: ({ createdAtMs }) => day(visit, createdAtMs) },
  ];
}
