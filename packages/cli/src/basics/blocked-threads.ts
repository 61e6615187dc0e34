// Ends the program although a thread of Node.js is blocked by the system, such as by a name server that does not answer or a file system that is gone:
// `process.exit` would wait for the thread.

const blocking = /^(?:FSReq|GetAddrInfo|GetNameInfo)/;

/** Call this before anything else. */
export function endWithBlockedThreads(): void {
  const leave = (status: number): void => {
    if (!process.getActiveResourcesInfo().some((name) => blocking.test(name))) return;
    for (const listener of process.listeners("exit")) if (listener !== leave) listener.call(process, status);
    // The kernel ends all threads of a process that becomes another program. Windows has no such call.
    process.execve?.("/bin/sh", ["sh", "-c", `exit ${status}`]);
  };
  process.on("exit", leave);
}
