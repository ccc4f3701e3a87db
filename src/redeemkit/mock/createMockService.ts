import type { Address } from 'viem'
import type { ClientOptions } from '../api/clientOptions.ts'
import { createPaymentsClient, type HasSessionKey, type PaymentsClient } from '../api/createPaymentsClient.ts'
import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/clock.ts'
import { InvalidOptionError, type UnknownNetworkError } from '../core/errors/inputErrors.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import type { parseJson } from '../core/parseJson.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { creditsDomain } from '../evm/creditPermit/creditPermit.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import type { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import type { verifyCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import { networkOf } from '../evm/networks.ts'
import type { settlementOf } from '../evm/transactionData/settlementOf.ts'
import type { verifyUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { parseUsdcAuthorization } from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { pinnedUsdc } from '../evm/usdcToken.ts'
import type { parseRecord } from '../schema/parseRecord.ts'
import type { PaymentStatus } from '../schema/payment.ts'
import { createMockChain, type MockChain } from './createMockChain.ts'
import { createMockFetch, type MockFetch } from './createMockFetch.ts'
import { mockWalletAddress } from './createMockWallet.ts'
import {
  defaultSettings,
  hashOf,
  type MockAsk,
  type MockChanges,
  type MockWorld,
  withoutUndefined,
} from './mockWorld.ts'

/**
 * Creates a payments service and its chain in memory, for tests and stories of a page. Nothing is started and no network is used. Your page
 * runs redeemkit unchanged, with all its checks; the mock responds in the wire format and fails as you configure it.
 *
 * Every wallet starts with the same credits and USDC. A redeem is checked as the service checks it (intent, fee, signatures, balances),
 * and the chain reports its outcome and token movements. Never use it in production: it holds no money and accepts anyone.
 *
 * @param options amounts in US cents, times in milliseconds. `change` changes each setting later
 * @returns `client`, a payments client; `chain`, a `publicClient` or EIP-1193 provider, or with viem's `custom` a wagmi
 * transport; `pinned`, the pinned values
 * @throws InvalidOptionError for an unknown option or one of the wrong type; InvalidOrderIdError for the merchant id; UnknownNetworkError
 * @example
 * ```ts
 * import { redeem } from 'redeemkit'
 * import { createMockService, createMockWallet } from 'redeemkit/mock'
 * const mock = createMockService({ creditsCents: 5_000, gasFeeCents: 3 })
 * const wallet = createMockWallet({ prompts: ['approve'] })
 * const pay = () =>
 *   redeem(mock.client, {
 *     signer: wallet,
 *     publicClient: mock.chain,
 *     pinned: mock.pinned,
 *     subtotal: { cents: 1000 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *   })
 * mock.change({ offline: true }) // from now on every call fails
 * ```
 */
export function createMockService(options: createMockService.Options = {}): MockService {
  const { blockchain, environment, merchantId, baseUrl, wallet, pinned, now, ...settings } = checkOptions(
    options,
    optionKinds,
  )
  const world = worldOf({ blockchain, environment, merchantId, baseUrl, pinned, now }, settings)
  const { terms } = world
  const fetch = createMockFetch(world)
  const clientOptions = {
    baseUrl: terms.baseUrl,
    merchantId: terms.merchantId,
    environment: environment ?? 'sandbox',
    userId: 'mock-user',
    sessionKey: 'mock-session-key',
    fetch,
    // retries happen, but without a noticeable wait
    retry: { baseMs: 1 },
    now: terms.now,
  } as const
  const client = createPaymentsClient({
    ...clientOptions,
    blockchain: terms.blockchain,
    wallet: wallet === undefined ? mockWalletAddress : checkAddress(wallet, 'wallet'),
  })
  return {
    client,
    clientOptions,
    fetch,
    chain: createMockChain(world),
    chainId: terms.chainId,
    pinned: terms.pinned,
    settlementContract: terms.settlementContract,
    asked: world.asked,
    change: (changes) => {
      const { creditsCents, usdcCents } = checkOptions(changes, settingKinds)
      // resets the wallets' balances
      if (creditsCents !== undefined || usdcCents !== undefined) world.funds.clear()
      world.settings = { ...world.settings, ...withoutUndefined(changes) }
    },
    movePayment: (paymentId, status) => {
      const purchase = world.purchases.find((one) => one.paymentId === paymentId)
      if (purchase === undefined)
        throw new InvalidOptionError(`The mock has no payment ${JSON.stringify(paymentId)}.`, {
          field: 'paymentId',
          fix: 'Pass the paymentId that a checkout returned.',
        })
      purchase.status = status
    },
  }
}

export declare namespace createMockService {
  type Options = MockChanges & {
    /** Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /** Default `sandbox`. */
    environment?: Environment | undefined
    /** Default `mock-shop`. */
    merchantId?: string | undefined
    /** Default `https://service.mock.redeemkit.test`. Nothing is sent there. */
    baseUrl?: string | undefined
    /** Wallet for calls that do not name one. Default: the account of `createMockWallet`. */
    wallet?: Address | undefined
    /** Your own credits contract and credit seed. Default: the mock's. */
    pinned?: Partial<RedeemPins> | undefined
    now?: Clock | undefined
  }
  type ReturnType = MockService
  /** The first four are errors of this call; the others are errors of the returned `fetch`. */
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidClockError
    | InvalidOrderIdError
    | UnknownNetworkError
    | Extract<
        | parseJson.ErrorType
        | parseRecord.ErrorType
        | parseUsdcAuthorization.ErrorType
        | redeemIntent.ErrorType
        | settlementOf.ErrorType
        | verifyCreditPermit.ErrorType
        | verifyUsdcAuthorization.ErrorType,
        {
          name:
            | 'AmbiguousSignatureError'
            | 'ChainReadError'
            | 'InvalidAddressError'
            | 'InvalidAmountError'
            | 'InvalidChainIdError'
            | 'InvalidFlagError'
            | 'InvalidHexError'
            | 'InvalidJsonError'
            | 'InvalidRecordError'
            | 'InvalidRedeemRequestError'
            | 'InvalidSignatureError'
            | 'InvalidTextError'
            | 'MissingFieldError'
            | 'NativeValueError'
            | 'NoUsdcAuthorizationError'
            | 'SignatureSchemeMissingError'
            | 'UnknownAuthorizationTypeError'
            | 'UnknownFieldError'
            | 'UnknownTransactionTypeError'
            | 'UnsafeJsonNumberError'
        }
      >
}

/** An in-memory payments service and its chain. */
export type MockService = {
  /** A payments client with wallet, user id and session key. */
  readonly client: PaymentsClient<HasSessionKey & { readonly wallet: string; readonly userId: string }>
  /** The options of `client`, for `createPaymentsClient` and for `createRedeemkit` of `redeemkit/wagmi`. */
  readonly clientOptions: Pick<ClientOptions, 'retry' | 'now'> & {
    readonly baseUrl: string
    readonly merchantId: string
    readonly environment: Environment
    readonly userId: string
    readonly sessionKey: string
    readonly fetch: MockFetch
  }
  /**
   * The service as a `fetch`. It also responds to the calls of the merchant's handler (`createMerchantHandler`), at any path outside `/api`
   * that ends with the call's name.
   */
  readonly fetch: MockFetch
  /** A node of the mock chain. Use it as `publicClient` or, in viem's `custom`, as the transport of a wagmi config. */
  readonly chain: MockChain
  readonly chainId: number
  /** The pinned values, for `pinned` and for the `pins` of `createRedeemkit`. */
  readonly pinned: RedeemPins & { readonly chainId: number }
  /** Receiver of a checkout's USDC: `settlementContract` in the `pins` of `createRedeemkit`. */
  readonly settlementContract: Address
  /** All calls so far, in order. A test can check that a second click sent nothing. */
  readonly asked: readonly MockAsk[]
  /** Changes settings. `creditsCents` and `usdcCents` reset the balances of all wallets. */
  readonly change: (changes: MockChanges) => void
  /** Changes the status of a checkout's payment, as arriving money would. `getPurchases` returns the new status. */
  readonly movePayment: (paymentId: string, status: PaymentStatus) => void
}

const settingKinds: OptionKinds<MockChanges> = {
  creditsCents: 'number?',
  usdcCents: 'number?',
  gasFeeCents: 'number?',
  laterGasFeeCents: 'number?',
  permitSeconds: 'number?',
  delayMs: 'number?',
  offline: 'boolean?',
  needsSignIn: 'boolean?',
  smartAccounts: 'boolean?',
  chain: 'string?',
  minesAfterMs: 'number?',
  faults: 'object?',
  plans: 'list?',
  cards: 'list?',
}

const optionKinds: OptionKinds<createMockService.Options> = {
  ...settingKinds,
  blockchain: 'string?',
  environment: 'string?',
  merchantId: 'string?',
  baseUrl: 'string?',
  wallet: 'string?',
  pinned: 'object?',
  now: 'function?',
}

function worldOf(
  options: Pick<
    createMockService.Options,
    'blockchain' | 'environment' | 'merchantId' | 'baseUrl' | 'pinned' | 'now'
  >,
  settings: MockChanges,
): MockWorld {
  const { blockchain = 'base', environment = 'sandbox', merchantId = 'mock-shop', now = Date.now } = options
  const { chainId, usdc } = networkOf({ blockchain, environment })
  return {
    terms: {
      baseUrl: options.baseUrl ?? 'https://service.mock.redeemkit.test',
      merchantId,
      blockchain,
      chainId,
      usdc: usdc ? pinnedUsdc(chainId).address : undefined,
      settlementContract: newContract(),
      bridgeAdapter: options.pinned?.bridgeAdapter ?? newContract(),
      pinned: {
        creditsContract: newContract(),
        creditSeed: merchantId,
        ...options.pinned,
        chainId,
        domainName: options.pinned?.domainName ?? creditsDomain.name,
        domainVersion: options.pinned?.domainVersion ?? creditsDomain.version,
      },
      startedAt: readClock(now),
      now: () => readClock(now),
    },
    settings: { ...defaultSettings, ...withoutUndefined(settings) },
    funds: new Map(),
    intents: new Map(),
    redeems: new Map(),
    cancelled: new Map(),
    purchases: [],
    asked: [],
  }
}

/** A different contract for each mock, so that purchases stored by the page for one mock do not affect the next. */
function newContract(): Address {
  return checkAddress(hashOf(globalThis.crypto.randomUUID()).slice(0, 42), 'creditsContract')
}
