import { type ChildProcess, spawn } from 'node:child_process'

export type Watchdog = {
  watch: (child: ChildProcess) => void
  /** Ends the watchdog once the child has exited. Does not remove the folder. */
  release: () => void
}

/**
 * Start the watchdog before creating the folder, whose name must be unique, and the child, so that a kill in between leaves neither
 * behind.
 *
 * The watchdog reads from a pipe that closes when this process ends. Then it terminates the child, by SIGKILL after 15 seconds, and
 * removes the folder. If it never received a process id, it searches (on Linux) for a process with a file of the folder in its arguments:
 * a process that is being spawned keeps the pipe open until its arguments are set.
 */
export function startWatchdog({ folder }: { folder: string }): Watchdog {
  const watchdog =
    process.platform === 'win32'
      ? spawn(process.execPath, ['-e', nodeWatchdog, folder], watchdogOptions)
      : spawn('/bin/sh', ['-c', shellWatchdog, 'watchdog', folder], watchdogOptions)
  // If the watchdog fails, this process's exit handler still ends the child.
  watchdog.on('error', () => {})
  watchdog.stdin?.on('error', () => {})
  watchdog.unref()
  let watched: ChildProcess | undefined
  const release = () => {
    if (watched !== undefined && alive.delete(watched) && alive.size === 0) process.off('exit', endAll)
    watchdog.kill('SIGKILL')
  }
  return {
    watch: (child) => {
      if (child.pid === undefined) return
      watched = child
      watchdog.stdin?.write(`${child.pid}\n`)
      if (alive.size === 0) process.on('exit', endAll)
      alive.add(child)
      child.once('exit', release)
    },
    release,
  }
}

const alive = new Set<ChildProcess>()

function endAll(): void {
  for (const child of alive) child.kill('SIGTERM')
}

const watchdogOptions = {
  // In its own process group, because Ctrl+C signals this process's group.
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
} as const satisfies Parameters<typeof spawn>[2]

// The brackets keep grep from matching itself. In a container, an ended process may remain as a zombie (state Z).
const shellWatchdog = `
read -r pid || pid=$(grep -ls "\${1##*/}[/]" /proc/[0-9]*/cmdline | cut -d/ -f3 | head -n 1)
cat >/dev/null
if [ -n "$pid" ]; then
  kill -TERM "$pid" 2>/dev/null
  i=0
  while [ $i -lt 150 ] && kill -0 "$pid" 2>/dev/null && ! grep -q ") Z" "/proc/$pid/stat" 2>/dev/null; do
    sleep 0.1
    i=$((i+1))
  done
  kill -KILL "$pid" 2>/dev/null
fi
rm -rf "$1"`

const nodeWatchdog = `
let pid = ''
process.stdin.on('data', (text) => { pid += text })
process.stdin.on('end', () => {
  if (pid !== '') try { process.kill(Number(pid)) } catch {}
  require('fs').rmSync(process.argv[1], { recursive: true, force: true })
  process.exit()
})`
