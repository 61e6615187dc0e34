// Where the module that threads run is: beside this file, compiled or not as it is.
import { extname } from "node:path";

export const threadFile = new URL(`power-thread${extname(import.meta.url)}`, import.meta.url).href;
