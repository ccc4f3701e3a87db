import type { Config } from '@wagmi/core'
import type { Redeemkit } from '../wagmi/kit/createRedeemkit.ts'

/** What a hook takes that its providers give otherwise, in the place of what its action is given. */
export type HookParameters<parameters> = Omit<parameters, 'kit' | 'signal'> & {
  /** Default: that of `RedeemkitProvider`. */
  kit?: Redeemkit | undefined
  /** Default: that of wagmi's `WagmiProvider`. */
  config?: Config | undefined
}
