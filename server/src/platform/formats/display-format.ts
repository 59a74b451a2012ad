/** `2026-11-21 08:40:03`, in UTC. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `12 s`, `5 min`, `3 h` or `2 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `1,234.50 CVE`. */
export function formatAmount(amountMinor: bigint, currency: string): string {
  const [whole, minor] = formatMajor(amountMinor).split('.') as [string, string];
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${minor} ${currency}`;
}

/** `1234.50`, for programs: both currencies have two minor digits. */
export function formatMajor(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `12.3 MB`: of a million bytes, as disks and networks are measured. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
