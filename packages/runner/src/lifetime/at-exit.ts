// Cleans up (folders, other processes) when the program exits. If it is killed, the guard does that.

const undo = new Set<() => void>();

process.on("exit", () => {
  // In reverse order, so that a process that writes into a directory ends before the directory is removed.
  for (const one of [...undo].toReversed()) one();
});

/** Does `clean` when disposed of, or else when the program ends. It is done once, and has no time to wait for anything. */
export function atExit(clean: () => void): Disposable {
  const once = (): void => {
    if (undo.delete(once)) clean();
  };
  undo.add(once);
  return { [Symbol.dispose]: once };
}
