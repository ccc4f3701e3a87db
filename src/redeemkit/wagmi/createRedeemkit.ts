import type { ClientOptions } from '../api/clientOptions.ts'
import type { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { makeClient } from '../api/paymentsClient.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { freeze } from '../core/freeze.ts'
import type { UserMessages } from '../core/userMessage/userMessages.ts'
import { networkOf } from '../evm/networks.ts'
import type { PurchaseStorage } from '../redeem/purchase/purchaseStorage.ts'
import type { RedeemOptions } from '../redeem/redeemOptions.ts'
import { loadEngine } from './engine/loadEngine.ts'
import { type ChainPins, type Redeemkit, sendKitCall } from './kit.ts'

/**
 * Creates the configuration for actions and hooks, once per app. Makes no request, so it can run at the top of a module, also
 * on a server.
 *
 * @param options.pins pinned values of each chain, from your own configuration and never from the service (PROTOCOL.md 3.2)
 * @param options.storage purchase storage, so that a reload resumes open redeems. Default: `localStorage`, or memory if there is no
 * page; `null` for memory only
 * @returns a plain, frozen object
 * @throws InvalidOptionError naming the invalid option; UnknownNetworkError for an unknown chain
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
  const { pins = [], storage, messages = {}, onEvent, ...rest } = Object(options) as createRedeemkit.Options // checked next
  checkOptions({ pins, storage, messages, onEvent }, optionKinds)
  const [first] = pins
  if (first === undefined)
    throw new InvalidOptionError('No chain is pinned.', {
      field: 'pins',
      fix: 'Pass one entry for each chain, with chainId, creditsContract and creditSeed.',
      source: 'PROTOCOL.md 3.2',
    })
  for (const [at, { chainId }] of pins.entries())
    if (pins.findIndex((other) => other.chainId === chainId) !== at)
      throw new InvalidOptionError(`Chain ${chainId} is pinned twice.`, {
        field: `pins[${at}].chainId`,
        fix: 'Pass one entry for each chain.',
      })
  const { blockchain, environment } = networkOf({ chainId: first.chainId })
  for (const [at, { chainId }] of pins.entries()) {
    const meant = rest.environment ?? environment
    const { environment: own, name } = networkOf({ chainId })
    if (own !== meant)
      throw new InvalidOptionError(`Chain ${chainId}, ${name}, belongs to ${own}, not to ${meant}.`, {
        field: `pins[${at}].chainId`,
        fix: 'Create one kit for the environment prod, and another for sandbox.',
      })
  }
  const client = makeClient(
    { environment, ...rest, blockchain },
    { sendCall: (call, client) => sendKitCall(call, client, loadEngine) },
  )
  const { baseUrl, merchantId, userId } = client
  return Object.freeze({
    key: JSON.stringify([client.environment, baseUrl, merchantId, userId ?? null, pins]),
    client,
    pins: freeze(pins.map((pin) => ({ ...pin }))),
    storage,
    messages,
    onEvent,
  })
}

export declare namespace createRedeemkit {
  type Options = Omit<ClientOptions, 'wallet' | 'blockchain' | 'signedMessage'> & {
    pins: readonly ChainPins[]
    storage?: PurchaseStorage | null | undefined
    /** Messages of `userMessage` and `describeSigning`: `ptBr` of `redeemkit/languages`, or your own. Default English. */
    messages?: Partial<UserMessages> | undefined
    /** Called for analytics and error reports: with each step of a redeem, and with a failure of the redeem or its check. */
    onEvent?: RedeemOptions['onEvent']
  }
  type ReturnType = Redeemkit
  type ErrorType = createPaymentsClient.ErrorType | networkOf.ErrorType | InvalidOptionError
}

const optionKinds: OptionKinds<Pick<createRedeemkit.Options, 'pins' | 'storage' | 'messages' | 'onEvent'>> = {
  pins: 'list',
  storage: 'any',
  messages: 'object',
  onEvent: 'function?',
}
