export const currencies = ['CVE', 'AOA'] as const;

export type Currency = (typeof currencies)[number];

/** The time zone in which people who use a currency read instants. */
export const timeZoneOf: Record<Currency, string> = {
  CVE: 'Atlantic/Cape_Verde',
  AOA: 'Africa/Luanda',
};
