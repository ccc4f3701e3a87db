import { existsSync } from 'node:fs'
import type { Abi } from 'viem'
import { NoAbiFoundError, readAbiFolder } from '../simulation/abi/readAbiFolder.ts'
import type { RedeemReport } from '../simulation/redeemReport.ts'
import { formatReport } from '../simulation/text/formatReport.ts'
import { jsonOf, printWarning } from './printError.ts'

/**
 * Prints a report, for a person or a program, and ends the command with what it says: 0 when the redeem goes through and breaks no
 * rule, or only warnings are told; 1 when it is refused.
 */
export function printReport(report: RedeemReport, { json = false }: { json?: boolean | undefined }): void {
  const { columns = 100 } = process.stdout
  const page = { columns: Math.min(columns, 100), colour: isColoured() }
  console.log(json ? jsonOf(report) : formatReport(report, page))
  process.exitCode = report.verdict === 'refuse' ? 1 : 0
}

/** As https://no-color.org and https://force-color.org say; else where it goes to a terminal with colours. */
function isColoured(): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = process.env
  if (no !== undefined && no !== '') return false
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  return process.stdout.isTTY && process.stdout.hasColors()
}

/**
 * The ABIs of the folder that was named; else of a build in this folder, when there is one. Files that cannot be read are told of.
 *
 * @param options.abis what is known besides; a build's own names go before it
 * @throws AbiFolderNotFoundError, NoAbiFoundError for a folder that was named
 */
export async function readAbis(
  folder: string | undefined,
  { abis: others = [] }: { abis?: readonly Abi[] } = {},
): Promise<readonly Abi[]> {
  const read = folder === undefined ? await readBuild() : await readAbiFolder(folder)
  if (read === undefined) return others
  for (const { file, reason } of read.unread) printWarning(`The ABI in ${file} was not read: ${reason}`)
  return [...read.abis, ...others]
}

async function readBuild(): Promise<readAbiFolder.ReturnType | undefined> {
  const found = ['out', 'artifacts'].find((name) => existsSync(name))
  if (found === undefined) return undefined
  try {
    return await readAbiFolder(found)
  } catch (error) {
    // A folder of this name may hold anything: nobody has said that it is a build.
    if (error instanceof NoAbiFoundError) return undefined
    throw error
  }
}
