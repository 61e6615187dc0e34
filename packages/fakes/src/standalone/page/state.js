// The state of the page, and listeners to its changes.
import { api } from "./api.js";

const listeners = new Map();

export const state = { operations: [], servers: [], stubs: [], faults: { rules: 0, text: "", presets: [] } };

/** Calls the listener when a part of the state has been loaded again. */
export function onChange(part, listener) {
  listeners.set(part, [...(listeners.get(part) ?? []), listener]);
}

/** Loads a part of the state again. */
export async function refresh(part) {
  state[part] = await api.get(part);
  for (const listener of listeners.get(part) ?? []) listener();
}

export function operationOf(id) {
  return state.operations.find((operation) => operation.id === id);
}
