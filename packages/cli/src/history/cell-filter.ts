// The filter for figures of a history. Help loads this without the database.

export const storedSelectors = ["study", "task", "stack", "metric"] as const;

/** For older runs these columns are empty, so they are derived when a cell is read. */
export const foundSelectors = ["style", "server", "client"] as const;

export const cellSelectors = [...storedSelectors, ...foundSelectors] as const;

/** Selects cells by names; all without names. */
export type CellFilter = Readonly<Partial<Record<(typeof cellSelectors)[number], readonly string[]>>>;
