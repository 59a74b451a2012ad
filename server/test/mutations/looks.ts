import type { Mutation } from './list.ts';

const css = 'server/src/console/assets/console.css';
const looks = 'server/test/browser/console-looks.test.ts';
const hostile = 'server/test/browser/console-hostile.test.ts';
const each = 'in one look each';
const onNoPage = 'on no page does anything run';

/** What a browser finds wrong with a page of the console. */
export const lookMutations: readonly Mutation[] = [
  {
    name: 'looks: a page is looked at by nobody',
    file: 'server/src/console/pages/audit.ts',
    find: "path: 'audit',",
    replace: "path: 'logs',",
    test: looks,
    only: 'no page is left out',
  },
  {
    name: 'looks: the focus is not seen',
    file: css,
    find: 'outline: 3px solid var(--focus);',
    replace: 'outline: 0;',
    test: looks,
    only: each,
  },
  {
    name: 'looks: the menu comes before the way around it',
    file: 'server/src/console/layout.ts',
    find: '<details class="menu small"><summary>',
    replace: '<details class="menu small"><summary tabindex="1">',
    test: looks,
    only: each,
  },
  {
    name: 'looks: tiles are wider than a phone',
    file: css,
    find: 'minmax(min(11rem, 100%), 1fr)',
    replace: 'minmax(30rem, 1fr)',
    test: looks,
    only: each,
  },
  {
    name: 'looks: a statement is wider than its paper',
    file: css,
    find: 'table {\n    font-size: 0.75rem;',
    replace: 'table {\n    font-size: 1rem;',
    test: looks,
    only: 'what is for paper',
  },
  {
    name: 'looks: writing is too faint',
    file: css,
    find: '--soft: #57635e;',
    replace: '--soft: #a7b3ae;',
    test: looks,
    only: each,
  },
  {
    name: 'looks: Enter sends a form for a passkey without one',
    file: 'server/src/console/assets/passkey.js',
    find: 'if (isAnswered || (submitter && !isFolded)) return;',
    replace: 'if (isAnswered || !isFolded) return;',
    test: 'server/test/browser/console-doors.test.ts',
    only: 'with a passkey',
  },
  {
    name: 'looks: pages are sent as they are',
    file: 'server/src/console/compress.ts',
    find: 'if (!isAsked || !isTaken ||',
    replace: 'if (isAsked || !isTaken ||',
    test: 'server/test/flows/console.test.ts',
    only: 'a page is packed',
  },
  {
    name: 'looks: each page loads all its files anew',
    file: 'server/src/console/routes.ts',
    find: `max-age=\${yearSeconds}, immutable`,
    replace: 'max-age=0',
    test: looks,
    only: 'over the wire',
  },
  {
    name: 'looks: a page is packed for whoever guesses what is in it',
    file: 'server/src/console/compress.ts',
    find: "['same-origin', 'none']",
    replace: "['same-origin', 'none', 'cross-site']",
    test: 'server/test/flows/console.test.ts',
    only: 'a page is packed',
  },
  {
    name: 'hostile: markup is markup',
    file: 'server/src/html.ts',
    find: `return String(value).replace(/[&<>"']/g, (character) => entities[character]!);`,
    replace: 'return String(value) || entities[0]!;',
    test: hostile,
    only: onNoPage,
  },
  {
    name: 'hostile: what others wrote turns what stands beside it',
    file: 'server/src/console/parts/format.ts',
    find: `return html\`<bdi>\${shown}</bdi>\`;`,
    replace: `return html\`\${shown}\`;`,
    test: hostile,
    only: onNoPage,
  },
  {
    name: 'hostile: a long word widens the page',
    file: css,
    find: '  overflow-wrap: anywhere;\n}\n\nh1,',
    replace: '}\n\nh1,',
    test: hostile,
    only: onNoPage,
  },
  {
    name: 'hostile: what is written in a logo runs',
    file: 'server/src/checkout/page/routes.ts',
    find: `"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",`,
    replace: `"frame-ancestors 'none'",`,
    test: hostile,
    only: onNoPage,
  },
];
