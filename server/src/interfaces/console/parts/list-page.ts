import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, type IdPrefix, parseId } from '../../../platform/values/ids.ts';
import type { Permission } from '../../../tenants/people/permissions.ts';
import type { StaffPermission } from '../../../tenants/people/staff-permissions.ts';
import type { Page, View } from '../page.ts';
import type {
  MerchantContext,
  RequestContext,
  SentForm,
  StaffContext,
} from '../request-context.ts';
import type { Language } from '../words/common.ts';
import type { Filters } from './filters.ts';
import { type FieldErrors, notice } from './form.ts';
import { doneNotice } from './success-notice.ts';
import { askedOf, type Column, empty, table } from './table.ts';

/** Rows on a page. */
const limit = 25;

type Later<Value> = Value | Promise<Value>;

/** The words of every list. */
export interface ListWords {
  title: string;
  nothing: string;
  nothingHint?: string;
  /** If the filters let nothing through. */
  noMatch?: string;
}

export interface Loaded<Row> {
  /** Those of the page, and one more if there are more. Undefined: the note says why there are none. */
  rows: readonly Row[] | undefined;
  /** The place of the last row that was looked at, if it is not the last one shown. */
  next?: string | undefined;
  /** Stands above the rows. */
  note?: Html | undefined;
}

/** Filters, the rows that they let through, and the way to further ones. */
export type List<Visiting, Words, Filter, Row> = {
  words: Readonly<Record<Language, Words>>;
  filters?(visit: Visiting, words: Words): Later<Filters<Filter>>;
  load(
    visit: Visiting,
    filter: Filter,
    page: { limit: number; startingAfter: string | undefined },
  ): Promise<readonly Row[] | Loaded<Row>>;
  /** What the address says of the last row, to load those after it: an id with this prefix, or a text. */
  cursor: IdPrefix | ((row: Row) => string);
  /** The next page is newer, or has no age. */
  isOldestFirst?: boolean;
  /** What leads out of an empty list. */
  emptyAction?: (visit: Visiting) => Html | undefined;
} & (
  | {
      columns(visit: Visiting, words: Words, rows: readonly Row[]): Later<Column<Row>[]>;
    }
  | { render(visit: Visiting, words: Words, rows: readonly Row[]): Later<Html> }
);

/** What was refused of a form on the page. */
export interface Refused {
  problem?: string | undefined;
  errors?: FieldErrors;
  sent?: SentForm;
}

/** The words of a page that is a list. */
export interface PageWords extends ListWords {
  intro?: string;
  /** By the word that an action leaves in the address. */
  done?: Readonly<Record<string, string>>;
}

/** A page that is a list. */
export type ListPage<Visiting, Permitted, Words, Filter, Row> = List<
  Visiting,
  Words,
  Filter,
  Row
> & {
  path: string;
  permission: Permitted;
  /** The page that makes a new one. */
  create?: {
    page: string;
    permission: Permitted;
    label(words: Words): string;
    /** Whether the page exists here; by default always. */
    isOffered?: (visit: NoInfer<Visiting>) => boolean;
  };
  /** Other pages, beside the button. */
  links?(visit: Visiting, words: Words): Html;
  above?(visit: Visiting, words: Words, refused: Refused): Later<Html | undefined>;
  /** Shown if the filters can be understood. */
  below?(
    visit: Visiting,
    words: Words,
    shown: Refused & { rows: readonly Row[] },
  ): Later<Html | undefined>;
  actions?: Page<Visiting & RequestContext, Permitted>['actions'];
  refreshMs?: number;
  /** The page refreshes itself only while this holds; without it, always. */
  refreshWhile?: (rows: readonly NoInfer<Row>[], visit: Visiting) => boolean;
  scripts?: readonly string[];
};

/** Its actions can show it again, with what they refuse. */
export interface ShownListPage<Visiting extends RequestContext, Permitted>
  extends Page<Visiting, Permitted> {
  view(visit: Visiting, refused?: Refused): Promise<View>;
}

export function listPage<
  Visiting extends RequestContext & { can(permission: Permitted): boolean },
  Permitted,
  Words extends PageWords,
  Filter,
  Row,
>(list: ListPage<Visiting, Permitted, Words, Filter, Row>): ShownListPage<Visiting, Permitted> {
  const { path, permission, create, scripts, actions } = list;
  const refreshMsFor = (visit: Visiting, rows: readonly Row[] = []) =>
    (list.refreshWhile?.(rows, visit) ?? true) ? list.refreshMs : undefined;
  const view = async (visit: Visiting, refused?: Refused): Promise<View> => {
    const words = list.words[visit.language];
    const top = refused?.problem
      ? notice(refused.problem, 'bad')
      : doneNotice(visit, words.done ?? {});
    const button =
      create && visit.can(create.permission) && (create.isOffered?.(visit) ?? true)
        ? html`<a class="button primary" href="${visit.to(create.page)}">${create.label(words)}</a>`
        : undefined;
    const emptyAction = button ? () => button : list.emptyAction;
    const section = await sectionOf(visit, { ...list, ...(emptyAction && { emptyAction }) });
    const bar = [section.isEmpty ? undefined : button, list.links?.(visit, words)].filter(
      (each) => each !== undefined,
    );
    const main = html`${top}
${words.intro && html`<p class="hint">${words.intro}</p>`}
${bar.length > 0 ? html`<p class="bar">${bar}</p>` : undefined}
${await list.above?.(visit, words, refused ?? {})}
${section.main}
${section.rows && (await list.below?.(visit, words, { ...refused, rows: section.rows }))}`;
    const status =
      section.isWrong || refused
        ? { status: 400 }
        : { refreshMs: refreshMsFor(visit, section.rows) };
    return { title: words.title, main, scripts, ...status };
  };
  return { path, permission, show: (visit) => view(visit), ...(actions && { actions }), view };
}

