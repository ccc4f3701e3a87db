import { type Address, deploylessCallViaFactoryBytecode, type Hex } from 'viem'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import type { ChainReadError } from '../client/chainReadError.ts'
import type { EvmClient } from '../client/evmClient.ts'
import { callContract } from '../client/readChain.ts'
import type { InvalidHexError } from '../values/checkHex.ts'
import { addressWord, bytesText, type Erc6492Signature, unwrapErc6492, word } from './erc6492.ts'

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

export declare namespace checkContractSignature {
  type ErrorType = ChainReadError | InvalidAddressError | InvalidHexError
}

/** Init code that deploys the account through its factory, calls it, and returns what it answered. Nothing is kept. */
function encodeTrialDeployment(account: Address, data: Hex, wrapped: Erc6492Signature): Hex {
  const call = bytesText(data)
  const head = [addressWord(account), word(128), addressWord(wrapped.factory), word(128 + call.length / 2)]
  return `${deploylessCallViaFactoryBytecode}${head.join('')}${call}${bytesText(wrapped.factoryData)}`
}
