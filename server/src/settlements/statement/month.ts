/** The first day of a month as `2026-10`, and the day after its last. */
export function monthOf(month: string): { from: string; until: string } {
  const [year, number] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, 10);
  return { from: `${month}-01`, until: next };
}
