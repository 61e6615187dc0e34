// The JSON-RPC client on undici.
export { undiciBinding as client } from "../../../shared/undici/undici-settings.ts";
