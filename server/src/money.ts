export const currencies = ['CVE', 'AOA'] as const;

export type Currency = (typeof currencies)[number];
