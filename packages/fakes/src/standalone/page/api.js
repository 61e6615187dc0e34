// The control server, as the page asks it.

/** Why something was refused, in one line; `line` counts from 1 where it is about a text. */
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
    throw new Refusal({ message: "The fake does not answer. Has it ended?" });
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
