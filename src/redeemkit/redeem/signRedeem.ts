import type { Hex } from 'viem'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/clock.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import { UserRejectedError, WrongSignerError } from '../core/errors/walletErrors.ts'
import { freeze } from '../core/freeze.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { ChainReadError, type EvmClient } from '../evm/client.ts'
import { hashCreditPermit } from '../evm/creditPermit/creditPermit.ts'
import { askForCreditPermit, type signCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import { classifySignature, unwrapErc6492 } from '../evm/signature/normalizeSignature.ts'
import type { SignatureScheme } from '../evm/signature/signatureScheme.ts'
import { loadCurve, recoverSigner } from '../evm/signature/verifyDigest.ts'
import { checkSignature, withoutChainId } from '../evm/signer/signTypedData.ts'
import { type EvmSigner, toSigner } from '../evm/signer/toSigner.ts'
import type { settlementOf } from '../evm/transactionData/settlementOf.ts'
import {
  askForUsdcAuthorization,
  type signUsdcAuthorization,
} from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import {
  signedToV1,
  signedToV2,
  V1NotPossibleError,
} from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { checkHex, InvalidHexError } from '../evm/values.ts'
import { lightSignedMessages } from '../schema/light.ts'
import { readRecord } from '../schema/readRecord.ts'
import type { SignedMessages } from '../schema/redeem.ts'
import { readBeforeSigning } from './chain/readBeforeSigning.ts'
import { checkPublicClient } from './chain/redeemKey.ts'
import type { CheckedRedeem } from './check/checkAnswer.ts'
import { purchaseToDisclose } from './check/intentOf.ts'
import { keepOwn, readPrepared, requireRequest } from './check/readPrepared.ts'
import { checkFactory } from './checkFactory.ts'
import { InvalidRedeemRequestError, PartlySignedError, PinsRequiredError } from './errors.ts'
import { loadOnDemand } from './loadOnDemand.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest, SignedRedeem } from './preparedRedeem.ts'
import type { SigningStep } from './redeemStep.ts'
import { boundClient, within } from './within.ts'

/**
 * Repeats every check, then asks the wallet to sign the credit permit and, if part is paid in USDC, the USDC authorization. A rejection is
 * final: nothing is requested again with another method.
 *
 * `request` is always required, because stored data could have been changed; `pinned` (with `chainId`) is required unless `prepared` is
 * the same object that `prepareRedeem` returned. With `publicClient`, order and funds are read before the wallet opens.
 *
 * @param signer a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer
 * @returns frozen plain data. Anyone holding it can execute this redeem, and nothing else
 * @throws before any prompt: PinsRequiredError, StoredRedeemError, PreparedMismatchError and the other errors of `prepareRedeem`;
 * AlreadyRedeemedError, OrderUsedError, RedeemCancelledError, InsufficientFundsError and ChainReadError; WrongSignerError,
 * WrongNetworkError, V1NotPossibleError
 * @throws UserRejectedError, WalletFailedError, InvalidWalletAnswerError, WrongSignatureError; PartlySignedError with the permit's
 * signature if a later step failed. Nothing was submitted
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
    throw new PinsRequiredError('The chain of the stored redeem is not pinned.', {
      field: 'pinned.chainId',
      fix: 'Pass `chainId` in `pinned`, or a `publicClient` on that chain.',
    })
  const { prepared, usdc } = checked
  checkSigningOptions(options)
  if (signal?.aborted) throw new RequestAbortedError({ sent: false })
  await checkWallet(signer, checked, options)
  const deployed =
    options.hasCode ?? (client && (await within(readBeforeSigning(client, prepared), { signal })))
  if (usdc && usdcVersion === 'V1' && deployed)
    throw new V1NotPossibleError(`${prepared.wallet} has code, and V1 accepts only key signatures.`, {
      field: 'usdcVersion',
      fix: 'Use usdcVersion "V2" or "auto".',
    })
  // Load the code before the signature, because the file could be missing afterwards.
  if (client === undefined) await loadCurve()
  if (prepared.pinned.intentBound === false) await loadOnDemand()
  const redeemIntent = options.takesIntent === false ? undefined : purchaseToDisclose(prepared)
  const refuseFactory = (factory: unknown) => {
    // Some wallets wrap their signatures even though they are deployed.
    if (factory !== undefined && deployed === false) checkFactory(factory, options.pinned)
  }
  const { getFactory } = toSigner(signer)
  if (getFactory) refuseFactory(await within(getFactory(), { signal }))
  const ask: Ask = async (prompt, sign) => {
    const onPrompt = async () => {
      await onStep?.({ step: 'signing', prompt })
      if (signal?.aborted) throw new RequestAbortedError({ sent: false })
    }
    const signature = await within(sign(onPrompt), { signal })
    refuseFactory(unwrapErc6492(signature)?.factory)
    return signature
  }

  const given = options.permitCredits !== undefined
  const check = async () => {
    const signature = await checkGiven(signer, checked, { ...options, publicClient: client })
    refuseFactory(unwrapErc6492(signature)?.factory)
    return signature
  }
  // No node is read between the click and the prompt.
  const checksLate = given && usdc !== undefined && options.hasCode !== undefined
  const permitCredits = checksLate
    ? checkHex(options.permitCredits, 'permitCredits')
    : await (given
        ? check()
        : signPermit(signer, checked, {
            client,
            signatures,
            now,
            redeemIntent,
            ask,
            onPermit: options.onPermit,
          }))
  if (usdc === undefined) return finish(prepared, { permitCredits })
  if (!given) await onStep?.({ step: 'permitSigned', prepared, permitCredits })
  let messages: Partial<SignedMessages>
  try {
    const signature = await ask('usdcAuthorization', (onPrompt) =>
      askForUsdcAuthorization(signer, {
        chainId: prepared.chainId,
        ...usdc,
        client,
        now,
        redeemIntent,
        onPrompt,
      }),
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
  allowRandomNonce: 'boolean?',
  publicClient: 'any',
  usdcVersion: 'any',
  signatures: 'object?',
  permitCredits: 'any',
  hasCode: 'boolean?',
  takesIntent: 'boolean?',
  onStep: 'function?',
  onPermit: 'function?',
  signal: 'object?',
  timeoutMs: 'any',
  now: 'any',
}

export declare namespace signRedeem {
  type Options = {
    prepared: PreparedRedeem
    /**
     * Your pins. Required for stored data, with `chainId` if there is no `publicClient`. Optional for the object that
     * `prepareRedeem` returned.
     */
    pinned?: RedeemPins | undefined
    /** Your request. Required, because stored data could have been changed. */
    request: RedeemRequest
    /** Your order id. A stored redeem of another order is rejected. */
    purchaseId?: string | undefined
    /** Wallet that pays. A redeem of another wallet is rejected. Default, if `prepared` was stored: the signer's first account. */
    wallet?: string | undefined
    /** Accepts a stored permit with a random nonce. Default false. */
    allowRandomNonce?: boolean | undefined
    /** Reads the chain: detects accounts with code, and verifies the signatures. */
    publicClient?: EvmClient | undefined
    /** Default `auto`: V1 for an account without code and a 65-byte signature, otherwise V2. */
    usdcVersion?: 'V1' | 'V2' | 'auto' | undefined
    /** Scheme that recognizes chain-specific signatures. Default: the signer's own scheme, which `redeemkit/tempo` signers have. */
    signatures?: SignatureScheme | undefined
    /**
     * Signature of the permit from a `permitSigned` step: only the USDC authorization is requested. With `publicClient` it is
     * verified first.
     */
    permitCredits?: Hex | undefined
    /**
     * Whether the wallet has code, as `checkRedeem` returned it. `publicClient` is then not read before the next prompt, and
     * `permitCredits` is verified after the USDC authorization.
     */
    hasCode?: boolean | undefined
    /**
     * Whether the wallet supports the purchase as a parameter (PROTOCOL.md 4.7), from `checkRedeem`. If `false`, the wallet is not asked
     * again. Default: the wallet is asked before each prompt.
     */
    takesIntent?: boolean | undefined
    /** Called and awaited before each prompt, and after the first of two signatures. An error it throws ends the signing. */
    onStep?: ((step: SigningStep) => void | Promise<void>) | undefined
    /**
     * Called and awaited with the wallet's signature of the permit before it is verified. Pass it as `permitCredits` if the node then
     * fails, so that the customer signs once.
     */
    onPermit?: ((permitCredits: Hex) => void | Promise<void>) | undefined
    signal?: AbortSignal | undefined
    /** Timeout of one request to `publicClient`, without the prompts. Default 120_000. */
    timeoutMs?: number | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = SignedRedeem
  type ErrorType =
    | readPrepared.ErrorType
    | readBeforeSigning.ErrorType
    | toSigner.ErrorType
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
    | loadCurve.ErrorType
    | settlementOf.ErrorType
    | PartlySignedError
    | RequestAbortedError
    | V1NotPossibleError
}

