import type { Address, Hex } from 'viem'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { callContract } from '../../evm/client/readChain.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { keychainDigest } from '../signature/keychainDigest.ts'
import { parseTempoSignature } from '../signature/parseTempoSignature.ts'
import type { TempoSignature } from '../signature/tempoSignature.ts'
import { tempoContracts } from '../tempoContracts.ts'
import { judgeAccessKey } from './judgeAccessKey.ts'
import { refusal, type TempoSignatureCheck, wrongAccount } from './tempoSignatureCheck.ts'

const recover = '0x19045a25' // recover(bytes32,bytes)

/**
 * Checks an access key's envelope as `checkTempoSignature` does, with the chain's precompile in the place of the curves: its
 * `recover` knows the key inside since the hardfork that brought it, where `verifyKeychain` came with T6 and ignores limits.
 *
 * @throws {@link ChainReadError} when the node does not answer
 * @see TIP-1020
 */
export async function askAccessKey(
  client: EvmClient,
  options: { account: Address; digest: Hex; signature: Hex },
): Promise<TempoSignatureCheck> {
  const { account, digest } = options
  let signature: TempoSignature
  try {
    signature = parseTempoSignature(options.signature)
  } catch (error) {
    return refusal('MALFORMED_SIGNATURE', error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
  if (signature.type !== 'keychain') return refusal('MALFORMED_SIGNATURE', 'No access key signed this.')
  if (signature.account !== account) return wrongAccount(signature.account, account)
  const inner = options.signature.slice(2 + 2 * 21)
  const head = [keychainDigest({ digest, account }).slice(2), word(64), word(inner.length / 2)]
  const answer = await callContract(client, {
    to: tempoContracts.signatureVerifier,
    data: `${recover}${head.join('')}${inner.padEnd(Math.ceil(inner.length / 64) * 64, '0')}`,
  })
  if (answer?.length !== 66) return refusal('BAD_SIGNATURE', 'The key inside did not sign this digest.')
  const keyId = checkAddress(`0x${answer.slice(26)}`, 'signature')
  return judgeAccessKey(client, { account, keyId, kind: signature.inner.type })
}

const word = (value: number) => value.toString(16).padStart(64, '0')
