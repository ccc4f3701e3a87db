import type { Environment } from '../core/blockchains.ts'
import { UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** A Stellar network and its USDC. */
export type StellarNetwork = {
  readonly blockchain: 'stellar'
  readonly environment: Environment
  /** The network's name in sign-in texts. */
  readonly name: string
  /** The network passphrase. Every signature commits to it. */
  readonly networkPassphrase: string
  readonly usdc: {
    readonly code: 'USDC'
    /** The issuer of the classic USDC asset. */
    readonly issuer: string
    /** The Stellar Asset Contract of the classic asset. */
    readonly contract: string
    readonly decimals: 7
  }
}

/**
 * The two networks of the service (PROTOCOL.md 9.1, 9.2), with the USDC that its issuer published for each.
 *
 * @example
 * ```ts
 * import { networks } from 'redeemkit/stellar'
 * networks.find((network) => network.environment === 'prod')?.usdc.issuer
 * ```
 */
export const networks: readonly StellarNetwork[] = [
  {
    blockchain: 'stellar',
    environment: 'prod',
    name: 'pubnet',
    networkPassphrase: 'Public Global Stellar Network ; September 2015',
    usdc: {
      code: 'USDC',
      issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      contract: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75',
      decimals: 7,
    },
  },
  {
    blockchain: 'stellar',
    environment: 'sandbox',
    name: 'testnet',
    networkPassphrase: 'Test SDF Network ; September 2015',
    usdc: {
      code: 'USDC',
      issuer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
      contract: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
      decimals: 7,
    },
  },
]

/** An environment of the service, or a custom network. */
export type StellarEnvironment = Environment | StellarNetwork

/**
 * Returns the network of an environment, or a custom network unchanged. Every function calls this first, so that a call
 * without options throws a typed error.
 *
 * @throws `UnknownNetworkError` for anything else
 */
export function networkOf(environment: StellarEnvironment): StellarNetwork {
  if (typeof environment === 'object' && environment !== null) {
    const { name, networkPassphrase, usdc } = environment
    const texts = [name, networkPassphrase, usdc?.code, usdc?.issuer, usdc?.contract]
    if (texts.every((text) => typeof text === 'string' && text !== '')) return environment
  }
  const network = networks.find((row) => row.environment === environment)
  if (network === undefined)
    throw new UnknownNetworkError(`${showValue(environment)} has no Stellar network.`, {
      field: 'environment',
      fix: 'Use "sandbox", "prod", or a complete StellarNetwork.',
    })
  return network
}

export declare namespace networkOf {
  type ErrorType = UnknownNetworkError
}
