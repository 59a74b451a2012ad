/** How long a step of a series may be, in seconds. Of minutes, what is not whole hours; those are kept for 8 days, hours for 35. */
export const stepsSeconds = [60, 300, 900, 1_800, 3_600, 10_800, 86_400] as const;

/** As many points are computed for one request. */
export const mostPoints = 1_000;
