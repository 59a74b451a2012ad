import { html } from '../../../platform/text/html.ts';

const icon = (path: ReturnType<typeof html>) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;

export const tick = icon(html`<path d="M5 12.5l4.5 4.5L19 7.5"/>`);
export const clock = icon(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`);
export const returned = icon(html`<path d="M8.5 5.5l-4 4 4 4M5 9.5h9.5a4.5 4.5 0 010 9H9"/>`);
export const cross = icon(html`<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>`);
