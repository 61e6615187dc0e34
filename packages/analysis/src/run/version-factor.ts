// What tells arms of two versions apart: known by whoever judges arms, whether or not it knows of comparisons.

/** The factor that says which version an arm ran: `base` or `head`. */
export const versionFactor = "version";
