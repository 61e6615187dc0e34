// What commands say of files and make folders with: `@roundtrip/runner/files` loads nothing that measures.
export { fileFault } from "./run-directory/file-fault.ts";
export { cacheFolder, homeFolder } from "./user-folders.ts";
export { makeDirectory } from "./run-directory/make-directory.ts";
