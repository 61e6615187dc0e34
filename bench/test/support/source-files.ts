// Where the project is, for tests that read its files.
import { join } from "node:path";

/** The project's root. */
export const projectRoot = join(import.meta.dirname, "..", "..", "..");
