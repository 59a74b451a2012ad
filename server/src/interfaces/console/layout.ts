import { mostCounted } from '../../operations/notifications/list-notices.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { timeZoneNameAt } from '../../platform/text/time-zone-name.ts';
import { named, nameText } from '../../storefront/checkout/page/state.ts';
import { assetPath } from './assets.ts';
import { icon } from './icons.ts';
import { type MenuGroup, navigation, startPage } from './navigation.ts';
import { words as allWords } from './navigation.words.ts';
import type { View } from './page.ts';
import { notice } from './parts/form.ts';
import type { MerchantContext, RequestContext } from './request-context.ts';
import { commonWords, type Language, languages } from './words/common.ts';

/** Only our own files load and run; other sites may neither frame a page nor receive its forms. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Frame {
  language: Language;
  /** The path of CONSOLE_URL, before `/console`; empty in most cases. */
  root: string;
  title: string;
  body: Html;
  scripts?: readonly string[];
  /** The tags that let a phone install the console. */
  manifest?: string | undefined;
}

/** A document around a body. */
export function document({ language, root, title, body, scripts = [], manifest }: Frame): string {
  return html`<!doctype html>
<html lang="${commonWords[language].tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#0b5d44">
<title>${nameText(title)} · Zimbo</title>
<link rel="icon" href="${root}${assetPath('icon.svg')}" type="image/svg+xml">
${manifest === undefined ? undefined : html`<link rel="manifest" href="${manifest}" crossorigin="use-credentials">`}
${['console.css', ...scripts.filter((name) => name.endsWith('.css'))].map((name) => html`<link rel="stylesheet" href="${root}${assetPath(name)}">`)}
${[...scripts.filter((name) => name.endsWith('.js')), 'console.js'].map((name) => html`<script defer src="${root}${assetPath(name)}"></script>`)}
</head>
${body}
</html>
`.text;
}

/** A merchant's page with its menu and bars. */
export function merchantPage(visit: MerchantContext, root: string, view: View): string {
  const { words, merchant } = visit;
  const isTest = visit.mode === 'test';
  return framedPage(visit, root, view, {
    name: html`<span>${named(merchant.name)}</span>`,
    manifest: visit.can('payments.charge') ? visit.to('manifest.webmanifest') : undefined,
    search: visit.can('payments.read')
      ? searchBox(visit, { label: words.search, hint: words.searchHint })
      : undefined,
    start: startPage((permission) => visit.can(permission), visit.services) ?? '',
    hasNotices: visit.can('payments.read'),
    banner: html`${isTest ? html`<aside class="test-banner" aria-label="${words.mode}">${words.testBanner}</aside>` : undefined}
${visit.terms.suspendedAtMs === null ? undefined : html`<p class="notice bad" role="status">${words.suspended}</p>`}`,
    menu: html`${modeSwitch(visit)}${menu(visit, navigation, words)}`,
  });
}

/** The differences between merchants' pages and staff pages. */
interface GatewayOptions {
  /** A class of the whole page. */
  kind?: string;
  /** The owner of the pages. */
  name: Html;
  manifest?: string | undefined;
  search?: Html | undefined;
  /** The page that the brand leads to; by default the first one. */
  start?: string;
  /** Whether the bell leads somewhere. */
  hasNotices?: boolean;
  banner?: Html | undefined;
  menu: Html;
}

/** A page with its menu and bars. */
export function framedPage(
  visit: RequestContext,
  root: string,
  view: View,
  around: GatewayOptions,
): string {
  const { language, words } = visit;
  const { title, scripts = [] } = view;
  const frame = { language, root, title, scripts, manifest: around.manifest };
  if (view.bare) return document({ ...frame, body: html`<body class="bare">${view.main}</body>` });
  const body = html`<body${around.kind === undefined ? undefined : html` class="${around.kind}"`}>
<a class="skip" href="#main">${words.skip}</a>
${topBar(visit, around)}
${around.banner}
<div class="frame">
<nav class="side" aria-label="${words.menu}">${around.menu}</nav>
${main(visit, view)}
</div>
<p id="said" class="unseen" role="status"></p>
</body>`;
  return document({ ...frame, body });
}

/** A page without a merchant, or of a person alone: sign-in, account, problems. */
export function plainPage(
  frame: Omit<Frame, 'body'> & { query?: URLSearchParams },
  content: Html,
): string {
  const body = html`<body class="plain">
<main id="main"><p class="brand">${icon('mark')} Zimbo</p>${content}</main>
${languageSwitch(frame.language, frame.query)}
<p id="said" class="unseen" role="status"></p>
</body>`;
  return document({ ...frame, body });
}

function main(visit: RequestContext, { title, main: content, refreshMs, timeZone }: View): Html {
  const live = refreshMs === undefined ? undefined : html` data-refresh-ms="${refreshMs}"`;
  const unseen =
    visit.query.get('done') === 'unseen'
      ? notice(allWords[visit.language].doneUnseen, 'good')
      : undefined;
  return html`<main id="main" tabindex="-1"${live}><h1>${title}</h1>${unseen}${content}${zoneLine(visit, timeZone)}</main>`;
}

