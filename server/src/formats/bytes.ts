/** `12.3 MB`: of a million bytes, as disks and networks are measured. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}
