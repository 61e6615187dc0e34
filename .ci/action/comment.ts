// Step 4 of the action: one comment on the pull request, which later runs update. A failure to write it does not fail the action.
import { readFileSync } from "node:fs";
import { annotate, isOn, required, step, variable } from "./environment.ts";

const mostCharacters = 65_000;
const perPage = 100;
const mostPages = 20;
const patienceMs = 15_000;

/** The service refused a request with this status. Without permission to write comments, only the summary is possible. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(`${what}: the service answered ${status}`);
    this.status = status;
  }
}

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly type: string };
}

/** The number of the run's pull request; undefined for other events. */
function pullRequest(): number | undefined {
  const event = JSON.parse(readFileSync(required("GITHUB_EVENT_PATH"), "utf8")) as {
    readonly pull_request?: { readonly number?: unknown };
  };
  const number = event.pull_request?.number;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

/** Identifies the comment, invisibly. Names cannot end the HTML comment. */
function markerOf(name: string): string {
  return `<!-- roundtrip comparison ${name.replaceAll(/[^\w.-]+/g, "-").replaceAll(/--+/g, "-")} -->`;
}

function bodyOf(marker: string, text: string): string {
  const body = `${marker}\n${text}`;
  if (body.length <= mostCharacters) return body;
  // Half a table or an open fold would hide the note.
  const end = body.lastIndexOf("\n<details>", mostCharacters);
  return `${body.slice(0, end > 0 ? end : mostCharacters)}\n\nThe rest is in the summary of the run.\n`;
}

/** Sends one request to the service, with the token in a header. Rejects with {@link Refused} for an error status. */
async function call(method: string, path: string, what: string, body?: string): Promise<unknown> {
  const response = await fetch(`${required("GITHUB_API_URL")}/repos/${required("GITHUB_REPOSITORY")}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${required("INPUT_TOKEN")}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "roundtrip",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
    // A redirect must not send the token to another server.
    redirect: "error",
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!response.ok) throw new Refused(response.status, what);
  return response.json();
}

function isComment(value: unknown): value is Comment {
  const { id, body, user } = (value ?? {}) as Partial<Comment>;
  return Number.isInteger(id) && typeof body === "string" && typeof user?.type === "string";
}

async function commentBefore(number: number, marker: string): Promise<Comment | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const path = `/issues/${number}/comments?per_page=${perPage}&page=${page}`;
    // oxlint-disable-next-line no-await-in-loop
    const answer = await call("GET", path, "cannot read the comments");
    const comments = Array.isArray(answer) ? answer : [];
    // At the beginning and by a bot: answers may quote the marker, and people may edit their own comments.
    const found = comments.filter(isComment).find(({ body, user }) => user.type === "Bot" && body.startsWith(marker));
    if (found !== undefined || comments.length < perPage) return found;
  }
  return undefined;
}

async function write(number: number): Promise<void> {
  const marker = markerOf(required("INPUT_NAME"));
  const body = JSON.stringify({ body: bodyOf(marker, readFileSync(required("COMPARISON_TEXT"), "utf8")) });
  const before = await commentBefore(number, marker);
  if (before === undefined) await call("POST", `/issues/${number}/comments`, "cannot write the comment", body);
  else await call("PATCH", `/issues/comments/${before.id}`, "cannot update the comment", body);
  process.stdout.write(before === undefined ? "The comment is written.\n" : "The comment of before is updated.\n");
}

await step(async () => {
  if (!isOn("INPUT_COMMENT")) return;
  const number = pullRequest();
  if (number === undefined) {
    process.stdout.write("This run is about no pull request: the summary has the comparison.\n");
    return;
  }
  if (variable("INPUT_TOKEN") === "") {
    annotate("notice", "there is no token to comment with: the summary of the run has the comparison");
    return;
  }
  try {
    await write(number);
  } catch (thrown) {
    const mayNot = thrown instanceof Refused && [401, 403, 404].includes(thrown.status);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const reason = mayNot ? " (a run for a fork's pull request has no right to write)" : "";
    annotate(mayNot ? "notice" : "warning", `${why}${reason}: the summary of the run has the comparison`);
  }
});
