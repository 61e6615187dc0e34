// What figures of a history are selected by. Help loads this, and no database.

/** Columns of the file. */
export const storedSelectors = ["study", "task", "stack", "metric"] as const;

/** Of runs that were added before these were stored, they are found when a cell is read. */
export const foundSelectors = ["style", "server", "client"] as const;

/** What cells are selected by. */
export const cellSelectors = [...storedSelectors, ...foundSelectors] as const;

/** Which cells, by names. Without names all are meant. */
export type CellFilter = Readonly<Partial<Record<(typeof cellSelectors)[number], readonly string[]>>>;
