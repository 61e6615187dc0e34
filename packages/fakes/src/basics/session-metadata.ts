// How a call names its session: whoever serves, makes or records calls has to agree on it.

/** The metadata that names a call's session; calls without it share the session that has no name. */
export const sessionMetadataName = "x-roundtrip-session";
