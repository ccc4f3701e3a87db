import type { Address } from 'viem'
import type { ClientOptions } from '../../api/clientOptions.ts'
import { createPaymentsClient, type PaymentsClient } from '../../api/createPaymentsClient.ts'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { freeze } from '../../core/freeze.ts'
import type { UserMessages } from '../../core/userMessage/userMessages.ts'
import type { RedeemPins } from '../../evm/creditPermit/inspectOptions.ts'
import { networkOf } from '../../evm/networks.ts'
import type { PurchaseStorage } from '../../redeem/purchase/purchaseStorage.ts'

/** What an app trusts on one chain. */
export type ChainPins = RedeemPins & {
  /** The chain of the contract. */
  readonly chainId: number
  /** The contract that settles payments (PROTOCOL.md 10.2): `useUsdcAuthorization` gives USDC to no other address. */
  readonly settlementContract?: Address | undefined
  /** The operator of that contract. It receives payments that stay in the merchant's wallet at the service. */
  readonly settlementOperator?: Address | undefined
  /** `false` for a service that hands out random nonces for payments, which is trusted with them. Default true. */
  readonly paymentIntentBound?: boolean | undefined
}

/** What an app sets up once, and every action takes: the service, what is trusted, where purchases are kept, the language. */
export type Redeemkit = {
  /** Tells it from others in query keys: service, merchant, environment, customer and pins. No secret is in it. */
  readonly key: string
  /** A client of the service without a wallet. Sign-ins are kept in it, and in every client made of it with `with`. */
  readonly client: PaymentsClient
  readonly pins: readonly ChainPins[]
  /** `null` keeps purchases in this process only. `undefined`: the page's `localStorage`, where there is a page. */
  readonly storage: PurchaseStorage | null | undefined
  /** The language, English where it says nothing. */
  readonly messages: Partial<UserMessages>
}

/**
 * Sets up what the actions and hooks need, once for an app. Opens nothing and asks nobody, so it may stand at the top of a
 * module that a server renders, too.
 *
 * @param options.pins what you trust on each chain, from your own configuration and never from the service (PROTOCOL.md 3.2)
 * @param options.storage where purchases are kept, so that a reload goes on with them. Default: the page's `localStorage`, and
 * this process where there is no page; `null` for this process only
 * @returns a plain, frozen object
 * @throws InvalidOptionError for an option that cannot be used, naming it; UnknownNetworkError for a chain that is none of the
 * service's
 * @example
 * ```ts
 * import { createRedeemkit } from 'redeemkit/wagmi'
 * const kit = createRedeemkit({
 *   baseUrl: 'https://service.example',
 *   merchantId: 'shop',
 *   pins: [{ chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' }],
 * })
 * ```
 */
export function createRedeemkit(options: createRedeemkit.Options): Redeemkit {
  const { pins, storage, messages = {}, ...rest } = Object(options) as createRedeemkit.Options // checked next
  checkOptions({ pins, storage, messages }, optionKinds)
  const [first] = pins
  if (first === undefined)
    throw new InvalidOptionError('pins is an empty list: no chain is trusted.', {
      field: 'pins',
      fix: 'Give one entry for each chain, with chainId, creditsContract and creditSeed.',
      docs: 'PROTOCOL.md 3.2',
    })
  for (const [at, { chainId }] of pins.entries())
    if (pins.findIndex((other) => other.chainId === chainId) !== at)
      throw new InvalidOptionError(`Chain ${chainId} is pinned twice.`, {
        field: `pins[${at}].chainId`,
        fix: 'Give one entry for each chain.',
      })
  const { blockchain, environment } = networkOf({ chainId: first.chainId })
  for (const [at, { chainId }] of pins.entries()) {
    const meant = rest.environment ?? environment
    const { environment: own, name } = networkOf({ chainId })
    if (own !== meant)
      throw new InvalidOptionError(
        `Chain ${chainId}, ${name}, is a network of ${own}, and not of ${meant}.`,
        {
          field: `pins[${at}].chainId`,
          fix: 'Make one kit for the environment prod, and one for sandbox.',
        },
      )
  }
  const client = createPaymentsClient({ environment, ...rest, blockchain })
  const { baseUrl, merchantId, userId } = client
  return Object.freeze({
    key: JSON.stringify([client.environment, baseUrl, merchantId, userId ?? null, pins]),
    client,
    pins: freeze(pins.map((pin) => ({ ...pin }))),
    storage,
    messages,
  })
}

export declare namespace createRedeemkit {
  type Options = Omit<ClientOptions, 'wallet' | 'blockchain' | 'signedMessage'> & {
    pins: readonly ChainPins[]
    storage?: PurchaseStorage | null | undefined
    /** The language of `userMessage` and of what is signed: `ptBr` of `redeemkit/languages`, or your own. Default English. */
    messages?: Partial<UserMessages> | undefined
  }
  type ReturnType = Redeemkit
  type ErrorType = createPaymentsClient.ErrorType | networkOf.ErrorType | InvalidOptionError
}

const optionKinds: OptionKinds<Pick<createRedeemkit.Options, 'pins' | 'storage' | 'messages'>> = {
  pins: 'list',
  storage: 'any',
  messages: 'object',
}
