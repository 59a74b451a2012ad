export const currencies = ['CVE', 'AOA'] as const;

export type Currency = (typeof currencies)[number];

/** Where a currency is used: people there read instants by this clock. */
export const timeZoneOf: Record<Currency, string> = {
  CVE: 'Atlantic/Cape_Verde',
  AOA: 'Africa/Luanda',
};
