import { html } from '../../html.ts';
import { framedPage, menu } from '../layout.ts';
import type { View } from '../page.ts';
import type { StaffVisit } from '../visit.ts';
import { staffNavigation } from './navigation.ts';
import { staffWords } from './words.ts';

/** A page of the staff: the frame of merchants' pages in another colour, and a line that says where one is. */
export function staffPage(visit: StaffVisit, root: string, view: View): string {
  const words = staffWords[visit.language];
  return framedPage(visit, root, view, {
    kind: 'staff',
    name: html`<span>${words.gateway}</span>`,
    banner: html`<aside class="staff-banner" aria-label="${words.gateway}">${words.mark}</aside>`,
    menu: menu(visit, staffNavigation, words),
  });
}
