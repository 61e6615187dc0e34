// The media type that asks for a stream of results.

export const eventStreamType = "text/event-stream";
