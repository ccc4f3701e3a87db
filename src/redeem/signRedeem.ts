import type { Hex } from 'viem'
import { RequestAbortedError } from '../api/errors.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import { UserRejectedError, WrongSignerError } from '../core/errors/walletErrors.ts'
import { freeze } from '../core/freeze.ts'
import type { Clock } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { hasCode } from '../evm/client/readChain.ts'
import { hashCreditPermit } from '../evm/creditPermit/hashCreditPermit.ts'
import { signCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import type { SignatureScheme } from '../evm/signature/signatureScheme.ts'
import type { EvmSigner } from '../evm/signer/evmSigner.ts'
import { checkSignature } from '../evm/signer/signTypedData.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import { signUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import { signedToV1, V1NotPossibleError } from '../evm/usdcAuthorization/toUsdcAuthorizationV1.ts'
import { signedToV2 } from '../evm/usdcAuthorization/toUsdcAuthorizationV2.ts'
import { checkAddress } from '../evm/values/checkAddress.ts'
import { checkHex, InvalidHexError } from '../evm/values/checkHex.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { type SignedMessages, signedMessages } from '../schema/signedMessages.ts'
import { checkClientChain } from './chain/lookUpRedeem.ts'
import type { CheckedRedeem } from './check/checkAnswer.ts'
import { keepOwn, readPrepared } from './check/readPrepared.ts'
import { InvalidRedeemRequestError, PartlySignedError, PinsRequiredError } from './errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest, SignedRedeem } from './preparedRedeem.ts'
import { within } from './within.ts'

/**
 * Repeats every check, then asks the wallet: for the credit permit and, when a part is paid in USDC, for the USDC
 * authorization. A user's no is final: nothing is asked again in another way.
 *
 * Data that was stored in between cannot vouch for itself, so `pinned` must then be given again, with the chain; and it is
 * signed by the signer's own account, or by `wallet`, not by any that it names. Whoever can write to the
 * storage can also replace the whole redeem by another one within your pins: pass `request` again, too, or show `summary`
 * of the data that you sign.
 *
 * @param signer a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer
 * @returns plain data, frozen. Whoever holds it can execute this redeem, and nothing else.
 * @throws before any prompt: PinsRequiredError, StoredRedeemError, PreparedMismatchError, ExpiredError, TooFarAheadError and
 * the other errors of `prepareRedeem`; WrongSignerError, WrongNetworkError; V1NotPossibleError for V1 from an account with code;
 * InvalidHexError, InvalidSignatureError and WrongSignatureError for `permitCredits`
 * @throws UserRejectedError for the user's no; WalletFailedError, InvalidWalletAnswerError, WrongSignatureError.
 * PartlySignedError when the second signature failed for another reason than a no. Nothing was submitted then.
 * @see PROTOCOL.md 3 to 5
 * @example
 * ```ts
 * import { type PreparedRedeem, type RedeemPins, signRedeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * const sign = (stored: string, pinned: RedeemPins & { chainId: number }) => {
 *   const prepared: PreparedRedeem = JSON.parse(stored)
 *   return signRedeem(account, { prepared, pinned })
 * }
 * ```
 */
export async function signRedeem(signer: EvmSigner, options: signRedeem.Options): Promise<SignedRedeem> {
  const { publicClient: client, usdcVersion = 'auto', now, signal, onStep } = options
  const checked = readPrepared(options.prepared, options)
  if (!checked.own && options.pinned?.chainId === undefined && client === undefined)
    throw new PinsRequiredError('Nobody but the stored redeem says on which chain it is.', {
      field: 'pinned.chainId',
      fix: 'Pass chainId among the pins, or a publicClient of that chain.',
    })
  const { prepared, domain, permit, usdc } = checked
  const { chainId, wallet } = prepared
  if (!['V1', 'V2', 'auto'].includes(usdcVersion))
    throw new InvalidRedeemRequestError(`There is no usdcVersion ${showValue(usdcVersion)}.`, {
      field: 'usdcVersion',
      fix: 'Use "V1", "V2" or "auto".',
    })
  let { permitCredits } = options
  if (permitCredits !== undefined && checkHex(permitCredits, 'permitCredits') === '0x')
    throw new InvalidHexError('A signature has bytes.', {
      field: 'permitCredits',
      fix: 'Pass the signature of the "permitSigned" step, or leave it out.',
    })
  if (signal?.aborted) throw aborted()
  // A wallet with several accounts would sign with whichever the storage names.
  let meant = options.wallet
  if (meant === undefined && !checked.own)
    meant = await within(toSigner(signer).getAddress(), { signal, onEnd: aborted })
  if (meant !== undefined && checkAddress(meant, 'wallet') !== wallet)
    throw new WrongSignerError(`The redeem is for ${wallet}, and ${meant} is to sign.`, {
      field: 'wallet',
      fix: 'Choose that account in the wallet, or pass wallet when it is the one that you mean.',
    })
  let deployed: boolean | undefined
  if (client !== undefined) {
    // A node that never answers must not keep a caller who has given up.
    const looking = checkClientChain(client, chainId).then(() => hasCode(client, wallet))
    deployed = await within(looking, { signal, onEnd: aborted })
  }
  if (usdc && usdcVersion === 'V1' && deployed)
    throw new V1NotPossibleError(`${wallet} has code: v, r and s cannot carry its signature.`, {
      field: 'usdcVersion',
      fix: 'Use V2, or leave the choice to signRedeem.',
    })
  const ask = async (prompt: 'creditPermit' | 'usdcAuthorization', sign: () => Promise<Hex>) => {
    await onStep?.({ step: 'signing', prompt })
    return within(sign(), { signal, onEnd: aborted })
  }
  if (permitCredits !== undefined && client !== undefined) {
    const digest = hashCreditPermit({ domain, permit })
    const signatures = options.signatures ?? toSigner(signer).signatures
    const given = {
      address: wallet,
      digest,
      signature: permitCredits,
      chainId,
      signatures,
      field: 'permitCredits',
    }
    permitCredits = await within(checkSignature(client, given), { signal, onEnd: aborted })
  }
  if (permitCredits === undefined) {
    permitCredits = await ask('creditPermit', () =>
      signCreditPermit(signer, { domain, permit, client, now, signatures: options.signatures }),
    )
    if (usdc) await onStep?.({ step: 'permitSigned', prepared, permitCredits })
  }
  let messages: SignedMessages = { permitCredits }
  if (usdc)
    try {
      const signature = await ask('usdcAuthorization', () =>
        signUsdcAuthorization(signer, { chainId, ...usdc, client, now }),
      )
      messages = { permitCredits, ...toRecord(usdc, { signature, deployed, usdcVersion }) }
    } catch (cause) {
      if (cause instanceof BaseError) throw partly(cause)
      throw cause
    }
  return keepOwn(freeze({ version: 1, prepared, signedMessages: parseRecord(signedMessages, messages) }))
}

export declare namespace signRedeem {
  type Options = {
    prepared: PreparedRedeem
    /**
     * Your pins, again. Must be given for data that was stored, and with `chainId` where there is no `publicClient`; may be
     * left out for the very object that `prepareRedeem` returned.
     */
    pinned?: RedeemPins | undefined
    /** Your request, again: refuses stored data that stands for another one. */
    request?: RedeemRequest | undefined
    /** Who pays, again. Default: for data that was stored, the signer's own account, the first that a wallet shows. */
    wallet?: string | undefined
    /** Takes a stored permit that does not say what it pays for. Default false. */
    allowUnbound?: boolean | undefined
    /** Reads the chain: tells accounts with code apart, and checks the signatures before they are sent. */
    publicClient?: EvmClient | undefined
    /** Default `auto`: V1 for an account that `publicClient` shows without code, and its 65-byte signature; else V2. */
    usdcVersion?: 'V1' | 'V2' | 'auto' | undefined
    /** How the chain's own signatures are told. Default: what the signer carries, as the signers of `redeemkit/tempo` do. */
    signatures?: SignatureScheme | undefined
    /**
     * The permit's signature from a `permitSigned` step: then only the USDC authorization is asked for. With `publicClient`
     * it is checked first; without one nobody checks whose it is.
     */
    permitCredits?: Hex | undefined
    /** Told of each prompt before it comes, and of the first of two signatures. It is waited for; what it throws ends the signing. */
    onStep?: ((step: SigningStep) => void | Promise<void>) | undefined
    signal?: AbortSignal | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = SignedRedeem
  type ErrorType =
    | readPrepared.ErrorType
    | checkClientChain.ErrorType
    | toSigner.ErrorType
    | signCreditPermit.ErrorType
    | InvalidRedeemRequestError
    | PartlySignedError
    | PinsRequiredError
    | RequestAbortedError
    | V1NotPossibleError
}

/** Where the signing is. */
export type SigningStep =
  | { readonly step: 'signing'; readonly prompt: 'creditPermit' | 'usdcAuthorization' }
  | { readonly step: 'permitSigned'; readonly prepared: PreparedRedeem; readonly permitCredits: Hex }

/** PROTOCOL.md 5: V1 only from a plain key-held account; untouched where nobody knows what the account is. */
function toRecord(
  { authorization }: NonNullable<CheckedRedeem['usdc']>,
  how: { signature: Hex; deployed: boolean | undefined; usdcVersion: 'V1' | 'V2' | 'auto' },
): Partial<SignedMessages> {
  const { signature, deployed, usdcVersion } = how
  return usdcVersion === 'V1' || (usdcVersion === 'auto' && deployed === false && signature.length === 132)
    ? { customerUsdcAuthData: signedToV1({ authorization, signature }) }
    : {
        customerUsdcAuthDataV2: signedToV2({ authorization, signature }, { hasCode: deployed !== false }),
      }
}

/** What went wrong with the second signature, with what it means. A stop by the caller stays what it is. */
function partly(cause: BaseError): RequestAbortedError | UserRejectedError | PartlySignedError {
  if (cause instanceof RequestAbortedError) return cause
  const options = {
    field: 'usdcAuthorization',
    fix: 'Nothing was submitted, and the permit alone executes nothing. To go on, call signRedeem with the permitCredits of the "permitSigned" step.',
    cause,
  }
  return cause instanceof UserRejectedError
    ? new UserRejectedError('The user signed the permit, but said no to the USDC authorization.', options)
    : new PartlySignedError(
        `The permit is signed, the USDC authorization is not. ${cause.shortMessage}`,
        options,
      )
}

const aborted = () => new RequestAbortedError({ sent: false })
