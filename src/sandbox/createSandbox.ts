import type { HttpRequestError, TimeoutError } from 'viem'
import { checkOptions, type OptionKinds } from '../redeemkit/core/checkOptions.ts'
import type { InvalidClockError } from '../redeemkit/core/clock.ts'
import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import type { ChainReadError } from '../redeemkit/evm/client.ts'
import type { connectEvmChain } from './chains/connectEvmChain.ts'
import type { checkSandboxOptions } from './checkSandboxOptions.ts'
import type { SandboxApiKey, SandboxMerchant } from './merchantOptions.ts'
import { openSandbox } from './start/openSandbox.ts'
import { type Sandbox, type SandboxOptions, serviceOptionKinds } from './start/sandbox.ts'
import type { UnknownRowError } from './store/columns.ts'
import type { DatabaseStatementError, DatabaseUnavailableError } from './store/databaseOf.ts'
import type { FolderInUseError } from './store/lockFolder.ts'

/**
 * Creates the payments service as an app for chains that already run. It opens no port, process or database before the
 * first request.
 *
 * @param options.chains chains for redeems, each with a deployed credits contract and an account that has its operator and
 * minter roles
 * @returns `app.request(path)` responds like the service; `start` resumes work after a crash; `stop` closes the service
 * @throws {@link InvalidSandboxOptionsError} if options contradict each other; {@link InvalidOptionError} for an unknown
 * option; UnknownNetworkError, InvalidAddressError
 * and what `usdcToken` of `redeemkit/evm` throws for an unusable chain
 * @throws by the returned app: FolderInUseError if the database is in use, ChainReadError if a node rejects a transaction
 * @example
 * ```ts
 * import { createSandbox } from '@redeemkit/sandbox'
 * declare const base: createSandbox.ChainOptions // a chain with the credits contract
 * const merchants = [{ merchantId: 'shop', creditSeed: 'shop', apiKey: 'sk_sandbox_shop' }]
 * const sandbox = createSandbox({ environment: 'sandbox', chains: [base], merchants })
 * const answer = await sandbox.app.request('/api/utils/contract-address?blockchain=base')
 * ```
 */
export function createSandbox(options: createSandbox.Options): Sandbox {
  const { app, start, stop, allowFactory, whitelist } = openSandbox(options)
  checkOptions(options, optionKinds)
  return { app, start, stop, allowFactory, whitelist }
}

/** `openSandbox` has checked the values; this checks the names. A misspelled `requireSignIn` would leave a service open. */
const optionKinds: OptionKinds<createSandbox.Options> = {
  ...serviceOptionKinds,
  chains: 'any',
  merchants: 'any',
  store: 'function?',
  solana: 'object?',
  stellar: 'object?',
}

export declare namespace createSandbox {
  type Options = SandboxOptions
  type MerchantOptions = SandboxMerchant
  type ApiKeyOptions = SandboxApiKey
  type ChainOptions = connectEvmChain.Options
  type DestinationOptions = connectEvmChain.DestinationOptions
  /** Errors of the call, and of the returned app, which opens the database and sends transactions. Requests get error responses. */
  // Errors of store and relayer are listed by class: an `ErrorType` of their modules would add database types to the declarations.
  type ErrorType =
    | checkSandboxOptions.ErrorType
    | connectEvmChain.ErrorType
    | FolderInUseError
    | UnknownRowError
    | DatabaseUnavailableError
    | DatabaseStatementError
    | ChainReadError
    // `start` may throw these viem errors when it sets a node's clock.
    | HttpRequestError
    | TimeoutError
    | InvalidClockError
    | InvalidOptionError
}
