import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Abi } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../redeemkit/core/errors/showText.ts'

/** A contract of a build. */
type Artifact = { name: string; file: string; abi: Abi }

/**
 * Reads the ABIs of a build: the folder `out` of Foundry, `artifacts` of Hardhat, `build/contracts` of Truffle, or the root of
 * such a project; also a single artifact, and a file that is nothing but an ABI.
 *
 * @returns the contracts by file name; `abis` are theirs, for `simulateRedeem`; `unread` names the files that could not be
 * read, while all others were
 * @throws {@link AbiFolderNotFoundError} when there is nothing at the path; {@link NoAbiFoundError} when no file there is an
 * artifact
 * @example
 * ```ts
 * import { readAbiFolder } from './readAbiFolder.ts'
 * const { abis, unread } = await readAbiFolder('out')
 * ```
 */
export async function readAbiFolder(path: string): Promise<readAbiFolder.ReturnType> {
  const files = await findFiles(path)
  const artifacts: Artifact[] = []
  const unread: { file: string; reason: string }[] = []
  for (const file of files) {
    const read = await readArtifact(file)
    if (typeof read === 'string') unread.push({ file, reason: read })
    else if (read !== undefined) artifacts.push(read)
  }
  if (artifacts.length === 0)
    throw new NoAbiFoundError(
      `There is no artifact with an ABI in ${showText(path)}: ${files.length} JSON files were looked at${
        unread.length === 0
          ? ''
          : `, of which these could not be read: ${unread.slice(0, 3).map(toText).join('; ')}`
      }.`,
      {
        fix: 'Build the contracts first (forge build, npx hardhat compile), and give its folder out or artifacts.',
      },
    )
  return { artifacts, abis: artifacts.map(({ abi }) => abi), unread }
}

export declare namespace readAbiFolder {
  type ReturnType = {
    artifacts: readonly Artifact[]
    abis: readonly Abi[]
    unread: readonly { file: string; reason: string }[]
  }
  type ErrorType = AbiFolderNotFoundError | NoAbiFoundError
}

const toText = ({ file, reason }: { file: string; reason: string }) => `${showText(file)} (${reason})`

async function findFiles(path: string): Promise<string[]> {
  const at = await stat(path).catch((cause) => {
    throw new AbiFolderNotFoundError(`There is no folder or file ${showText(path)} that can be read.`, {
      fix: 'Give the folder that the build writes: out of Foundry, artifacts of Hardhat.',
      cause,
    })
  })
  if (!at.isDirectory()) return [path]
  const entries = await readdir(path)
  // The root of a project: beside its build there are sources, libraries, and JSON of all kinds.
  const output = entries.some((name) => projectFile.test(name))
    ? await firstFolder(outputFolders.map((name) => join(path, name)))
    : undefined
  return listFiles(output ?? path)
}

const projectFile = /^(?:foundry\.toml|(?:hardhat\.config|truffle-config)\.[cm]?[jt]s)$/
const outputFolders = ['out', 'artifacts', 'build/contracts']

async function firstFolder(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined) // most projects have one of them
    if (found?.isDirectory()) return path
  }
  return undefined
}

/** Links are not followed: they can lead back. */
async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !notArtifacts.test(entry.name)) found.push(...(await listFiles(path)))
    if (entry.isFile() && /(?<!\.dbg|\.metadata)\.json$/.test(entry.name)) found.push(path)
  }
  return found
}

/** What a build keeps for itself, and what is no part of it. */
const notArtifacts = /^(?:build-info|cache|node_modules|\..*)$/

/** @returns the contract; a text when the file cannot be read; `undefined` when it is JSON of another kind */
async function readArtifact(file: string): Promise<Artifact | string | undefined> {
  const { size } = await stat(file)
  if (size > largestFile) return `it has ${Math.round(size / 1e6)} MB`
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    // Node's words for JSON that is cut off differ from version to version, and quote the file.
    return error instanceof SyntaxError ? 'it is not JSON, or was cut off' : 'it cannot be opened'
  }
  const { abi: inside, contractName } = Object(content)
  const abi = Array.isArray(content) ? content : inside
  if (!isAbi(abi)) return undefined
  return {
    name: typeof contractName === 'string' ? contractName : basename(file, '.json'),
    file,
    abi,
  }
}

/** Whether each item says what it is. What else is in an item is looked at where it is used. */
function isAbi(value: unknown): value is Abi {
  return Array.isArray(value) && value.every((item) => itemTypes.includes(Object(item).type))
}

const itemTypes: readonly unknown[] = ['function', 'event', 'error', 'constructor', 'fallback', 'receive']

/** An artifact with all that compilers put into one has a few megabytes. */
const largestFile = 50_000_000

/** A folder of a build that is not there. */
export class AbiFolderNotFoundError extends BaseError {
  override readonly name = 'AbiFolderNotFoundError'
}

/** A folder or a file in which no ABI is. */
export class NoAbiFoundError extends BaseError {
  override readonly name = 'NoAbiFoundError'
}
