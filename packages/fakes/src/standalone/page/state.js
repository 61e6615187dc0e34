// Requests to the control server, the state of the page, and listeners to its changes.

/** An error of the server; `line` is the position in a text, from 1. */
class Refusal extends Error {
  constructor({ message, line, column }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

async function ask(method, path, body) {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, { method, ...init });
  } catch {
    throw new Refusal({ message: "The fake does not answer. Is it still running?" });
  }
  const value = answer.status === 204 ? undefined : await answer.json();
  if (!answer.ok) throw new Refusal(value.error);
  return value;
}

export const api = {
  get: (path) => ask("GET", path),
  post: (path, body) => ask("POST", path, body),
  put: (path, body) => ask("PUT", path, body),
  remove: (path) => ask("DELETE", path),
};

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
