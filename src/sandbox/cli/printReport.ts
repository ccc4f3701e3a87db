import { existsSync } from 'node:fs'
import type { Abi } from 'viem'
import { isServiceError, OutcomeUnknownError } from '../../redeemkit/api/errors.ts'
import { jsonText } from '../../redeemkit/core/parseJson.ts'
import { RedeemWouldFailError } from '../../redeemkit/redeem/errors.ts'
import { NoAbiFoundError, readAbiFolder } from '../simulation/abi/buildAbis.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { formatReport } from '../simulation/text/formatReport.ts'
import { printWarning, type ReadError, readError } from './printError.ts'

/** Sets the exit code: 0 for the verdicts ok and caution, 1 for refuse. */
export function printReport(
  { report, sandbox }: SandboxReport,
  { json = false }: { json?: boolean | undefined },
): void {
  const { columns = 100 } = process.stdout
  const page = { columns: Math.min(columns, 100), colour: isColoured() }
  console.log(
    json
      ? jsonText({ ...report, sandbox })
      : `${formatReport(report, page)}\n${'sandbox'.padEnd(18)}${sandbox}`,
  )
  process.exitCode = report.verdict === 'refuse' ? 1 : 0
}

/** @param sandbox the address of the service */
export type SandboxReport = { report: RedeemReport; sandbox: string }

/** Follows https://no-color.org and https://force-color.org. Default: whether standard output is a terminal with colours. */
function isColoured(): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = process.env
  if (no !== undefined && no !== '') return false
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  return process.stdout.isTTY && process.stdout.hasColors()
}

/** Reads the given folder or, without one, a build in the current folder. The `others` have lower precedence. */
export async function readAbis(
  folder: string | undefined,
  { abis: others = [] }: { abis?: readonly Abi[] } = {},
): Promise<readonly Abi[]> {
  const read = folder === undefined ? await readBuild() : await readAbiFolder(folder)
  if (read === undefined) return others
  for (const { file, reason } of read.unread) printWarning(`Skipped the ABI in ${file}: ${reason}`)
  return [...read.abis, ...others]
}

async function readBuild(): Promise<readAbiFolder.ReturnType | undefined> {
  const found = ['out', 'artifacts'].find((name) => existsSync(name))
  if (found === undefined) return undefined
  try {
    return await readAbiFolder(found)
  } catch (error) {
    // Without `--abi`, the current folder may contain no build.
    if (error instanceof NoAbiFoundError) return undefined
    throw error
  }
}

/** The report supplies the reason and the fixes, because client and service do not have the command's ABIs. */
export function errorBesideReport(error: unknown, { report, sandbox }: SandboxReport): ReadError {
  const [gravest] = report.findings.filter(({ severity }) => severity === 'danger')
  if (gravest === undefined) return readError(error)
  if (error instanceof RedeemWouldFailError)
    return { name: error.name, message: `${gravest.message} Nothing was signed.` }
  if (!(error instanceof OutcomeUnknownError) || !isServiceError(error.cause)) return readError(error)
  const { status, code } = error.cause
  const end = new Date(Number(error.validBefore) * 1000).toISOString()
  return {
    name: error.name,
    message: `The service returned ${status} ${code}. ${gravest.message}`,
    fix: `The permit was submitted, and can execute once until ${end}: see ${sandbox}/dashboard. Running this command again makes another payment.`,
  }
}
