import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type FoundBrowser = { executablePath: string; env?: Record<string, string> } | { missing: string }

/** Prefers an installed headless shell, which opens a page in a third of the CPU time. */
export function findPageBrowser(): FoundBrowser {
  const shell = placesOf('chromium-headless-shell').find((place) => existsSync(place) && starts(place))
  return process.env.CHROMIUM_PATH === undefined && shell !== undefined
    ? { executablePath: shell }
    : findBrowser()
}

/** Tries `CHROMIUM_PATH`, then an installed Chrome, Chromium or Edge, then the npm package `@sparticuz/chromium`. */
export function findBrowser(): FoundBrowser {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined) {
    if (!existsSync(named))
      throw new Error(`The file in CHROMIUM_PATH does not exist: ${named}. Correct or unset it.`)
    return { executablePath: named }
  }
  const installed = usualPlaces().find((place) => existsSync(place) && starts(place))
  return installed === undefined ? unpackedBrowser() : { executablePath: installed }
}

/** Ubuntu's `chromium-browser` without snap is a script that only fails. Windows' Chrome would open a window. */
function starts(executablePath: string): boolean {
  if (process.platform === 'win32') return true
  try {
    execFileSync(executablePath, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function usualPlaces(): string[] {
  const { platform, env } = process
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    )
  if (platform === 'win32')
    return [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        join(folder, 'Google/Chrome/Application/chrome.exe'),
        join(folder, 'Microsoft/Edge/Application/msedge.exe'),
      ])
  return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'].flatMap(
    placesOf,
  )
}

function placesOf(name: string): string[] {
  const folders = new Set([...(process.env.PATH ?? '').split(':').filter(Boolean), '/usr/bin', '/snap/bin'])
  return [...folders].map((folder) => join(folder, name))
}

const howToInstall =
  'Install Chrome, Chromium or Edge (Debian: apt-get install chromium), or name one in CHROMIUM_PATH.'

/** A headless shell: it opens pages, but loads no extensions. */
function unpackedBrowser(): FoundBrowser {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: `No browser was found. ${howToInstall}` }
  try {
    const folder = unpack()
    const executablePath = join(folder, 'chromium')
    const env = {
      // NSS from the package, because a machine without a desktop may lack it.
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts.conf') }),
    }
    execFileSync(executablePath, ['--version'], { env: { ...process.env, ...env }, stdio: 'pipe' })
    return { executablePath, env }
  } catch (error) {
    const [reason] = String(error).split('\n')
    return { missing: `The browser from npm does not start here (${reason}). ${howToInstall}` }
  }
}

function unpack(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const manifest = readFileSync(join(dirname(entry), '../package.json'), 'utf8')
  const { version }: { version: string } = JSON.parse(manifest)
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const cache = join(root, 'node_modules/.cache/redeemkit')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  // Several workers may unpack at the same time; the rename is atomic, so none sees a half-written browser.
  const temporary = mkdtempSync(join(cache, 'unpacking-'))
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`,
    ],
    // The package unpacks to TMPDIR, and the libraries only on Vercel and AWS.
    { cwd: root, env: { ...process.env, TMPDIR: temporary, VERCEL: '1' }, stdio: 'pipe' },
  )
  writeFileSync(
    join(temporary, 'fonts.conf'),
    `<fontconfig><dir prefix="relative">fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  )
  try {
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
