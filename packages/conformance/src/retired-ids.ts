// Ids of cases that are gone. An id names one sentence for ever, so none of these may come back.

/** Ids never to use again. */
export const retiredIds: readonly string[] = [];