/** Pages with actions are named so, since these show them again. */
export type MerchantListPage = ShownListPage<MerchantContext, Permission>;
export type StaffListPage = ShownListPage<StaffContext, StaffPermission>;

/** A list on a page that shows other things too. */
export const listSection = async <
  Visiting extends RequestContext,
  Words extends ListWords,
  Filter,
  Row,
>(
  visit: Visiting,
  list: List<Visiting, Words, Filter, Row>,
): Promise<Html> => (await sectionOf(visit, list)).main;

interface Section<Row> {
  main: Html;
  /** Undefined if none can be loaded. */
  rows?: readonly Row[] | undefined;
  /** The filters cannot be understood. */
  isWrong?: boolean;
  /** Not even filters hide rows. */
  isEmpty?: boolean;
}

async function sectionOf<Visiting extends RequestContext, Words extends ListWords, Filter, Row>(
  visit: Visiting,
  list: List<Visiting, Words, Filter, Row>,
): Promise<Section<Row>> {
  const words = list.words[visit.language];
  const filters = await list.filters?.(visit, words);
  const form = filters && filterForm(visit, filters);
  if (filters && Object.values(filters.errors).some(Boolean)) {
    const main = html`${form}${notice(visit.words.errors.VALIDATION_ERROR, 'bad')}`;
    return { main, isWrong: true };
  }
  const text = visit.query.get('starting_after') || undefined;
  const { cursor } = list;
  const startingAfter = typeof cursor === 'string' ? parseId(cursor, text ?? '') : text;
  const found = await list.load(visit, filters?.filter as Filter, { limit, startingAfter });
  const { rows, next, note }: Loaded<Row> = 'rows' in found ? found : { rows: found };
  const shown = rows?.slice(0, limit) ?? [];
  const isMore = rows !== undefined && hasMore(rows, shown.length);
  const last = isMore ? placeOf(cursor, shown.at(-1)!) : next;
  const isNarrowed = filters?.isNarrowed || text !== undefined;
  const isEmpty = rows?.length === 0 && !isNarrowed;
  const nothing =
    isNarrowed && words.noMatch
      ? empty(words.noMatch)
      : empty(words.nothing, words.nothingHint, isEmpty ? list.emptyAction?.(visit) : undefined);
  const main = html`${form}${note}
${shown.length === 0 ? rows && nothing : await shownRows(visit, list, shown)}
${pager(visit, last, list.isOldestFirst)}`;
  return { main, isEmpty, rows: rows && shown };
}

/** A page that would be too large to send has fewer rows than were found. */
const hasMore = (rows: readonly unknown[], shown: number): boolean =>
  ((rows[0] as { rowsFound?: number } | undefined)?.rowsFound ?? rows.length) > shown;

const placeOf = <Row>(cursor: IdPrefix | ((row: Row) => string), row: Row): string =>
  typeof cursor === 'string' ? formatId(cursor, (row as { id: string }).id) : cursor(row);

async function shownRows<Visiting, Words extends ListWords, Filter, Row>(
  visit: Visiting & RequestContext,
  list: List<Visiting, Words, Filter, Row>,
  rows: readonly Row[],
): Promise<Html> {
  const words = list.words[visit.language];
  if ('render' in list) return list.render(visit, words, rows);
  return table(words.title, await list.columns(visit, words, rows), rows);
}

function filterForm<Filter>(
  visit: RequestContext,
  { fields, more, isNarrowed, isSearch, fold, errors }: Filters<Filter>,
): Html {
  const { words } = visit;
  const address = visit.to(visit.page);
  const clear = isNarrowed ? html`<a href="${address}">${words.clear}</a>` : undefined;
  const inner = html`${fields}
<div class="bar"><button class="button plain">${isSearch ? words.find : words.apply}</button>${clear}</div>
${more}`;
  const isOpen = Object.values(errors).some(Boolean) ? html` open` : undefined;
  return html`<form class="filters" action="${address}"${isSearch ? html` role="search"` : undefined}>
${fold === undefined ? inner : html`<details class="fold"${isOpen}><summary>${fold}</summary><div class="filters">${inner}</div></details>`}
</form>`;
}

/** Links to the first page and to the next: lists go by places, so there is no way back by one. */
function pager(
  visit: RequestContext,
  last: string | undefined,
  isOldestFirst = false,
): Html | undefined {
  const { starting_after: after, ...filters } = askedOf(visit);
  if (after === undefined && last === undefined) return undefined;
  const { newer, older, firstPage, nextPage } = visit.words;
  const [back, on] = isOldestFirst ? [firstPage, nextPage] : [newer, older];
  const address = (place?: string) => visit.to(visit.page, { ...filters, starting_after: place });
  return html`<nav class="pager" aria-label="${on}">
${after === undefined ? undefined : html`<a href="${address()}">${back}</a>`}
${last === undefined ? undefined : html`<a href="${address(last)}" rel="next">${on}</a>`}
</nav>`;
}
