import { type Html, html } from '../html.ts';

/** Drawn on a grid of 24 by 24, in strokes of the text's colour. */
const paths: Record<string, Html> = {
  mark: html`<path d="M12 3c5 0 8 3.6 8 8.4C20 17 15.5 21 12 21S4 17 4 11.4C4 6.6 7 3 12 3z"/><path d="M12 6.5v11M8.5 8.5c1.2 1 1.2 6.5 0 7.5M15.5 8.5c-1.2 1-1.2 6.5 0 7.5"/>`,
  person: html`<circle cx="12" cy="8" r="4"/><path d="M4 20c1.5-4 4.5-5.5 8-5.5s6.5 1.5 8 5.5"/>`,
  search: html`<circle cx="11" cy="11" r="6.5"/><path d="M16 16l5 5"/>`,
  menu: html`<path d="M4 7h16M4 12h16M4 17h16"/>`,
  home: html`<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>`,
  charge: html`<rect x="6" y="2.5" width="12" height="19" rx="2.5"/><path d="M10 18h4M12 6.5v7M9 10h6"/>`,
  payments: html`<path d="M3 8h15l-3.5-3.5M21 16H6l3.5 3.5"/>`,
  refunds: html`<path d="M9 6L4 11l5 5M4 11h11a5 5 0 010 10h-2"/>`,
  approvals: html`<circle cx="8" cy="8" r="3.5"/><path d="M2.5 20c.8-4 3-5.5 5.5-5.5 1.5 0 2.9.5 4 1.7M13.5 17l3 3 5-6.5"/>`,
  links: html`<path d="M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1"/>`,
  products: html`<path d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8"/>`,
  merchants: html`<path d="M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 01-6 0 3 3 0 01-6 0 3 3 0 01-6 0zM10 20v-5h4v5"/>`,
  operators: html`<path d="M12 11v10M8.5 21h7M8.5 14a5 5 0 010-7M15.5 7a5 5 0 010 7M5.5 17a9.5 9.5 0 010-13M18.5 4a9.5 9.5 0 010 13"/><circle cx="12" cy="10.5" r="1"/>`,
  warning: html`<path d="M12 4L2.5 20h19zM12 10v4.5M12 17v.5"/>`,
  work: html`<path d="M4 6h10M4 12h10M4 18h6M17 5v8M14 10l3 3 3-3"/>`,
  ledger: html`<path d="M5 3h14v18H5zM9 3v18M12 8h4M12 12h4M12 16h4"/>`,
  doctor: html`<path d="M3 12h4l2.5-6 5 12 2.5-6h4"/>`,
  processes: html`<rect x="4" y="4" width="16" height="6" rx="1.5"/><rect x="4" y="14" width="16" height="6" rx="1.5"/><path d="M8 7h.01M8 17h.01M12 7h4M12 17h4"/>`,
  'admin-keys': html`<path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"/><circle cx="12" cy="10" r="2"/><path d="M12 12v4"/>`,
  notices: html`<path d="M6 16V11a6 6 0 0112 0v5l2 2H4zM10 21h4"/>`,
  money: html`<rect x="3" y="6" width="18" height="13" rx="2.5"/><path d="M3 10h18M7 15h4"/>`,
  settlements: html`<path d="M4 20h16M6 20V10M10 20V10M14 20V10M18 20V10M3 10l9-6 9 6z"/>`,
  reconciliations: html`<path d="M4 5h9M4 10h9M4 15h5M4 20h5M12.5 17.5l3 3 5.5-7"/>`,
  reviews: html`<path d="M9 9a3 3 0 114.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01"/><circle cx="12" cy="12" r="9"/>`,
  suspense: html`<path d="M6 3h12M6 21h12M7 3c0 5 3 6 5 9-2 3-5 4-5 9M17 3c0 5-3 6-5 9 2 3 5 4 5 9"/>`,
  reversals: html`<path d="M8 5L4 9l4 4M4 9h13M16 11l4 4-4 4M20 15H7"/>`,
  keys: html`<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3M13.5 9.5l2 2"/>`,
  endpoints: html`<circle cx="12" cy="6" r="3"/><circle cx="6" cy="17" r="3"/><circle cx="18" cy="17" r="3"/><path d="M10.5 8.6L7.5 14.4M9 17h6M13.5 8.6l3 5.8"/>`,
  events: html`<path d="M13 3L5 14h6l-1 7 8-11h-6z"/>`,
  requests: html`<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14"/>`,
  reference: html`<path d="M5 4h11a3 3 0 013 3v13H8a3 3 0 01-3-3zM5 17a3 3 0 013-3h11"/>`,
  team: html`<circle cx="9" cy="9" r="3.5"/><path d="M2.5 19c1-3.5 3.5-4.5 6.5-4.5s5.5 1 6.5 4.5M15.5 5.8a3.5 3.5 0 010 6.4M18 14.8c2 .7 3 2 3.5 4.2"/>`,
  statement: html`<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6"/>`,
  audit: html`<path d="M7 3h7l5 5v13H7zM14 3v5h5M10 13h6M10 17h6"/>`,
  download: html`<path d="M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14"/>`,
  share: html`<path d="M12 15V4M8 7.5L12 3.5l4 4M6 11H5v9h14v-9h-1"/>`,
  print: html`<path d="M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z"/>`,
  tick: html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`,
  cross: html`<path d="M6 6l12 12M18 6L6 18"/>`,
  clock: html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`,
};

/** A picture beside a word that says the same; readers of screens hear the word alone. */
export const icon = (name: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths[name]}</svg>`;
