import { existsSync } from 'node:fs'
import type { Abi } from 'viem'
import { NoAbiFoundError, readAbiFolder } from '../../simulation/abi/readAbiFolder.ts'
import { printWarning } from '../printWarning.ts'

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
