// Messages about files, and user folders: `@roundtrip/runner/files`. Loads nothing that measures.
export { fileFault } from "./basics/file-fault.ts";
export { cacheFolder, homeFolder } from "./basics/user-folders.ts";
export { makeDirectory } from "./basics/make-directory.ts";
