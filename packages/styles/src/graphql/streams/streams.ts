// Response streams as server-sent events, loaded by servers whose schema has subscriptions.
export { asksForEvents, writeEvents } from "./event-writer.ts";
export { streamedResults } from "./streamed-results.ts";