/** V1 is only for accounts that are known to have no code (PROTOCOL.md 5). */
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

/** Wraps an error after the permit was signed, but not an abort by the caller. */
function partly(
  cause: BaseError,
  permitCredits: Hex,
): RequestAbortedError | UserRejectedError | PartlySignedError {
  if (cause instanceof RequestAbortedError) return cause
  const options = {
    field: cause instanceof ChainReadError ? 'publicClient' : 'usdcAuthorization',
    fix: 'Call signRedeem again with the permitCredits of this error or of the "permitSigned" step. Nothing was submitted, and the permit alone executes nothing.',
    cause,
    permitCredits,
  }
  return cause instanceof UserRejectedError
    ? new UserRejectedError('The user signed the permit, but rejected the USDC authorization.', options)
    : new PartlySignedError(`The permit is signed, but a later step failed. ${cause.shortMessage}`, options)
}

/** If a node fails after the prompt, the error contains the signature. */
async function signPermit(
  signer: EvmSigner,
  { domain, permit }: CheckedRedeem,
  how: Pick<askForCreditPermit.Options, 'client' | 'signatures' | 'now' | 'redeemIntent'> & {
    ask: Ask
  } & Pick<signRedeem.Options, 'onPermit'>,
): Promise<Hex> {
  const { ask, onPermit, ...options } = how
  let signature: Hex | undefined
  const onSigned = async (given: Hex) => {
    signature = given
    await onPermit?.(given)
  }
  try {
    return await ask('creditPermit', (onPrompt) =>
      askForCreditPermit(signer, { domain, permit, ...options, onPrompt, onSigned }),
    )
  } catch (cause) {
    if (cause instanceof ChainReadError && signature !== undefined) throw partly(cause, signature)
    throw cause
  }
}

