import type { Address, Hex } from 'viem'
import { usdcAuthorizationMessage } from '../api/endpoints/redeem.ts'
import { RequestAbortedError } from '../api/errors.ts'
import type { PaymentsClient } from '../api/paymentsClient.ts'
import { centsToAmount, type InvalidAmountError } from '../core/amount.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { type Clock, unixSeconds } from '../core/clock.ts'
import { InvalidOptionError, type InvalidRecordError } from '../core/errors/inputErrors.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../core/limits.ts'
import { secureRandom } from '../core/secureRandom.ts'
import { checkAddress, checkNonZeroAddress } from '../evm/checkAddress.ts'
import { type ChainReadError, type EvmClient, hasCode } from '../evm/client.ts'
import { orderKey as orderKeyOf, toOrderKey } from '../evm/creditPermit/orderKey.ts'
import type { settlementHash } from '../evm/creditPermit/redeemIntentNonce.ts'
import type { networkOf } from '../evm/networks.ts'
import { classifySignature } from '../evm/signature/normalizeSignature.ts'
import type { EvmSigner } from '../evm/signer/toSigner.ts'
import type { paymentIntentNonce } from '../evm/usdcAuthorization/paymentIntentNonce.ts'
import { signUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import {
  parseUsdcAuthorizationMessage,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
} from '../evm/usdcAuthorization/usdcAuthorization.ts'
import {
  signedToV1,
  signedToV2,
  type V1NotPossibleError,
} from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { checkNotExpired, type ExpiredError, type InvalidChainIdError, parseUint } from '../evm/values.ts'
import { bytesToHex } from '../evm/viem.ts'
import { same, sameFields } from '../redeem/check/compare.ts'
import { readNetwork } from '../redeem/check/readRedeemTerms.ts'
import { type InvalidRedeemRequestError, PinsRequiredError } from '../redeem/errors.ts'
import { within } from '../redeem/within.ts'
import type {
  UsdcAuthorizationMessage,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../schema/usdcAuthorization.ts'
import { type PaymentPins, type PaymentTerms, paymentIntent } from './paymentIntent.ts'

/**
 * Signs the USDC authorization of a checkout that is paid partly in USDC, and returns the fields to spread into the checkout's body.
 *
 * The nonce is computed from your terms, so the authorization pays only for this payment, and at most one payment of the order
 * collects USDC. Everything in the service's response is compared with your terms and pinned values before the prompt.
 *
 * @param signer a viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer
 * @param options.amount the part in USDC, in US cents
 * @returns `customerUsdcTransferData` for a key-held account where `publicClient` shows no code, otherwise `customerUsdcTransferDataV2`;
 * `orderKey` and `salt` of the nonce, unless the service uses random nonces
 * @throws PreparedMismatchError with the `field` of the response that differs from your terms; {@link PinsRequiredError};
 * {@link InvalidOptionError}; ExpiredError and TooFarAheadError (PROTOCOL.md 3.3); the errors of
 * `usdcAuthorizationMessage`, `parseUsdcAuthorizationMessage` and `signUsdcAuthorization`
 * @see PROTOCOL.md 2.3, 5, 10.2
 * @example
 * ```ts
 * import { createPaymentsClient, signPaymentUsdc } from 'redeemkit'
 * import type { EvmSigner } from 'redeemkit/evm'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const pay4UsdOf10 = (signer: EvmSigner, wallet: `0x${string}`, purchaseId: string) =>
 *   signPaymentUsdc(client, signer, {
 *     wallet,
 *     chainId: 8453,
 *     amount: { cents: 400 },
 *     payment: { subtotal: { cents: 1000 }, settlementType: 'Credits' },
 *     purchaseId,
 *     pinned: { settlementContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
 *   })
 * ```
 */
export async function signPaymentUsdc(
  client: PaymentsClient,
  signer: EvmSigner,
  options: signPaymentUsdc.Options,
): Promise<signPaymentUsdc.ReturnType> {
  checkOptions(options, optionKinds)
  const { amount, paymentId, publicClient, signal, onPrompt, now = client.now } = options
  const { pinned } = options
  checkOptions(pinned, pinKinds, 'pinned')
  const { chainId, blockchain } = readNetwork(client, options.chainId ?? pinned.chainId)
  const wallet = checkNonZeroAddress(options.wallet ?? client.wallet, 'wallet')
  if (pinned.settlementContract === undefined)
    throw new PinsRequiredError(`No settlement contract is pinned for chain ${chainId}.`, {
      field: 'pinned.settlementContract',
      fix: 'Pin `settlementContract` from your own configuration, never from the service.',
      source: 'PROTOCOL.md 10.2',
    })
  const to = checkNonZeroAddress(pinned.settlementContract, 'pinned.settlementContract')
  const value = centsToAmount(amount.cents, { field: 'amount.cents' })
  const bound = pinned.paymentIntentBound === false ? undefined : bind(client, options, { wallet, value })
  const answer = await usdcAuthorizationMessage(
    client,
    {
      amount,
      ...(paymentId !== undefined && { paymentId }),
      ...(bound !== undefined && { nonce: bound.nonce }),
    },
    { wallet, blockchain, signal },
  )
  const { type, authorization } = checkPaymentAuthorization(
    answer,
    {
      chainId,
      from: wallet,
      to,
      value,
      nonce: bound?.nonce,
      type: bound === undefined ? pinned.usdcAuthorizationType : 'ReceiveWithAuthorization',
    },
    unixSeconds(now),
  )
  const deployed = publicClient && (await within(hasCode(publicClient, wallet), { signal }))
  const signing = signUsdcAuthorization(signer, {
    chainId,
    type,
    authorization,
    maxValidForSeconds: Number(permitMaximumSeconds),
    client: publicClient,
    now,
    onPrompt: async () => {
      await onPrompt?.()
      if (signal?.aborted) throw new RequestAbortedError({ sent: false })
    },
  })
  const signature = await within(signing, { signal })
  const order = bound === undefined ? {} : { orderKey: bound.orderKey, salt: bound.salt }
  const signed = { authorization, signature }
  // V1 only for accounts known to have no code. Other signatures stay unchanged (PROTOCOL.md 5.3).
  return deployed === false && classifySignature(signature) === 'packed'
    ? { customerUsdcTransferData: signedToV1(signed), ...order }
    : { customerUsdcTransferDataV2: signedToV2(signed, { hasCode: deployed !== false }), ...order }
}

export declare namespace signPaymentUsdc {
  type Options = {
    /** The part of the checkout that is paid in USDC. */
    amount: { cents: number }
    /** The purchase. Required unless `paymentIntentBound` is pinned false. */
    payment?: PaymentTerms | undefined
    /** Trusted values, from your own configuration. */
    pinned: PaymentPins
    /** The merchant's order id. Default: a random order key. */
    purchaseId?: string | undefined
    paymentId?: string | undefined
    /** Default: the client's. */
    wallet?: Address | undefined
    /** Default: the chain of the pinned values, otherwise of the client. */
    chainId?: number | undefined
    /** Reads the chain: whether the account has code, and whether the signature is valid. */
    publicClient?: EvmClient | undefined
    signal?: AbortSignal | undefined
    /** Called and awaited before the wallet's prompt. If it throws, nothing is signed. */
    onPrompt?: (() => void | Promise<void>) | undefined
    /** Milliseconds since 1970. Default: the client's clock. */
    now?: Clock | undefined
    /** Source of `length` random bytes. Default `crypto.getRandomValues`. */
    random?: ((length: number) => Uint8Array) | undefined
  }
  type ReturnType = { orderKey?: Hex; salt?: Hex } & (
    | { customerUsdcTransferData: UsdcAuthorizationV1; customerUsdcTransferDataV2?: undefined }
    | { customerUsdcTransferDataV2: UsdcAuthorizationV2; customerUsdcTransferData?: undefined }
  )
  type ErrorType =
    | InvalidOptionError
    | PinsRequiredError
    | V1NotPossibleError
    | networkOf.ErrorType
    | InvalidChainIdError
    | InvalidRedeemRequestError
    | orderKeyOf.ErrorType
    | InvalidRecordError
    | InvalidAmountError
    | settlementHash.ErrorType
    | paymentIntentNonce.ErrorType
    | usdcAuthorizationMessage.ErrorType
    | parseUsdcAuthorizationMessage.ErrorType
    | same.ErrorType
    | ExpiredError
    | signUsdcAuthorization.ErrorType
    | ChainReadError
}

function bind(
  client: PaymentsClient,
  options: signPaymentUsdc.Options,
  { wallet, value }: { wallet: Address; value: bigint },
): { orderKey: Hex; salt: Hex; nonce: Hex } {
  const { payment, pinned, purchaseId, random } = options
  if (payment === undefined)
    throw new InvalidOptionError('The nonce commits to the payment, but `payment` is missing.', {
      field: 'payment',
      fix: 'Pass `payment` with the fields of the checkout: subtotal, and transactionData, settlementType or destination.',
    })
  checkOptions(payment, termKinds, 'payment')
  const orderKey =
    purchaseId === undefined
      ? toOrderKey(draw(12, random))
      : orderKeyOf({ merchantId: client.merchantId, purchaseId })
  const salt = bytesToHex(draw(32, random))
  return { orderKey, salt, nonce: paymentIntent({ wallet, payment, pinned, value, orderKey, salt }) }
}

function draw(length: number, random: (length: number) => Uint8Array = secureRandom): Uint8Array {
  const bytes = random(length)
  if (bytes.length === length && bytes.some((byte) => byte !== 0)) return bytes
  throw new InvalidOptionError(`random did not return ${length} random bytes.`, {
    field: 'random',
    fix: 'Use the default.',
  })
}

const optionKinds = {
  amount: 'object',
  payment: 'object?',
  pinned: 'object',
  purchaseId: 'any',
  paymentId: 'string?',
  wallet: 'any',
  chainId: 'any',
  publicClient: 'object?',
  signal: 'object?',
  onPrompt: 'function?',
  now: 'any',
  random: 'function?',
} as const

const pinKinds = {
  chainId: 'any',
  creditSeed: 'any',
  bridgeAdapter: 'any',
  usdcAuthorizationType: 'any',
  settlementContract: 'any',
  settlementOperator: 'any',
  paymentIntentBound: 'boolean?',
} as const

const termKinds = {
  subtotal: 'object',
  transactionData: 'object?',
  settlementType: 'any',
  destination: 'any',
} as const

/** Without `nonce`, the service's nonce is accepted, because the caller pinned random nonces. */
type ExpectedAuthorization = {
  chainId: number
  from: Address
  to: Address
  value: bigint
  nonce: Hex | undefined
  /** `undefined` accepts either type. */
  type: UsdcAuthorizationType | undefined
}

/**
 * Returns the authorization to sign, built from the expected values. `now` is in Unix seconds.
 *
 * @throws PreparedMismatchError with `field`; ExpiredError; the errors of {@link parseUsdcAuthorizationMessage}
 */
function checkPaymentAuthorization(
  answer: UsdcAuthorizationMessage,
  expected: ExpectedAuthorization,
  now: bigint,
): { type: UsdcAuthorizationType; authorization: UsdcAuthorization } {
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(answer.message)
  same('domain.chainId', BigInt(expected.chainId), BigInt(domain.chainId))
  if (expected.type !== undefined) same('primaryType', expected.type, type)
  const { validBefore } = authorization
  const wanted: UsdcAuthorization = {
    from: expected.from,
    to: expected.to,
    value: expected.value,
    validAfter: 0n,
    validBefore,
    nonce: expected.nonce ?? authorization.nonce,
  }
  sameFields('message', authorization, wanted)
  const { messageData } = answer
  const shown: UsdcAuthorization = {
    from: checkAddress(messageData.from, 'messageData.from'),
    to: checkAddress(messageData.to, 'messageData.to'),
    value: parseUint(messageData.value, 'messageData.value'),
    validAfter: parseUint(messageData.validAfter, 'messageData.validAfter'),
    validBefore: parseUint(messageData.validBefore, 'messageData.validBefore'),
    nonce: messageData.nonce,
  }
  sameFields('messageData', shown, wanted)
  checkNotExpired(validBefore, now, 'message.validBefore', permitMinimumSeconds)
  return { type, authorization: wanted }
}
