// A caller over TLS that asks again as soon as it has the answer: the headers of each request in one TLS record, its body in another. It does not trust
// the server, and says how many answers it got.
import { connect } from "node:tls";

const [port, answerBytes, times] = process.argv.slice(2).map(Number);
const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
const body = Buffer.alloc(5_000, "a");
let heard = Buffer.alloc(0);
let answers = 0;

function ask(): void {
  heard = Buffer.alloc(0);
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
}

socket.on("secureConnect", ask);
socket.on("data", (bytes) => {
  heard = Buffer.concat([heard, bytes]);
  const head = heard.indexOf("\r\n\r\n");
  if (head === -1 || heard.length - head - 4 < (answerBytes ?? 0)) return;
  answers += 1;
  if (answers === times) socket.destroy();
  else ask();
});
// What went wrong shows in the number of answers.
socket.on("error", () => {});
socket.on("close", () => process.send?.(answers));
