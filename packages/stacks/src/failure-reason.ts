// Why a connection failed, in one line.

/** The message of an error. Where several addresses of one name were tried in turn, the last attempt speaks for all. */
export function failureReason(error: Error): string {
  const cause = error instanceof AggregateError ? ((error.errors as readonly Error[]).at(-1) ?? error) : error;
  return cause.message;
}