/** Names the time zone of all times on the page. */
const zoneLine = (
  { language, words, nowMs, ...visit }: RequestContext,
  timeZone = visit.timeZone,
) => html`<p class="hint zone">${words.timesIn} ${timeZoneNameAt(language, timeZone, nowMs)}</p>`;

function topBar(visit: RequestContext, around: GatewayOptions): Html {
  const { name, search, menu, start = '', hasNotices = true } = around;
  const { words, person } = visit;
  const places = visit.memberships.length + (visit.staffRole === null ? 0 : 1);
  return html`<header class="top">
<details class="menu small"><summary>${icon('menu')} ${words.menu}</summary><nav class="sheet" aria-label="${words.menu}">${menu}</nav></details>
<a class="brand" href="${visit.to(start)}">${icon('mark')} ${name}</a>
${search}
${hasNotices ? bell(visit) : undefined}
<details class="menu person"><summary>${icon('person')} <span>${named(person.name)}</span></summary>
<div class="sheet">
${person.email === null ? undefined : html`<p class="hint">${person.email}</p>`}
${visit.isOnTill || visit.isAtTill ? html`<a href="${visit.address('/console/till')}">${words.changePerson}</a>` : undefined}
${visit.isAtTill ? undefined : html`<a href="${visit.address('/console/account')}">${words.account}</a>`}
${places > 1 ? html`<a href="${visit.address('/console')}">${words.merchants}</a>` : undefined}
${languageLinks(visit.language, visit.query)}
<form method="post" action="${visit.address('/console/sign-out')}"><input type="hidden" name="csrf" value="${visit.csrfToken}"><button class="link">${words.signOut}</button></form>
</div></details>
</header>`;
}

/** The link to notices, with the number of unread ones. */
function bell(visit: RequestContext): Html {
  const { words, unread, page } = visit;
  const count = unread < mostCounted ? String(unread) : `${mostCounted - 1}+`;
  const label = unread === 0 ? words.notices : words.unread(count);
  const here = page === 'notices' ? html` aria-current="page"` : undefined;
  const badge =
    unread === 0 ? undefined : html`<span class="badge" aria-hidden="true">${count}</span>`;
  return html`<a class="bell" href="${visit.to('notices')}" aria-label="${label}" title="${label}"${here}>${icon('notices')}${badge}</a>`;
}

/** The box in the top bar. */
export const searchBox = (
  visit: RequestContext,
  { label, hint }: { label: string; hint: string },
): Html =>
  html`<form class="search" role="search" aria-label="${label}" action="${visit.to('payments')}"><label class="unseen" for="search">${label}</label>${icon('search')}<input id="search" name="q" type="search" maxlength="200" placeholder="${hint}" value="${visit.query.get('q') ?? undefined}"></form>`;

/** Grouped links that the role allows; empty groups are omitted. */
export function menu<Page extends string, Title extends string, Permitted>(
  visit: RequestContext & { can(permission: Permitted): boolean },
  groups: readonly MenuGroup<Page, Title, Permitted>[],
  words: { pages: Record<Page, string>; groups: Record<Title, string> },
): Html {
  const shown = groups.map(({ name, entries }) => ({
    title: name === undefined ? undefined : html`<h2>${words.groups[name]}</h2>`,
    entries: entries
      .filter(({ permission }) => visit.can(permission))
      .filter(({ isOfUse }) => isOfUse?.(visit.services) ?? true),
  }));
  return html`${shown
    .filter(({ entries }) => entries.length > 0)
    .map(
      ({ title, entries }) => html`${title}
<ul>${entries.map(({ name, page }) => menuLink(visit, name, page, words.pages[name]))}</ul>`,
    )}`;
}

function menuLink(visit: RequestContext, name: string, page: string, label: string): Html {
  const isHere = page === '' ? visit.page === '' : visit.page.split('/')[0] === page;
  return isHere
    ? html`<li><a href="${visit.to(page)}" aria-current="page">${icon(name)} ${label}</a></li>`
    : html`<li><a href="${visit.to(page)}">${icon(name)} ${label}</a></li>`;
}

function modeSwitch(visit: MerchantContext): Html {
  const { words, mode } = visit;
  const link = (each: 'live' | 'test') =>
    each === mode
      ? html`<b aria-current="true">${words[each]}</b>`
      : html`<a href="${visit.modeAddress(each)}">${words[each]}</a>`;
  return html`<p class="modes"><span class="unseen">${words.mode}:</span>${link('live')}${link('test')}</p>`;
}

/** The same page in the other language. */
function languageLinks(language: Language, query = new URLSearchParams()): Html {
  const inLanguage = (each: Language) => {
    const asked = new URLSearchParams(query);
    asked.set('lang', each);
    return asked;
  };
  return html`${languages.map((each) =>
    each === language
      ? html``
      : html`<a href="?${inLanguage(each).toString()}" lang="${each}" hreflang="${each}">${names[each]}</a>`,
  )}`;
}

const names: Record<Language, string> = { pt: 'Português', en: 'English' };

const languageSwitch = (language: Language, query?: URLSearchParams): Html =>
  html`<footer class="languages">${languageLinks(language, query)}</footer>`;
