import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends `child` when this process ends, however it ends, also by SIGKILL.
 *
 * A watchdog process holds the reading end of a pipe. When this process is gone the pipe closes, and the watchdog ends
 * the child: politely first, so that a chain can write its state, by force some seconds later. Then it removes `folder`.
 *
 * @returns takes the watchdog away, once the child is gone
 */
export function killWithParent(child: ChildProcess, { folder }: { folder: string }): () => void {
  const { pid } = child
  if (pid === undefined) return () => {}
  const watchdog =
    process.platform === 'win32'
      ? spawn(process.execPath, ['-e', nodeWatchdog, String(pid), folder], watchdogOptions)
      : spawn('/bin/sh', ['-c', shellWatchdog, 'watchdog', String(pid), folder], watchdogOptions)
  // Without a watchdog there is still the exit handler; nothing else to do about it.
  watchdog.on('error', () => {})
  watchdog.unref()
  if (alive.size === 0) process.on('exit', endAll)
  alive.add(child)
  const release = () => {
    if (!alive.delete(child)) return
    if (alive.size === 0) process.off('exit', endAll)
    watchdog.kill('SIGKILL')
  }
  child.once('exit', release)
  return release
}

const alive = new Set<ChildProcess>()

function endAll(): void {
  for (const child of alive) child.kill('SIGTERM')
}

// Own process group: Ctrl-C reaches the group of this process, and the watchdog has to outlive that.
const watchdogOptions = { detached: true } as const

// A process that has ended and whose parent is gone may stay in the table (state Z) where nobody collects it, as in a container.
const shellWatchdog =
  'cat >/dev/null; kill -TERM "$1" 2>/dev/null; i=0; while [ $i -lt 150 ] && kill -0 "$1" 2>/dev/null && ! grep -q ") Z" "/proc/$1/stat" 2>/dev/null; do sleep 0.1; i=$((i+1)); done; kill -KILL "$1" 2>/dev/null; rm -rf "$2"'

const nodeWatchdog =
  'process.stdin.resume(); process.stdin.on("end", () => { try { process.kill(Number(process.argv[1])) } catch {} require("fs").rmSync(process.argv[2], { recursive: true, force: true }); process.exit() })'
