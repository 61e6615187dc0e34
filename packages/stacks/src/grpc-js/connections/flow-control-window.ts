// HTTP/2 has a window of its own on top of TCP's. Both ends set it here, so that it is the same on every runtime and in every run.

/**
 * Bytes that may be under way in one direction, on each connection and on each stream in it. As much as the largest message by
 * default: HTTP/2's own default of 64 KB would cost large messages one more round trip per 64 KB.
 */
export const flowControlWindowBytes = 4 * 1024 * 1024;
