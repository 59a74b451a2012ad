import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { findPayoutSchedule, payoutSchedules } from '../../../tenants/merchants/payout-schedule.ts';
import { button, form, select } from '../parts/form.ts';
import type { StaffContext } from '../request-context.ts';
import type { Shown } from './merchant.ts';
import { words as allWords } from './merchant.words.ts';

/** The merchant's payout days. */
export async function scheduleCard(
  visit: StaffContext,
  { merchant, errors }: Shown,
): Promise<Html> {
  const words = allWords[visit.language];
  const value = await findPayoutSchedule(visit.services.database, merchant.id);
  const choices = payoutSchedules.map((each) => [each, labelOf(visit, each)] as const);
  const { hour, timeZone } = visit.services.dailyRun;
  return html`<section class="card"><h2>${words.schedule}</h2>
<p class="hint">${words.scheduleHint(`${String(hour).padStart(2, '0')}:00 (${timeZone})`)}</p>
${form(
  visit,
  html`${select('schedule', words.scheduleDays, choices, { value, error: errors.schedule })}
${button('schedule', visit.words.save, 'plain')}`,
)}</section>`;
}

function labelOf(visit: StaffContext, schedule: string): string {
  const { schedules, weekly } = allWords[visit.language];
  const [every, on = ''] = schedule.split('_');
  if (every === 'WEEKLY') return weekly[on] ?? on;
  return every === 'MONTHLY' ? schedules.monthly(on) : (schedules[every as 'DAILY'] ?? schedule);
}

/** Links to the movements of the balance, by month. */
export function statementLink(visit: StaffContext, { merchant }: Shown): Html {
  const page = visit.to(`merchants/${formatId('me', merchant.id)}/statement`);
  return html`<p><a href="${page}">${allWords[visit.language].statement}</a></p>`;
}
