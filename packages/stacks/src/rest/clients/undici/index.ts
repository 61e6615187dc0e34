// REST called by undici.
export { undiciBinding as client } from "../../../shared/undici/undici-settings.ts";
