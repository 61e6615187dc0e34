// The factor that distinguishes arms of two versions.

/** The factor that says which version an arm ran: `base` or `head`. */
export const versionFactor = "version";
