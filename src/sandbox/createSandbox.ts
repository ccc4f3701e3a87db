import type { HttpRequestError, TimeoutError } from 'viem'
import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import type { InvalidClockError } from '../redeemkit/core/time/clock.ts'
import type { ChainReadError } from '../redeemkit/evm/client.ts'
import type { connectEvmChain } from './chains/connectEvmChain.ts'
import type { checkSandboxOptions } from './checkSandboxOptions.ts'
import type { SandboxApiKey, SandboxMerchant } from './merchantOptions.ts'
import { openSandbox } from './start/openSandbox.ts'
import type { Sandbox } from './start/sandbox.ts'
import type { SandboxOptions } from './start/sandboxOptions.ts'
import type { DatabaseStatementError, DatabaseUnavailableError, UnknownRowError } from './store/errors.ts'
import type { FolderInUseError } from './store/lockFolder.ts'

/**
 * The payments service as an app over chains that already run. Opens nothing: no port, no process, no database until the
 * first request.
 *
 * @param options.chains chains that redeems happen on, with a deployed credits contract and an account that has its
 * operator and minter roles
 * @returns `app.request(path)` answers like the service; `start` picks up what a killed process left open; `stop` closes
 * @throws {@link InvalidSandboxOptionsError} when the options contradict themselves; UnknownNetworkError, InvalidAddressError
 * and what `usdcToken` of `redeemkit/evm` throws for a chain that cannot be used
 * @throws by what it returns: FolderInUseError when the database opens, ChainReadError when a node does not take a transaction
 * @example
 * ```ts
 * import { createSandbox } from '@redeemkit/sandbox'
 * declare const base: createSandbox.ChainOptions // a chain that has the credits contract already
 * const merchants = [{ merchantId: 'shop', creditSeed: 'shop', apiKey: 'sk_sandbox_shop' }]
 * const sandbox = createSandbox({ environment: 'sandbox', chains: [base], merchants })
 * const answer = await sandbox.app.request('/api/utils/contract-address?blockchain=base')
 * ```
 */
export function createSandbox(options: createSandbox.Options): Sandbox {
  const { app, start, stop, allowFactory, whitelist } = openSandbox(options)
  return { app, start, stop, allowFactory, whitelist }
}

export declare namespace createSandbox {
  type Options = SandboxOptions
  type MerchantOptions = SandboxMerchant
  type ApiKeyOptions = SandboxApiKey
  type ChainOptions = connectEvmChain.Options
  type DestinationOptions = connectEvmChain.DestinationOptions
  /** At the making; and by what it returns, which opens the database and sends transactions. What requests run into is answered. */
  // Those of the store and the relayer by class: their modules would bring the database's types into the declarations.
  type ErrorType =
    | checkSandboxOptions.ErrorType
    | connectEvmChain.ErrorType
    | FolderInUseError
    | UnknownRowError
    | DatabaseUnavailableError
    | DatabaseStatementError
    | ChainReadError
    // A node that `start` puts the clock of, by viem's own words.
    | HttpRequestError
    | TimeoutError
    | InvalidClockError
    | InvalidOptionError
}
