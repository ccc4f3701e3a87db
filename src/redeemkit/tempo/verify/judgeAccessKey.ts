import type { Address } from 'viem'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/time/clock.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { type AccessKey, getAccessKey } from './getAccessKey.ts'
import { refusal, type TempoSignatureCheck } from './tempoSignatureCheck.ts'

/**
 * Whether an access key, which has signed, may sign so for the account.
 *
 * @throws {@link ChainReadError} when the node does not answer
 */
export async function judgeAccessKey(
  client: EvmClient,
  options: judgeAccessKey.Options,
): Promise<TempoSignatureCheck> {
  const { account, keyId, kind } = options
  const accessKey = await getAccessKey(client, { account, keyId })
  if (accessKey === undefined || accessKey.kind !== kind)
    return refusal('ACCESS_KEY_UNKNOWN', `${account} never authorized the ${kind} access key ${keyId}.`)
  if (accessKey.revoked) return refusal('ACCESS_KEY_REVOKED', `Access key ${keyId} was revoked.`)
  if (accessKey.expiry <= unixSeconds(options.now))
    return refusal('ACCESS_KEY_EXPIRED', `Access key ${keyId} expired at ${accessKey.expiry}.`)
  if (accessKey.limited && options.limitedAccessKeys !== 'accept')
    return refusal(
      'ACCESS_KEY_LIMITED',
      `${account} limited what access key ${keyId} may spend or call; a permit would go past it.`,
    )
  return { valid: true, kind: 'keychain', signer: keyId, accessKey }
}

export declare namespace judgeAccessKey {
  type Options = {
    account: Address
    /** Address of the access key, as its signature shows it. */
    keyId: Address
    /** With what kind of key it signed. */
    kind: AccessKey['kind']
    limitedAccessKeys?: 'refuse' | 'accept' | undefined
    now?: Clock | undefined
  }
  type ErrorType = getAccessKey.ErrorType | InvalidClockError
}
