import { type ChildProcess, spawn } from 'node:child_process'

/** Ends a process, and removes its folder, when this process ends, however it ends. */
export type Watchdog = {
  /** Has it end this process, which was started a moment ago. */
  watch: (child: ChildProcess) => void
  /** Takes it away, once the process is gone: the folder stays. */
  release: () => void
}

/**
 * Starts what ends a process of ours when this process ends, however it ends, also by SIGKILL. It is started before the folder is
 * made and the process is: a folder that is not there yet is no matter to it, and who is killed in between leaves nothing.
 *
 * It is a process that holds the reading end of a pipe. When this process is gone the pipe closes, and the watchdog ends the
 * watched process: politely first, so that a chain can write its state, by force some seconds later. Then it removes `folder`.
 * Where it was told of no process, it looks (on Linux) for the one whose arguments name a file of the folder: a process that is
 * being started keeps the pipe open until it has its arguments.
 *
 * @param options.folder of this process alone, with a name that nothing else has
 */
export function startWatchdog({ folder }: { folder: string }): Watchdog {
  const watchdog =
    process.platform === 'win32'
      ? spawn(process.execPath, ['-e', nodeWatchdog, folder], watchdogOptions)
      : spawn('/bin/sh', ['-c', shellWatchdog, 'watchdog', folder], watchdogOptions)
  // Without a watchdog there is still the exit handler; nothing else to do about it.
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
  // Own process group: Ctrl-C reaches the group of this process, and the watchdog has to outlive that.
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
} as const satisfies Parameters<typeof spawn>[2]

// The brackets keep grep from finding itself. A process that has ended and whose parent is gone may stay in the table (state Z) where
// nobody collects it, as in a container.
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
