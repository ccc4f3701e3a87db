import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { codeAt } from '../readChain.ts'
import type { CallFrame } from '../redeemReport.ts'
import { walkFrames } from '../trace/frames.ts'

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

/** The ABIs for the code that a call runs, the called contract's own ABI first. */
export type AbisOf = (frame: Pick<CallFrame, 'to' | 'input' | 'calls'>) => readonly Abi[]

/** Matches contracts with ABIs by deployed code, because two contracts can have different parameter names for the same function. */
export async function contractAbis(
  client: EvmClient,
  options: { root: CallFrame; abis: readonly Abi[]; blockNumber: bigint },
): Promise<AbisOf> {
  const { root, abis, blockNumber } = options
  const called = new Set([...walkFrames(root)].flatMap(({ frame }) => frame.to ?? []))
  const lists = new Map<Hex, readonly Abi[]>()
  if (abis.some((abi) => codes.has(abi)))
    await Promise.all(
      [...called].map(async (address) =>
        lists.set(address, await abisAt(client, { address, abis, blockNumber })),
      ),
    )
  return function abisOf({ to, input, calls }): readonly Abi[] {
    const list = (to !== undefined && lists.get(to)) || abis
    const last = calls.at(-1)
    // A proxy runs the code of its implementation.
    return list === abis && last?.type === 'DELEGATECALL' && last.input === input ? abisOf(last) : list
  }
}

/** If the build has the code at this address, the ABI of this contract is first. */
export async function abisAt(
  client: EvmClient,
  options: { address: Hex; abis: readonly Abi[]; blockNumber?: bigint | undefined },
): Promise<readonly Abi[]> {
  const { address, abis, blockNumber } = options
  const code = (await codeAt(client, address, blockNumber)).slice(2).toLowerCase()
  const own = abis.find((abi) => isCodeOf(codes.get(abi), code))
  if (own === undefined) return abis
  const known = ownFirst.get(own) ?? [own, ...abis]
  ownFirst.set(own, known)
  return known
}

/** Lists are cached, because each list object is indexed once. */
const ownFirst = new WeakMap<Abi, readonly Abi[]>()

/** Deployed code in hex digits. Parts that are set at deployment (immutables, library addresses) are zeros. */
const codes = new WeakMap<Abi, string>()

/** @param artifact artifact of Foundry (`deployedBytecode.object`), or of Hardhat or Truffle (`deployedBytecode`) */
export function rememberCode(abi: Abi, artifact: unknown): void {
  const { deployedBytecode } = Object(artifact)
  const code: unknown = deployedBytecode?.object ?? deployedBytecode
  if (typeof code !== 'string') return
  const digits = code.replace(/^0x/, '').replace(/__.{36}__/g, '0'.repeat(40))
  if (/^[0-9a-f]+$/i.test(digits)) codes.set(abi, digits.toLowerCase())
}

function isCodeOf(built: string | undefined, deployed: string): boolean {
  if (built?.length !== deployed.length) return false
  let at = 0
  return built.split(/(0{40,})/).every((part, place) => {
    at += part.length
    return place % 2 === 1 || deployed.slice(at - part.length, at) === part
  })
}
