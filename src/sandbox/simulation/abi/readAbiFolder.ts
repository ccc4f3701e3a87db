import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Abi } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import { rememberCode } from './contractAbis.ts'

type Artifact = { name: string; file: string; abi: Abi }

/**
 * Reads the ABIs of a build: Foundry's `out`, Hardhat's `artifacts`, Truffle's `build/contracts`, the root of such a project, an
 * artifact, or a plain ABI file.
 *
 * @returns the contracts by file name; `abis`, for `simulateRedeem`; and `unread`, the files that could not be read
 * @throws {@link AbiFolderNotFoundError} if the path does not exist; {@link NoAbiFoundError} if it contains no artifact
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
      `No artifact with an ABI was found in ${showText(path)}: checked ${files.length} JSON file${files.length === 1 ? '' : 's'}${
        unread.length === 0 ? '' : `, and could not read: ${unread.slice(0, 3).map(toText).join('; ')}`
      }.`,
      {
        fix: 'Build the contracts first (forge build or npx hardhat compile), then pass the build folder: out or artifacts.',
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
    throw new AbiFolderNotFoundError(`Cannot read the folder or file ${showText(path)}.`, {
      fix: 'Pass the build folder: out (Foundry) or artifacts (Hardhat).',
      cause,
    })
  })
  if (!at.isDirectory()) return [path]
  const entries = await readdir(path)
  // Only the build folder of a project root, which also contains sources, libraries and unrelated JSON.
  const output = entries.some((name) => projectFile.test(name))
    ? await firstFolder(outputFolders.map((name) => join(path, name)))
    : undefined
  return listFiles(output ?? path)
}

const projectFile = /^(?:foundry\.toml|(?:hardhat\.config|truffle-config)\.[cm]?[jt]s)$/
const outputFolders = ['out', 'artifacts', 'build/contracts']

async function firstFolder(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) return path
  }
  return undefined
}

/** Skips symbolic links, which can form cycles. */
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

const notArtifacts = /^(?:build-info|cache|node_modules|\..*)$/

/** @returns the contract; a reason if the file cannot be read; `undefined` for any other JSON */
async function readArtifact(file: string): Promise<Artifact | string | undefined> {
  const { size } = await stat(file)
  if (size > largestFile) return `it is ${Math.round(size / 1e6)} MB`
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    // Node's own message for invalid JSON varies by version and quotes the file.
    return error instanceof SyntaxError ? 'it is not valid JSON' : 'it cannot be opened'
  }
  const { abi: inside, contractName } = Object(content)
  const abi = Array.isArray(content) ? content : inside
  if (!isAbi(abi)) return undefined
  rememberCode(abi, content)
  return {
    name: typeof contractName === 'string' ? contractName : basename(file, '.json'),
    file,
    abi,
  }
}

/** Checks only the types of the items. The rest of an item is checked when it is used. */
function isAbi(value: unknown): value is Abi {
  return Array.isArray(value) && value.every((item) => itemTypes.includes(Object(item).type))
}

const itemTypes: readonly unknown[] = ['function', 'event', 'error', 'constructor', 'fallback', 'receive']

/** A full compiler artifact has a few megabytes. */
const largestFile = 50_000_000

/** The build folder does not exist. */
export class AbiFolderNotFoundError extends BaseError {
  override readonly name = 'AbiFolderNotFoundError'
}

/** The folder or file contains no ABI. */
export class NoAbiFoundError extends BaseError {
  override readonly name = 'NoAbiFoundError'
}
