import { type Address, deploylessCallViaFactoryBytecode, type Hex } from 'viem'
import type { EvmClient } from '../client/evmClient.ts'
import { callContract } from '../client/readChain.ts'
import { classifySignature } from './classifySignature.ts'

/** `isValidSignature(bytes32,bytes)` and its answer for yes (ERC-1271). */
const isValidSignature = '0x1626ba7e'
const yes = `${isValidSignature}${'0'.repeat(56)}`

/**
 * Whether a contract account takes a signature: ERC-1271, and ERC-6492 for one that is not deployed yet.
 *
 * @throws ChainReadError when the node cannot be asked
 */
export async function checkContractSignature(
  client: EvmClient,
  options: { address: Address; digest: Hex; signature: Hex; deployed: boolean },
): Promise<boolean> {
  const { address, digest, signature, deployed } = options
  const wrapped = unwrapErc6492(signature)
  const data: Hex = `${isValidSignature}${digest.slice(2)}${word(64)}${bytesText(wrapped?.signature ?? signature)}`
  const answer = await callContract(
    client,
    deployed || wrapped === undefined
      ? { to: address, data }
      : { data: encodeTrialDeployment(address, data, wrapped) },
  )
  return answer?.toLowerCase() === yes
}

/** A signature in its ERC-6492 wrapping. */
export type Erc6492Signature = { factory: Address; factoryData: Hex; signature: Hex }

/**
 * Takes an ERC-6492-wrapped signature apart.
 *
 * @returns `undefined` when it is not wrapped, or the wrapping is damaged
 */
export function unwrapErc6492(signature: Hex): Erc6492Signature | undefined {
  if (classifySignature(signature) !== 'erc6492') return undefined
  const body = signature.slice(2, -64)
  const factoryData = bytesAt(body, 1)
  const inner = bytesAt(body, 2)
  if (factoryData === undefined || inner === undefined || !/^0{24}/.test(body)) return undefined
  return { factory: `0x${body.slice(24, 64)}`, factoryData, signature: inner }
}

/** The `bytes` to which word number `index` of ABI-encoded parameters points. */
function bytesAt(body: string, index: number): Hex | undefined {
  const start = numberAt(body, index * 64)
  const length = start === undefined ? undefined : numberAt(body, start)
  if (start === undefined || length === undefined) return undefined
  const end = start + 64 + length
  return end <= body.length ? `0x${body.slice(start + 64, end)}` : undefined
}

/** A word of ABI-encoded parameters as a count of digits, two for each byte; `undefined` when it is not within them. */
function numberAt(body: string, at: number): number | undefined {
  const text = body.slice(at, at + 64)
  const digits = 2 * Number.parseInt(text, 16)
  return text.length === 64 && digits <= body.length ? digits : undefined
}

/** Init code that deploys the account through its factory, calls it, and returns what it answered. Nothing is kept. */
function encodeTrialDeployment(account: Address, data: Hex, wrapped: Erc6492Signature): Hex {
  const call = bytesText(data)
  const head = [addressWord(account), word(128), addressWord(wrapped.factory), word(128 + call.length / 2)]
  return `${deploylessCallViaFactoryBytecode}${head.join('')}${call}${bytesText(wrapped.factoryData)}`
}

/** A `bytes` parameter: its length, then its bytes, filled up to whole words. */
function bytesText(bytes: Hex): string {
  const digits = bytes.slice(2)
  return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}

const word = (value: number) => value.toString(16).padStart(64, '0')
const addressWord = (address: Address) => address.slice(2).toLowerCase().padStart(64, '0')
