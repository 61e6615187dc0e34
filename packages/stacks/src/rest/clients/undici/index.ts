// The REST client on undici.
export { undiciBinding as client } from "../../../shared/undici/undici-settings.ts";
