/** How long a step of a series may be, in seconds. What half-hours add up to is kept for 35 days, anything else for 8. */
export const stepsSeconds = [60, 300, 900, 1_800, 3_600, 10_800, 86_400] as const;

/** As many points are computed for one request. */
export const mostPoints = 1_000;
