/** The possible lengths of a series' steps, in seconds. Multiples of half-hours are kept for 35 days, others for 8. */
export const stepsSeconds = [60, 300, 900, 1_800, 3_600, 10_800, 86_400] as const;

/** The most points computed for one request. */
export const mostPoints = 1_000;
