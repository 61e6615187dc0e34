// The curl commands on the pages of servers, as requests.

export interface Command {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function unescaped(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

/** The arguments of a shell command without variables. */
function wordsOf(command: string): readonly string[] {
  const words = command.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g);
  return [...words].map(([word]) => word.replaceAll(/'([^']*)'|\\(.)/g, "$1$2"));
}

/** What the shell passes on standard input, and the command before. */
const withInput = /^(.*) <<'EOF'\n(.*\n)EOF$/s;

function commandOf(text: string): Command {
  const [, head = text, input] = withInput.exec(text) ?? [];
  const words = wordsOf(head).slice(1);
  const headers: Record<string, string> = {};
  let [method, url, body]: [string | undefined, string, string | undefined] = [undefined, "", undefined];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const next = words[at + 1] ?? "";
    if (word === "-N") continue;
    if (!["-X", "-H", "-d", "--data-binary"].includes(word)) url = word;
    else {
      at += 1;
      const [name = "", value = ""] = next.split(/: (.*)/s);
      if (word === "-X") method = next;
      else if (word === "-d" || word === "--data-binary") body = next === "@-" ? input : next;
      else headers[name] = value;
    }
  }
  return { method: method ?? (body === undefined ? "GET" : "POST"), url, headers, body };
}

/** The command of each operation on a page, by the operation's id there. */
export function commandsOn(page: string): ReadonlyMap<string, Command> {
  const found = page.matchAll(/<details id="([^"]*)">(?:(?!<details)[^])*?<pre>(curl [^]*?)<\/pre>/g);
  return new Map([...found].map(([, id = "", text = ""]) => [unescaped(id), commandOf(unescaped(text))]));
}
