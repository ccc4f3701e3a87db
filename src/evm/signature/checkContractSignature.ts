import {
  type Address,
  decodeAbiParameters,
  deploylessCallViaFactoryBytecode,
  encodeAbiParameters,
  type Hex,
} from 'viem'
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
  const wrapped = classifySignature(signature) === 'erc6492' ? unwrapErc6492(signature) : undefined
  const data = encodeIsValidSignature(digest, wrapped?.signature ?? signature)
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
  try {
    const [factory, factoryData, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      // without its suffix it is still 0x-hex
      signature.slice(0, -64) as Hex,
    )
    return { factory, factoryData, signature: inner }
  } catch {
    return undefined
  }
}

function encodeIsValidSignature(digest: Hex, signature: Hex): Hex {
  const parameters = encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes' }], [digest, signature])
  return `${isValidSignature}${parameters.slice(2)}`
}

/** Init code that deploys the account through its factory, calls it, and returns what it answered. Nothing is kept. */
function encodeTrialDeployment(account: Address, data: Hex, wrapped: Erc6492Signature): Hex {
  const parameters = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes' }, { type: 'address' }, { type: 'bytes' }],
    [account, data, wrapped.factory, wrapped.factoryData],
  )
  return `${deploylessCallViaFactoryBytecode}${parameters.slice(2)}`
}
