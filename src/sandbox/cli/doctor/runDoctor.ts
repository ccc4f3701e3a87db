import {
  checkAnvil,
  checkDatabase,
  checkDataDir,
  checkDocker,
  checkForkUrl,
  checkNode,
  checkPort,
  checkStellar,
  type Finding,
} from './checks.ts'

export type DoctorOptions = {
  port: number
  forkUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string | undefined
}

/** Looks at this machine, one check after the other, and tells of each as it is known. */
export async function runDoctor(
  options: DoctorOptions,
  tell: (line: DoctorLine) => void,
): Promise<readonly DoctorLine[]> {
  const checks: readonly [string, () => Finding | Promise<Finding>][] = [
    ['Node', () => checkNode()],
    ['port', () => checkPort(options.port)],
    ['Anvil', checkAnvil],
    ['fork URL', () => checkForkUrl(options.forkUrl)],
    ['data folder', () => checkDataDir(options.dataDir)],
    ['database', () => checkDatabase(options.databaseUrl)],
    ['Stellar SDK', checkStellar],
    ['Docker', checkDocker],
  ]
  const lines: DoctorLine[] = []
  for (const [check, look] of checks) {
    const line = { check, ...(await look()) }
    lines.push(line)
    tell(line)
  }
  return lines
}

export type DoctorLine = { check: string } & Finding
