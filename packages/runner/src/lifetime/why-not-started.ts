// Why the system did not start a program, and what to do.

/** @param thrown the error of `spawn`. */
export function whyNotStarted(program: string, thrown: Error): string {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === "EACCES") return `${program} is not executable`;
  if (code !== "ENOENT") return thrown.message;
  // The system reports a script without its interpreter in the same way.
  return program.includes("/")
    ? `${program} does not exist, or its interpreter does not`
    : `${program} is not installed or not on PATH`;
}
