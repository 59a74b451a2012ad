import { dateTimeFormat } from '../values/intl-formats.ts';
import { labels } from './labels.ts';
import type { Language } from './language.ts';

/** A time zone as people call it: `hora de Cabo Verde`; others by their names in the time zone database. */
export function timeZoneName(language: Language, timeZone: string): string {
  if (timeZone === 'Atlantic/Cape_Verde') return labels[language].capeVerdeTime;
  return timeZone === 'Africa/Luanda' ? labels[language].angolaTime : timeZone;
}

/** With the distance from UTC at an instant: `hora de Cabo Verde (UTC−1)`. */
export function timeZoneNameAt(language: Language, timeZone: string, atMs: number): string {
  const offset = dateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(atMs)
    .find(({ type }) => type === 'timeZoneName')!.value;
  return `${timeZoneName(language, timeZone)} (${offset.replace('GMT', 'UTC').replace('-', '−')})`;
}
