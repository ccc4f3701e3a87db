'use client'
import type { Config } from '@wagmi/core'
import { createContext, type ReactNode, useContext } from 'react'
import { useConfig, useConnection } from 'wagmi'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { Redeemkit } from '../wagmi/kit.ts'

const context = createContext<Redeemkit | undefined>(undefined)

/**
 * Provides the app's kit to all hooks below it. Place it inside wagmi's `WagmiProvider` and TanStack Query's `QueryClientProvider`.
 *
 * @param props.kit result of `createRedeemkit`, created once per app
 * @example
 * ```tsx
 * import type { ReactNode } from 'react'
 * import { createRedeemkit, RedeemkitProvider } from 'redeemkit/react'
 * const kit = createRedeemkit({
 *   baseUrl: 'https://service.example',
 *   merchantId: 'shop',
 *   pins: [{ chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' }],
 * })
 * export const Shop = ({ children }: { children: ReactNode }) => (
 *   <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
 * )
 * ```
 */
export function RedeemkitProvider({ kit, children }: RedeemkitProvider.Props) {
  return <context.Provider value={kit}>{children}</context.Provider>
}

export declare namespace RedeemkitProvider {
  type Props = { kit: Redeemkit; children?: ReactNode }
}

/**
 * Returns the given kit, or the kit of the nearest `RedeemkitProvider`.
 *
 * @throws {@link InvalidOptionError} if neither exists
 */
export function useRedeemkit({ kit: given }: { kit?: Redeemkit | undefined } = {}): Redeemkit {
  const above = useContext(context)
  const kit = given ?? above
  if (kit !== undefined) return kit
  throw new InvalidOptionError('There is no RedeemkitProvider above this component.', {
    field: 'kit',
    fix: 'Wrap the app in <RedeemkitProvider kit={createRedeemkit({ … })}>, inside wagmi’s WagmiProvider.',
  })
}

export declare namespace useRedeemkit {
  type ErrorType = InvalidOptionError
}

/** Returns the kit and the wagmi config. Renders again when the account or its chain changes, because query options depend on both. */
export function useConnected(parameters: HookParameters<object>): { kit: Redeemkit; config: Config } {
  const config = useConfig(parameters)
  useConnection({ config })
  return { kit: useRedeemkit(parameters), config }
}

/** Parameters of a hook: the parameters of its action. `kit` and `config` come from the providers. */
export type HookParameters<parameters> = Omit<parameters, 'kit' | 'signal'> & {
  /** Default: the kit of `RedeemkitProvider`. */
  kit?: Redeemkit | undefined
  /** Default: the config of wagmi's `WagmiProvider`. */
  config?: Config | undefined
}
