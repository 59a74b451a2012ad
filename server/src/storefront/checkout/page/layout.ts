import { type Html, html } from '../../../platform/text/html.ts';
import { type Language, languages } from '../../../platform/text/language.ts';
import { type Assets, pageAssets } from './assets.ts';
import { type Locale, locales, type Notice } from './locale.ts';
import { queryOf } from './query-parameters.ts';

/** Only our own files load and run; only these sites may frame the page, and only in pages that they alone frame. */
export const contentSecurityPolicy = (frameOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
  ].join('; ');

export interface Frame {
  words: Locale;
  /** The languages to choose from; all, unless given. */
  offered?: readonly Language[] | undefined;
  title: string;
  /** `#rrggbb` */
  colour: string;
  /** From the page to its folder, which also holds the files of the page. */
  folder: string;
  main: Html;
  head?: Html | undefined;
  banner?: Html | undefined;
  /** Query parameters kept when the language changes. */
  keep?: Record<string, string | undefined> | undefined;
  /** Those of the payment page, unless given. */
  assets?: Assets | undefined;
  /** The sites that may frame the page, if it is in a frame. */
  framedBy?: readonly string[] | undefined;
}

/** A whole page. All addresses are relative, so that they work behind a proxy that adds a path. */
export function document(frame: Frame): string {
  const { words, title, colour, folder, main, head, banner, assets = pageAssets } = frame;
  const frameScript =
    frame.framedBy &&
    html`<script type="module" src="${folder}${assets.frameScriptPath}" data-origins="${frame.framedBy.join(' ')}"></script>`;
  return html`<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}${assets.stylePath(colour)}">
<script type="module" src="${folder}${assets.scriptPath}"></script>
${frameScript}
${head}
</head>
<body>
${banner}
${main}
<p id="offline" hidden>${words.offline}</p>
<footer>${languageSwitch(frame)}<p>${words.poweredBy} <b>Zimbo</b></p></footer>
<p id="said" class="unseen" role="status"></p>
</body>
</html>
`.text;
}

function languageSwitch({ words, offered = languages, keep }: Frame): Html | undefined {
  if (offered.length < 2) return undefined;
  const links = offered.map((language) => {
    const { tag, name } = locales[language];
    return language === words.language
      ? html`<li aria-current="true" lang="${tag}">${name}</li>`
      : html`<li><a href="${queryOf({ lang: language, ...keep })}" lang="${tag}" hreflang="${tag}">${name}</a></li>`;
  });
  return html`<nav aria-label="${words.chooseLanguage}"><ul>${links}</ul></nav>`;
}

/** A page that explains an error and its remedy. */
export function errorPage(
  frame: Pick<Frame, 'words' | 'colour' | 'folder' | 'assets' | 'framedBy'>,
  notice: Notice,
): string {
  const main = html`<main data-ended><h1 class="alone">${notice.title}</h1><p>${notice.advice}</p></main>`;
  return document({ ...frame, title: notice.title, main });
}
