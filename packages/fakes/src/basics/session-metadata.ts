// The metadata name of a session, shared by all that serve, make or record calls.

/** The metadata that names a call's session. Calls without it share the session with the empty name. */
export const sessionMetadataName = "x-roundtrip-session";