async function checkGiven(
  signer: EvmSigner,
  { prepared, domain, permit }: CheckedRedeem,
  { publicClient, signal, permitCredits, ...options }: signRedeem.Options,
): Promise<Hex> {
  const signature = checkHex(permitCredits, 'permitCredits')
  const digest = hashCreditPermit({ domain, permit })
  const { wallet: address, chainId } = prepared
  // `onPermit` reported the signature before it was normalized.
  if (publicClient === undefined)
    return withoutChainId(signature, { address, chainId, recover: (plain) => recoverSigner(digest, plain) })
  const checking = checkSignature(publicClient, {
    address,
    digest,
    signature,
    chainId,
    signatures: options.signatures ?? toSigner(signer).signatures,
    field: 'permitCredits',
  })
  return within(checking, { signal })
}

function finish(prepared: PreparedRedeem, messages: SignedMessages): SignedRedeem {
  return keepOwn(freeze({ version: 1, prepared, signedMessages: readRecord(lightSignedMessages, messages) }))
}

function checkSigningOptions({
  usdcVersion = 'auto',
  permitCredits,
  publicClient,
}: signRedeem.Options): void {
  if (!['V1', 'V2', 'auto'].includes(usdcVersion))
    throw new InvalidRedeemRequestError(`usdcVersion is ${showValue(usdcVersion)}.`, {
      field: 'usdcVersion',
      fix: 'Use "V1", "V2" or "auto".',
    })
  // An empty signature means an on-chain approval, which only the account can confirm.
  if (permitCredits !== undefined && checkHex(permitCredits, 'permitCredits') === '0x' && !publicClient)
    throw new InvalidHexError('permitCredits is empty.', {
      field: 'permitCredits',
      fix: 'Pass the signature of the "permitSigned" step, or omit it.',
    })
}

async function checkWallet(
  signer: EvmSigner,
  { own, prepared: { wallet } }: CheckedRedeem & { own: boolean },
  { wallet: given, signal }: signRedeem.Options,
): Promise<void> {
  let meant = given
  if (meant === undefined && !own) meant = await within(toSigner(signer).getAddress(), { signal })
  if (meant !== undefined && checkAddress(meant, 'wallet') !== wallet)
    throw new WrongSignerError(`The redeem is for ${wallet}, but the signer is ${meant}.`, {
      field: 'wallet',
      fix: 'Select that account in the wallet, or pass it as `wallet`.',
    })
}

type Ask = (
  prompt: 'creditPermit' | 'usdcAuthorization',
  sign: (onPrompt: () => Promise<void>) => Promise<Hex>,
) => Promise<Hex>
