import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { tempoContracts } from '../../../redeemkit/tempo/tempoContracts.ts'

const abi = parseAbi(['function revokeKey(address keyId)'])

/**
 * The call by which an account takes the power of an access key back, for good. The account itself has to send it.
 *
 * @see Tempo, "Account Keychain Precompile", `revokeKey`
 */
export function revokeAccessKey(options: { keyId: Address }): { to: Address; data: Hex } {
  return {
    to: tempoContracts.accountKeychain,
    data: encodeFunctionData({ abi, functionName: 'revokeKey', args: [options.keyId] }),
  }
}
