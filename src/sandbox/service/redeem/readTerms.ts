import type { Hex } from 'viem'
import { hasCode } from '../../../evm/client/readChain.ts'
import type { CreditPermit } from '../../../evm/creditPermit/creditPermit.ts'
import { normalizeSignature } from '../../../evm/signature/normalizeSignature.ts'
import type { SendGaslessTxBody } from '../../../schema/index.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { redeemRequest } from '../../contracts/redeemRequest.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import type { Service } from '../service.ts'
import type { CustomerNonce } from './redeemRows.ts'
import { runRedeem } from './rehearseRedeem.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/** What the chain says on a redeem, asked all at once. */
export type Terms = {
  permit: CreditPermit
  price: gasPrice.ReturnType
  walletHasCode: boolean
  /** What the wallet has, raw units. */
  credits: bigint
  /** The redeem run as it stands, when it can be tried before more is known. */
  trial: Trial | undefined
}

/** The contract itself has looked at the signature. */
export type Trial = { signature: Hex } & ({ gas: bigint } | { error: unknown })

/**
 * Asks the chain for all that a redeem depends on, in one turn: price, code, credits, and, where the signature may be a key's
 * and no USDC is collected, whether the redeem goes through.
 */
export async function readTerms(service: Service, options: readTerms.Options): Promise<Terms> {
  const { redeem, body, creditSeed } = options
  const { chain, wallet, nonce } = redeem
  const permit: CreditPermit = {
    customerWallet: wallet,
    creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce,
  }
  const [price, walletHasCode, credits, trial] = await Promise.all([
    gasPrice(chain),
    hasCode(chain.client, wallet),
    readCredits(chain, { creditSeed, wallet }),
    tryRedeem(service, { ...options, permit }),
  ])
  return { permit, price, walletHasCode, credits, trial }
}

export declare namespace readTerms {
  type Options = {
    redeem: CustomerNonce & { intent: ResolvedIntent }
    body: Pick<SendGaslessTxBody, 'signedMessages' | 'creditsRawAmount' | 'validBefore'>
    salt: Hex
    creditSeed: string
  }
}

/** With the highest fee that the permit leaves room for: what goes through with that goes through with less. */
async function tryRedeem(
  service: Service,
  options: readTerms.Options & { permit: CreditPermit },
): Promise<Trial | undefined> {
  const { redeem, body, salt, permit } = options
  const { chain, intent } = redeem
  const signature = keySignature(body.signedMessages.permitCredits)
  const room = permit.amount - intent.amount
  if (signature === undefined || intent.usdcAmount > 0n || room < 0n) return undefined
  const gasFee = service.settings.gasFeePayer === 'merchant' ? 0n : room
  try {
    return {
      signature,
      gas: await runRedeem(chain, { request: redeemRequest({ permit, signature, salt, intent, gasFee }) }),
    }
  } catch (error) {
    return { signature, error }
  }
}

/** A signature that is what the contract is given, whoever the wallet is: a key's, in its canonical form. */
function keySignature(signature: Hex): Hex | undefined {
  if (signature.length !== 132) return undefined
  try {
    return normalizeSignature(signature, { hasCode: false }) === signature ? signature : undefined
  } catch {
    return undefined
  }
}
