import type { Hex } from 'viem'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import { UserRejectedError, WrongSignerError } from '../core/errors/walletErrors.ts'
import { freeze } from '../core/freeze.ts'
import type { Clock } from '../core/time/clock.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import type { EvmClient } from '../evm/client.ts'
import { ChainReadError } from '../evm/client.ts'
import { hashCreditPermit } from '../evm/creditPermit/creditPermit.ts'
import { signCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import { classifySignature } from '../evm/signature/classifySignature.ts'
import type { SignatureScheme } from '../evm/signature/signatureScheme.ts'
import type { EvmSigner } from '../evm/signer/evmSigner.ts'
import { checkSignature } from '../evm/signer/signTypedData.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import type { settlementOf } from '../evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import {
  signedToV1,
  signedToV2,
  V1NotPossibleError,
} from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { checkHex, InvalidHexError } from '../evm/values.ts'
import { lightSignedMessages } from '../schema/light/records.ts'
import { readRecord } from '../schema/readRecord.ts'
import type { SignedMessages } from '../schema/signedMessages.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import { readBeforeSigning } from './chain/readBeforeSigning.ts'
import type { CheckedRedeem } from './check/checkAnswer.ts'
import { keepOwn, readPrepared } from './check/readPrepared.ts'
import { requireRequest } from './check/requireRequest.ts'
import { InvalidRedeemRequestError, PartlySignedError, PinsRequiredError } from './errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest, SignedRedeem } from './preparedRedeem.ts'
import type { SigningStep } from './redeemStep.ts'
import { within } from './within.ts'

/**
 * Repeats every check, then asks the wallet: for the credit permit and, when a part is paid in USDC, for the USDC
 * authorization. A user's no is final: nothing is asked again in another way.
 *
 * Data that was stored in between cannot vouch for itself, so `request` is always given again, and `pinned`, with the chain,
 * for what is not the very object of `prepareRedeem`; it is signed by the signer's own account, or by `wallet`, not by any
 * that it names. With `publicClient` the order, the credits and the USDC are read before the wallet is asked; only the USDC
 * where the pins say `intentBound: false`, because such a contract tells nothing else.
 *
 * @param signer a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer
 * @returns plain data, frozen. Whoever holds it can execute this redeem, and nothing else.
 * @throws before any prompt: PinsRequiredError, StoredRedeemError, PreparedMismatchError, ExpiredError, TooFarAheadError and
 * the other errors of `prepareRedeem`; AlreadyRedeemedError, OrderUsedError, RedeemCancelledError and InsufficientFundsError by what the chain
 * says, ChainReadError when it cannot be read; WrongSignerError, WrongNetworkError; V1NotPossibleError for V1 from an account with code;
 * InvalidHexError, InvalidSignatureError and WrongSignatureError for `permitCredits`
 * @throws UserRejectedError for the user's no; WalletFailedError, InvalidWalletAnswerError, WrongSignatureError.
 * PartlySignedError, which carries the permit's signature, when what followed it failed for another reason than a no: its
 * check by a node, or the second signature. Nothing was submitted then.
 * @see PROTOCOL.md 3 to 5
 * @example
 * ```ts
 * import { type PreparedRedeem, type RedeemPins, type RedeemRequest, signRedeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * const sign = (stored: string, request: RedeemRequest, pinned: RedeemPins & { chainId: number }) => {
 *   const prepared: PreparedRedeem = JSON.parse(stored)
 *   return signRedeem(account, { prepared, pinned, request })
 * }
 * ```
 */
export async function signRedeem(signer: EvmSigner, options: signRedeem.Options): Promise<SignedRedeem> {
  checkOptions(options, optionKinds)
  const { usdcVersion = 'auto', now, signal, onStep, signatures } = options
  const client =
    options.publicClient === undefined
      ? undefined
      : boundClient(checkPublicClient(options.publicClient), options)
  const checked = readPrepared(options.prepared, { ...options, request: requireRequest(options.request) })
  if (!checked.own && options.pinned?.chainId === undefined && client === undefined)
    throw new PinsRequiredError('Nobody but the stored redeem says on which chain it is.', {
      field: 'pinned.chainId',
      fix: 'Pass chainId among the pins, or a publicClient of that chain.',
    })
  const { prepared, usdc } = checked
  checkMeans(options)
  if (signal?.aborted) throw aborted()
  await checkWallet(signer, checked, options)
  const deployed =
    options.hasCode ??
    (client && (await within(readBeforeSigning(client, checked), { signal, onEnd: aborted })))
  if (usdc && usdcVersion === 'V1' && deployed)
    throw new V1NotPossibleError(`${prepared.wallet} has code: v, r and s cannot carry its signature.`, {
      field: 'usdcVersion',
      fix: 'Use V2, or leave the choice to signRedeem.',
    })
  const ask: Ask = (prompt, sign) => {
    const onPrompt = async () => {
      await onStep?.({ step: 'signing', prompt })
      if (signal?.aborted) throw aborted()
    }
    return within(sign(onPrompt), { signal, onEnd: aborted })
  }

  const given = options.permitCredits !== undefined
  const check = () => checkGiven(signer, checked, { ...options, publicClient: client })
  // Nothing is asked of a node between the press and the prompt of it.
  const checksLate = given && usdc !== undefined && options.hasCode !== undefined
  const permitCredits = checksLate
    ? checkHex(options.permitCredits, 'permitCredits')
    : await (given ? check() : signPermit(signer, checked, { client, signatures, now, ask }))
  if (usdc === undefined) return finish(prepared, { permitCredits })
  if (!given) await onStep?.({ step: 'permitSigned', prepared, permitCredits })
  let messages: Partial<SignedMessages>
  try {
    const signature = await ask('usdcAuthorization', (onPrompt) =>
      signUsdcAuthorization(signer, { chainId: prepared.chainId, ...usdc, client, now, onPrompt }),
    )
    messages = toRecord(usdc, { signature, deployed, usdcVersion })
  } catch (cause) {
    throw cause instanceof BaseError ? partly(cause, permitCredits) : cause
  }
  return finish(prepared, { permitCredits: checksLate ? await check() : permitCredits, ...messages })
}

const optionKinds: OptionKinds<signRedeem.Options> = {
  prepared: 'any',
  pinned: 'any',
  request: 'any',
  purchaseId: 'any',
  wallet: 'any',
  allowUnbound: 'boolean?',
  publicClient: 'any',
  usdcVersion: 'any',
  signatures: 'object?',
  permitCredits: 'any',
  hasCode: 'boolean?',
  onStep: 'function?',
  signal: 'object?',
  timeoutMs: 'any',
  now: 'any',
}

export declare namespace signRedeem {
  type Options = {
    prepared: PreparedRedeem
    /**
     * Your pins, again. Must be given for data that was stored, and with `chainId` where there is no `publicClient`; may be
     * left out for the very object that `prepareRedeem` returned.
     */
    pinned?: RedeemPins | undefined
    /** Your request, again: stored data cannot vouch for what it pays for. */
    request: RedeemRequest
    /** Your order id, again: refuses a stored redeem of another order. */
    purchaseId?: string | undefined
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
    /**
     * Whether there is code at the wallet, from `checkRedeem`. With it nothing is asked of `publicClient` before the next prompt:
     * order and funds were read then, and `permitCredits` is checked when the USDC authorization is signed.
     */
    hasCode?: boolean | undefined
    /** Told of each prompt before it comes, and of the first of two signatures. It is waited for; what it throws ends the signing. */
    onStep?: ((step: SigningStep) => void | Promise<void>) | undefined
    signal?: AbortSignal | undefined
    /** Longest wait for one answer of `publicClient`. The prompts are not counted. Default 120_000. */
    timeoutMs?: number | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = SignedRedeem
  type ErrorType =
    | checkOptions.ErrorType
    | readPrepared.ErrorType
    | readBeforeSigning.ErrorType
    | toSigner.ErrorType
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
    | settlementOf.ErrorType
    | InvalidRedeemRequestError
    | PartlySignedError
    | PinsRequiredError
    | RequestAbortedError
    | V1NotPossibleError
}

/** PROTOCOL.md 5: V1 only from a plain key-held account; untouched where nobody knows what the account is. */
function toRecord(
  { authorization }: NonNullable<CheckedRedeem['usdc']>,
  how: { signature: Hex; deployed: boolean | undefined; usdcVersion: 'V1' | 'V2' | 'auto' },
): Partial<SignedMessages> {
  const { signature, deployed, usdcVersion } = how
  return usdcVersion === 'V1' ||
    (usdcVersion === 'auto' && deployed === false && classifySignature(signature) === 'packed')
    ? { customerUsdcAuthData: signedToV1({ authorization, signature }) }
    : {
        customerUsdcAuthDataV2: signedToV2({ authorization, signature }, { hasCode: deployed !== false }),
      }
}

/** What went wrong after the permit was signed, with what it means. A stop by the caller stays what it is. */
function partly(
  cause: BaseError,
  permitCredits: Hex,
): RequestAbortedError | UserRejectedError | PartlySignedError {
  if (cause instanceof RequestAbortedError) return cause
  const options = {
    field: cause instanceof ChainReadError ? 'publicClient' : 'usdcAuthorization',
    fix: 'Nothing was submitted, and the permit alone executes nothing. To go on, call signRedeem with the permitCredits of this error, or of the "permitSigned" step.',
    cause,
    permitCredits,
  }
  return cause instanceof UserRejectedError
    ? new UserRejectedError('The user signed the permit, but said no to the USDC authorization.', options)
    : new PartlySignedError(`The permit is signed, but not all is done. ${cause.shortMessage}`, options)
}

/** Asks for the permit. A node that fails afterwards says nothing about the signature, which need not be asked for again. */
async function signPermit(
  signer: EvmSigner,
  { domain, permit }: CheckedRedeem,
  how: Pick<signCreditPermit.Options, 'client' | 'signatures' | 'now'> & { ask: Ask },
): Promise<Hex> {
  const { ask, ...options } = how
  let signature: Hex | undefined
  const onSigned = (given: Hex) => {
    signature = given
  }
  try {
    return await ask('creditPermit', (onPrompt) =>
      signCreditPermit(signer, { domain, permit, ...options, onPrompt, onSigned }),
    )
  } catch (cause) {
    if (cause instanceof ChainReadError && signature !== undefined) throw partly(cause, signature)
    throw cause
  }
}

/** A permit that was signed before. */
async function checkGiven(
  signer: EvmSigner,
  { prepared, domain, permit }: CheckedRedeem,
  { publicClient, signal, permitCredits, ...options }: signRedeem.Options,
): Promise<Hex> {
  const signature = checkHex(permitCredits, 'permitCredits')
  if (publicClient === undefined) return signature
  const checking = checkSignature(publicClient, {
    address: prepared.wallet,
    digest: hashCreditPermit({ domain, permit }),
    signature,
    chainId: prepared.chainId,
    signatures: options.signatures ?? toSigner(signer).signatures,
    field: 'permitCredits',
  })
  return within(checking, { signal, onEnd: aborted })
}

function finish(prepared: PreparedRedeem, messages: SignedMessages): SignedRedeem {
  return keepOwn(freeze({ version: 1, prepared, signedMessages: readRecord(lightSignedMessages, messages) }))
}

function checkMeans({ usdcVersion = 'auto', permitCredits, publicClient }: signRedeem.Options): void {
  if (!['V1', 'V2', 'auto'].includes(usdcVersion))
    throw new InvalidRedeemRequestError(`There is no usdcVersion ${showValue(usdcVersion)}.`, {
      field: 'usdcVersion',
      fix: 'Use "V1", "V2" or "auto".',
    })
  // Only the account itself can say that it approved without a signature.
  if (permitCredits !== undefined && checkHex(permitCredits, 'permitCredits') === '0x' && !publicClient)
    throw new InvalidHexError('A signature has bytes.', {
      field: 'permitCredits',
      fix: 'Pass the signature of the "permitSigned" step, or leave it out.',
    })
}

/** A wallet with several accounts would sign with whichever the storage names. */
async function checkWallet(
  signer: EvmSigner,
  { own, prepared: { wallet } }: CheckedRedeem & { own: boolean },
  { wallet: given, signal }: signRedeem.Options,
): Promise<void> {
  let meant = given
  if (meant === undefined && !own)
    meant = await within(toSigner(signer).getAddress(), { signal, onEnd: aborted })
  if (meant !== undefined && checkAddress(meant, 'wallet') !== wallet)
    throw new WrongSignerError(`The redeem is for ${wallet}, and ${meant} is to sign.`, {
      field: 'wallet',
      fix: 'Choose that account in the wallet, or pass wallet when it is the one that you mean.',
    })
}

type Ask = (
  prompt: 'creditPermit' | 'usdcAuthorization',
  sign: (onPrompt: () => Promise<void>) => Promise<Hex>,
) => Promise<Hex>

const aborted = () => new RequestAbortedError({ sent: false })
