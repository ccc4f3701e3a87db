import type { Address } from 'viem'
import type { ClientOptions } from '../api/clientOptions.ts'
import { createPaymentsClient, type HasSessionKey, type PaymentsClient } from '../api/createPaymentsClient.ts'
import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError, type UnknownNetworkError } from '../core/errors/inputErrors.ts'
import type { parseJson } from '../core/json/parseJson.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/time/clock.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import type { RedeemPins } from '../evm/creditPermit/inspectOptions.ts'
import type { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import type { verifyCreditPermit } from '../evm/creditPermit/verifyCreditPermit.ts'
import { networkOf } from '../evm/networks.ts'
import type { settlementOf } from '../evm/transactionData/settlementOf.ts'
import type { parseUsdcAuthorization } from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import type { verifyUsdcAuthorization } from '../evm/usdcAuthorization/verifyUsdcAuthorization.ts'
import { pinnedUsdc } from '../evm/usdcToken.ts'
import type { parseRecord } from '../schema/parseRecord.ts'
import type { PaymentStatus } from '../schema/payment.ts'
import { createMockChain, type MockChain } from './chain/createMockChain.ts'
import { createMockFetch, type MockFetch } from './service/createMockFetch.ts'
import { defaultSettings } from './service/defaultSettings.ts'
import { hashOf } from './service/hashOf.ts'
import type { MockAsk, MockChanges, MockSettings, MockWorld } from './service/mockWorld.ts'
import { mockWalletAddress } from './wallet/mockKey.ts'

/**
 * A payments service and its chain that lie in memory, for the tests and stories of a page: nothing is started, no network is
 * asked. What a page has of redeemkit runs as it is, every check of it included; the mock plays what is on the other side, by the wire's
 * own records, and fails in the way that it is told to.
 *
 * Every wallet that asks has the same credits and USDC; a redeem is checked as the service checks it (intent, fee, signatures, funds),
 * and what the chain then tells of it is an outcome with what moved. Never for production: it holds no money, and says yes to anybody.
 *
 * @param options amounts are US cents, times milliseconds; each setting may be changed later by `change`
 * @returns `client` for what takes a payments client, `chain` for what takes a `publicClient`, an EIP-1193 provider, or, by viem's
 * `custom`, a wagmi transport; `pinned` for what asks for pins
 * @throws InvalidOptionError for an option that is misspelt or of another type; InvalidOrderIdError for the merchant id;
 * UnknownNetworkError
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
 * mock.change({ offline: true }) // from now on nobody answers
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
    // Enough to see that what fails is tried again, without waiting for it.
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
      // What a wallet has is told anew.
      if (creditsCents !== undefined || usdcCents !== undefined) world.funds.clear()
      world.settings = merged(world.settings, changes)
    },
    movePayment: (paymentId, status) => {
      const purchase = world.purchases.find((one) => one.paymentId === paymentId)
      if (purchase === undefined)
        throw new InvalidOptionError(`The mock has no payment ${JSON.stringify(paymentId)}.`, {
          field: 'paymentId',
          fix: 'Give the paymentId that a checkout answered.',
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
    /** Default `https://service.mock.redeemkit.test`. Any address will do: nothing is sent. */
    baseUrl?: string | undefined
    /** The customer that `client` stands for where a call names none. Default: the account of `createMockWallet`. */
    wallet?: Address | undefined
    /** Credits contract and credit seed of your own. Default: those of the mock. */
    pinned?: Partial<RedeemPins> | undefined
    now?: Clock | undefined
  }
  type ReturnType = MockService
  /** The first three of the call itself; the rest of `fetch` and `chain`, for what no client of ours sends. */
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

/** A payments service and its chain, in memory. */
export type MockService = {
  /** A client of it, as `createPaymentsClient` makes one, with wallet, user id and session key. */
  readonly client: PaymentsClient<HasSessionKey & { readonly wallet: string; readonly userId: string }>
  /** What `client` is made of, for `createPaymentsClient` and for `createRedeemkit` of `redeemkit/wagmi`. */
  readonly clientOptions: Pick<ClientOptions, 'retry' | 'now'> & {
    readonly baseUrl: string
    readonly merchantId: string
    readonly environment: Environment
    readonly userId: string
    readonly sessionKey: string
    readonly fetch: MockFetch
  }
  /**
   * The service itself. It answers the calls of the merchant's handler (`createMerchantHandler`), too, at any path outside of `/api` that
   * ends with the call's name.
   */
  readonly fetch: MockFetch
  /** A node of its chain: a `publicClient`, or, by viem's `custom`, the transport of a wagmi config. */
  readonly chain: MockChain
  readonly chainId: number
  /** For `pinned`, and for the `pins` of `createRedeemkit`. */
  readonly pinned: RedeemPins & { readonly chainId: number }
  /** Whom a checkout's USDC goes to: `settlementContract` among the `pins` of `createRedeemkit`. */
  readonly settlementContract: Address
  /** What arrived so far, in order: that a second press sent nothing, a test sees here. */
  readonly asked: readonly MockAsk[]
  /** Changes settings from now on. `creditsCents` and `usdcCents` say anew what every wallet has. */
  readonly change: (changes: MockChanges) => void
  /** Moves a payment that a checkout made, as money that arrives would: `getPurchases` tells its new state. */
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
        domainName: options.pinned?.domainName ?? 'Credits',
        domainVersion: options.pinned?.domainVersion ?? '1',
      },
      startedAt: readClock(now),
      now: () => readClock(now),
    },
    settings: merged(defaultSettings, settings),
    funds: new Map(),
    intents: new Map(),
    redeems: new Map(),
    cancelled: new Map(),
    purchases: [],
    asked: [],
  }
}

/** What is given as `undefined` stays as it was. */
function merged(settings: MockSettings, changes: MockChanges): MockSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...settings, ...Object.fromEntries(given) }
}

/**
 * A credits contract of the mock's own chain. Each mock has another one: what a page keeps of a purchase at one of them is nothing to
 * the next, whose chain knows nothing of it.
 */
function newContract(): Address {
  return checkAddress(hashOf(globalThis.crypto.randomUUID()).slice(0, 42), 'creditsContract')
}
