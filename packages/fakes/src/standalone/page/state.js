// What the page knows, and who wants to hear when it changes.
import { api } from "./api.js";

const listeners = new Map();

export const state = { operations: [], servers: [], stubs: [], faults: { rules: 0, text: "", presets: [] } };

/** Hears when a part of the state has been read again. */
export function onChange(part, listener) {
  listeners.set(part, [...(listeners.get(part) ?? []), listener]);
}

/** Reads a part of the state again. */
export async function refresh(part) {
  state[part] = await api.get(part);
  for (const listener of listeners.get(part) ?? []) listener();
}

export function operationOf(id) {
  return state.operations.find((operation) => operation.id === id);
}
